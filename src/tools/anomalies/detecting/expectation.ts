/** Where a value was to be expected, given those before it. */
export interface Expectation {
  low: number;
  mid: number;
  high: number;
}

/** The middle 98 % and the median of some values, of three or more without the outermost; at least one. */
export function expectationOf(values: Float64Array): Expectation {
  const sorted = values.toSorted();
  const last = sorted.length - 1;
  // Whole values: somewhere between the last two of sixty, one outlier would say what is usual.
  const outside = Math.min(Math.ceil(0.01 * last), Math.floor(last / 2));
  return {
    low: sorted[outside] as number,
    mid: quantile(sorted, 0.5),
    high: sorted[last - outside] as number,
  };
}

/** 1 where a value is above the usual by more than a margin, -1 below. */
export function sideOf(value: number, { low, high }: Expectation, margin: number): -1 | 0 | 1 {
  return value > high + margin ? 1 : value < low - margin ? -1 : 0;
}

/**
 * Whether a value is beyond the usual, where that varies, but by no more than one step of what is counted:
 * two errors where there were none or one come by chance.
 */
export function isOneStepBeyond(value: number, expected: Expectation, step: number): boolean {
  if (expected.low === expected.high) return false;
  return sideOf(value, expected, 0) !== 0 && sideOf(value, expected, step) === 0;
}

/** How many usual deviations a value is from the median: infinite where all others are equal. */
export function deviation(value: number, values: Float64Array): number {
  const median = quantile(values.toSorted(), 0.5);
  const distances = values.map((each) => Math.abs(each - median)).sort();
  const distance = Math.abs(value - median);
  if (distance === 0) return 0;
  // 1.4826 makes the median of absolute deviations a standard deviation, were the values normal.
  const usual = 1.4826 * quantile(distances, 0.5);
  if (usual > 0) return distance / usual;
  // More than half are equal: the mean deviation of the rest, scaled likewise.
  return distance / (1.2533 * (distances.reduce((sum, each) => sum + each, 0) / distances.length));
}

/** Linear between the two nearest. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (at - below);
}
