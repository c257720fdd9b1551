import { UsageError } from "../../exit-codes.ts";

export type Point = number | { at: string | number; value: number };
/** The points of each metric by name, as read from a file and not validated by the engine yet. */
export type Metrics = Record<string, Point[]>;

export function unknownMetric(file: string, metric: string, known: readonly string[]): UsageError {
  return new UsageError(`${file} has no metric "${metric}".`, `It has ${known.join(", ")}.`);
}
