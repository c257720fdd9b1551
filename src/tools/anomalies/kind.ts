import { expectationOf } from "./detecting/expectation.ts";

export const KINDS = ["spike", "drop", "level_shift", "trend", "missing_data", "variance"] as const;
export type Kind = (typeof KINDS)[number];

/** Number of preceding points that a value within the usual bounds is compared with. */
const NEARBY = 12;
/** Points per quarter that a trend needs. */
const MIN_QUARTER = 6;

/** Classifies a strange value by the values before it. */
export function kindOf(value: number, before: Float64Array): Extract<Kind, "spike" | "drop" | "trend"> {
  const { low, mid, high } = expectationOf(before);
  if (value >= low && value <= high) {
    return value < expectationOf(before.subarray(-NEARBY)).mid ? "drop" : "spike";
  }
  const direction = Math.sign(value - mid);
  if (isTrend(before, direction)) return "trend";
  return direction < 0 ? "drop" : "spike";
}

/** Whether the means of four quarters all rise, or all fall, by more than the values spread within a quarter. */
function isTrend(values: Float64Array, direction: number): boolean {
  const length = Math.floor(values.length / 4);
  if (length < MIN_QUARTER) return false;
  const quarters = [0, 1, 2, 3].map((index) => values.subarray(index * length, (index + 1) * length));
  const means = quarters.map(mean);
  const within = mean(Float64Array.from(quarters, spread));
  return means.every((each, at) => at === 0 || direction * (each - (means[at - 1] as number)) > within);
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The standard deviation. */
function spread(values: Float64Array): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}
