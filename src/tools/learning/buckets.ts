/**
 * Logarithmic buckets, about 1 % wide, after DDSketch (Masson, Rim, Lee: "DDSketch: a fast and
 * fully-mergeable quantile sketch with relative-error guarantees", VLDB 2019). A bucket's value has a
 * relative error of at most `ERROR` for all values in it. Counts of buckets can be added and, unlike the
 * centroids of a t-digest, subtracted again.
 */
const ERROR = 0.005;
const GAMMA = (1 + ERROR) / (1 - ERROR);
const LOG_GAMMA = Math.log(GAMMA);
/** Smaller values count as zero. */
const SMALLEST = 1e-9;
/** The bucket of zero, below that of the smallest value. */
const ZERO = -10_000;

export function bucketOf(value: number): number {
  return value < SMALLEST ? ZERO : Math.ceil(Math.log(value) / LOG_GAMMA);
}

/** Returns the value that stands for all values of a bucket. */
export function bucketValue(bucket: number): number {
  return bucket === ZERO ? 0 : (2 * GAMMA ** bucket) / (GAMMA + 1);
}

/**
 * Resolution of published values, by number of projects: steps per decade, as in the series of preferred
 * numbers (ISO 3). With more projects, the buckets themselves are published. Each step holds exactly two of
 * the next series, so that values published in several series reveal no more than those in the finest.
 */
const SERIES = [
  { under: 10, steps: 5 },
  { under: 20, steps: 10 },
];

/**
 * Returns the published value of a bucket where `projects` projects hide each other. It never falls as the
 * bucket grows.
 */
export function publishedValue(bucket: number, projects: number): number {
  const value = bucketValue(bucket);
  const series = SERIES.find(({ under }) => projects < under);
  if (value === 0 || !series) return rounded(value);
  return rounded(10 ** ((Math.floor(Math.log10(value) * series.steps) + 0.5) / series.steps));
}

/** Rounds to four significant digits; a fifth would only reflect the arithmetic. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
