/** Counts by units of time. The first of `counts` is for the unit with the number `from` since the epoch. */
export interface Series {
  from: number;
  counts: number[];
}

/** Adds to a series. The last `most` units are kept; anything before them is ignored. */
export function counted(
  series: Series | undefined,
  { at, by, unitMs, most }: { at: number; by: number; unitMs: number; most: number },
): Series {
  const unit = Math.floor(at / unitMs);
  if (!series || series.counts.length === 0) return { from: unit, counts: [by] };
  const last = Math.max(series.from + series.counts.length - 1, unit);
  const first = Math.max(Math.min(series.from, unit), last - most + 1);
  if (unit < first) return series;
  const counts = Array.from({ length: last - first + 1 }, (_, index) => countOf(series, first + index));
  counts[unit - first] = (counts[unit - first] ?? 0) + by;
  return { from: first, counts };
}

/** Returns the counts of the `most` units up to that of `now`. */
export function upTo(
  series: Series | undefined,
  { now, unitMs, most }: { now: number; unitMs: number; most: number },
): Series {
  const from = Math.floor(now / unitMs) - most + 1;
  return {
    from,
    counts: Array.from({ length: most }, (_, index) => (series ? countOf(series, from + index) : 0)),
  };
}

function countOf({ from, counts }: Series, unit: number): number {
  return counts[unit - from] ?? 0;
}
