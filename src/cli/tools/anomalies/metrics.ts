import { UsageError } from "../../exit-codes.ts";

export type Point = number | { at: string | number; value: number };
/** By name, as a file has them: before the engine has looked at them. */
export type Metrics = Record<string, Point[]>;

export function unknownMetric(file: string, metric: string, known: readonly string[]): UsageError {
  return new UsageError(`${file} has no metric "${metric}".`, `It has ${known.join(", ")}.`);
}
