import { rounded } from "./buckets.ts";

/** Four values are not significant at 5 %, even on a straight line. */
const MIN_VALUES = 5;
/** Two-sided 5 % of the normal distribution. */
const SIGNIFICANT = 1.96;

export interface Trend {
  direction: "improving" | "worsening" | "steady" | "insufficient_data";
  /** Change from one measurement to the next. */
  slope: number | null;
}

/**
 * Returns the median of the slopes between all pairs of measurements (Theil 1950, Sen 1968), which is robust
 * to a few outliers. The trend has a direction only if Kendall's S is significant (Mann 1945).
 */
export function trendOf(values: readonly number[], better: "lower" | "higher"): Trend {
  if (values.length < MIN_VALUES) return { direction: "insufficient_data", slope: null };
  const slopes: number[] = [];
  let score = 0;
  for (const [start, from] of values.entries()) {
    for (let end = start + 1; end < values.length; end++) {
      const change = (values[end] as number) - from;
      slopes.push(change / (end - start));
      score += Math.sign(change);
    }
  }
  const slope = rounded(median(slopes));
  const deviation = Math.sqrt(variance(values));
  const significant = deviation > 0 && (Math.abs(score) - 1) / deviation > SIGNIFICANT;
  if (!significant) return { direction: "steady", slope };
  return { direction: score > 0 === (better === "higher") ? "improving" : "worsening", slope };
}

/** Returns the variance of Kendall's S without a trend, corrected for ties. */
function variance(values: readonly number[]): number {
  const ties = new Map<number, number>();
  for (const value of values) ties.set(value, (ties.get(value) ?? 0) + 1);
  const part = (count: number) => count * (count - 1) * (2 * count + 5);
  const tied = [...ties.values()].reduce((sum, count) => sum + part(count), 0);
  return (part(values.length) - tied) / 18;
}

function median(values: number[]): number {
  const sorted = values.sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
