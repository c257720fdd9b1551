/** The range in which a value is expected, given those before it. */
export interface Expectation {
  low: number;
  mid: number;
  high: number;
}

/**
 * Returns the middle 98 % and the median of at least one value. Of three or more values, the outermost are
 * left out.
 */
export function expectationOf(values: Float64Array): Expectation {
  const sorted = values.toSorted();
  const last = sorted.length - 1;
  const outside = outsideOf(sorted.length);
  return {
    low: sorted[outside] as number,
    mid: quantile(sorted, 0.5),
    high: sorted[last - outside] as number,
  };
}

/** Returns how many of so many values are left out on each side. */
export function outsideOf(count: number): number {
  // Whole values, since interpolating between the outermost two of sixty would let one outlier move the bound.
  return Math.min(Math.ceil(0.01 * (count - 1)), Math.floor((count - 1) / 2));
}

/** Returns 1 if a value is above the usual range by more than a margin, -1 if it is below, and 0 otherwise. */
export function sideOf(value: number, { low, high }: Expectation, margin: number): -1 | 0 | 1 {
  return value > high + margin ? 1 : value < low - margin ? -1 : 0;
}

/**
 * Whether a value is outside a usual range that is not a single value, but by no more than one step of a
 * count: two errors after none or one are chance.
 */
export function isOneStepBeyond(value: number, expected: Expectation, step: number): boolean {
  if (expected.low === expected.high) return false;
  return sideOf(value, expected, 0) !== 0 && sideOf(value, expected, step) === 0;
}

/** Returns how many usual deviations a value is from the median; infinite if all others are equal. */
export function deviation(value: number, values: Float64Array): number {
  const median = quantile(values.toSorted(), 0.5);
  const distances = values.map((each) => Math.abs(each - median)).sort();
  const distance = Math.abs(value - median);
  if (distance === 0) return 0;
  // 1.4826 scales the median absolute deviation to the standard deviation of a normal distribution.
  const usual = 1.4826 * quantile(distances, 0.5);
  if (usual > 0) return distance / usual;
  // More than half are equal, so the mean absolute deviation is used, scaled likewise.
  return distance / (1.2533 * (distances.reduce((sum, each) => sum + each, 0) / distances.length));
}

/** Share of the values that make a tail (DuMouchel 1983). */
const TAIL = 0.1;

/**
 * Returns the chance of a value that far out, by the tail of the values on its side of the median: how far they
 * exceed the tail's edge is taken for exponential, with their mean (peaks over threshold). So a latency, whose
 * outer values lie far apart, must go further than a measurement whose values end sharply. Returns 0 if too few
 * values make a tail.
 */
export function chanceOf(value: number, values: Float64Array): number {
  const sorted = values.toSorted();
  const side = value < quantile(sorted, 0.5) ? -1 : 1;
  const edge = quantile(sorted, side > 0 ? 1 - TAIL : TAIL);
  const excesses = sorted.map((each) => side * (each - edge)).filter((excess) => excess > 0);
  if (excesses.length < 2) return 0;
  const mean = excesses.reduce((sum, each) => sum + each, 0) / excesses.length;
  return (excesses.length / sorted.length) * Math.exp(-Math.max(0, side * (value - edge)) / mean);
}

/** Interpolates linearly between the two nearest values. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (at - below);
}
