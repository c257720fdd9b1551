/**
 * Values in buckets of 1 %, after DDSketch (Masson, Rim, Lee: "DDSketch: a fast and fully-mergeable quantile
 * sketch with relative-error guarantees", VLDB 2019): a bucket's value is within `ERROR` of all it holds.
 * Counts of buckets can be added and, unlike the centroids of a t-digest, taken away again.
 */
const ERROR = 0.005;
const GAMMA = (1 + ERROR) / (1 - ERROR);
const LOG_GAMMA = Math.log(GAMMA);
/** What is smaller counts as zero. */
const SMALLEST = 1e-9;
/** Below the bucket of the smallest value. */
const ZERO = -10_000;

export function bucketOf(value: number): number {
  return value < SMALLEST ? ZERO : Math.ceil(Math.log(value) / LOG_GAMMA);
}

/** What stands for all values of a bucket. */
export function bucketValue(bucket: number): number {
  return bucket === ZERO ? 0 : (2 * GAMMA ** bucket) / (GAMMA + 1);
}

/**
 * How finely so many projects are told: steps a decade as preferred numbers have them (ISO 3), the buckets
 * themselves at the end. Each step holds two of the next series, so that several series say no more than
 * the finest of them.
 */
const SERIES = [
  { under: 10, steps: 5 },
  { under: 20, steps: 10 },
];

/** A bucket as it is told where `projects` hide each other: never falls where the bucket grows. */
export function toldValue(bucket: number, projects: number): number {
  const value = bucketValue(bucket);
  const series = SERIES.find(({ under }) => projects < under);
  if (value === 0 || !series) return rounded(value);
  return rounded(10 ** ((Math.floor(Math.log10(value) * series.steps) + 0.5) / series.steps));
}

/** To four digits: the fifth would say something of the arithmetic alone. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
