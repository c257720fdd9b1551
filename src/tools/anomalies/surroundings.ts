import type { Space, Transaction } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import type { Surroundings } from "./contract.ts";
import { type SurroundingsDocument, surroundings } from "./documents.ts";
import type { Series } from "./points.ts";

/** Points that are kept before and after an anomaly. */
const BEFORE = 60;
const AFTER = 30;
/** Significant digits of these. */
const DIGITS = 6;

/** @param found indices of all anomalies of the series. */
export function surroundingsOf(
  { values, times }: Series,
  index: number,
  found: readonly number[],
): SurroundingsDocument {
  const first = Math.max(0, index - BEFORE);
  const end = Math.min(values.length, index + AFTER + 1);
  const [since, until] = [times[first] as number, times[end - 1] as number];
  return {
    first,
    values: Array.from(values.subarray(first, end), (value) => Number(value.toPrecision(DIGITS))),
    ...(!Number.isNaN(since) && { since }),
    ...(!Number.isNaN(until) && { until }),
    marks: found.filter((each) => each >= first && each < end),
  };
}

/**
 * Reads the points around an anomaly. Returns null if none were kept: an earlier version found it, or it was
 * one of too many.
 */
export async function readSurroundings(
  tx: Transaction,
  space: Space,
  id: string,
): Promise<Surroundings | null> {
  const kept = await tx.get(surroundings, space, id);
  if (!kept) return null;
  const { since, until, ...rest } = kept;
  return {
    ...rest,
    since: since === undefined ? null : iso(since),
    until: until === undefined ? null : iso(until),
  };
}
