import type { Memory } from "./memory.ts";
import { createPeriodMeans } from "./period-means.ts";
import { createTemplateDetector } from "./template-detector.ts";

const QUARTER_MS = 900_000;
const QUARTERS = 96;
/** Weight of another day in the usual value. */
const LEARNING = 0.25;
const TOLERANCE = 0.05;
/** Weight of another point in the errors, which are thus means of about 288 points. */
const ERROR_LEARNING = 1 / 288;
/** The time of day counts if its errors are below this share of those of the mean of the day before. */
const TELLING = 0.8;
/** Errors needed for that comparison; with fewer, it would be chance. */
const MIN_ERRORS = 96;

export interface DailyView {
  /** Whether nothing is known yet of that time of day. `at` in milliseconds. */
  isNewAt(at: number): boolean;
  /**
   * Returns how strange a value is for its time of day, or undefined while the time of day says little about
   * the metric. `fromMean` is the value's distance from the mean of the day before.
   */
  score(value: number, at: number, fromMean: number): number | undefined;
}

/**
 * Learns what is usual in each quarter of an hour of the day (UTC) from the days before. Most metrics do not
 * follow the time of day. For those, this view is left out, since it would repeat the noise or outvote the
 * other views.
 */
export function createDailyView(memory: Memory): DailyView {
  const novelty = createTemplateDetector(memory, 1, TOLERANCE);
  const means = createPeriodMeans(memory);
  const isKnown = memory.take(QUARTERS);
  const usual = memory.take(QUARTERS);
  const errors = memory.take(3);
  const [BY_TIME, BY_MEAN, COUNT] = [0, 1, 2] as const;
  const residual = new Float64Array(1);

  function isTelling(): boolean {
    if ((errors[COUNT] as number) < MIN_ERRORS) return false;
    return (errors[BY_TIME] as number) < TELLING * (errors[BY_MEAN] as number);
  }

  function learn(period: number, mean: number): void {
    const quarter = quarterOf(period);
    const rate = isKnown[quarter] === 0 ? 1 : LEARNING;
    isKnown[quarter] = 1;
    usual[quarter] = (usual[quarter] as number) + rate * (mean - (usual[quarter] as number));
  }

  function learnError(which: 0 | 1, error: number): void {
    const known = errors[which] as number;
    errors[which] = known + ERROR_LEARNING * (Math.abs(error) - known);
  }

  return {
    isNewAt: (at) => isKnown[quarterOf(Math.floor(at / QUARTER_MS))] === 0,
    score(value, at, fromMean) {
      const period = Math.floor(at / QUARTER_MS);
      const ended = means.next(value, period);
      if (ended) learn(ended.period, ended.mean);
      const quarter = quarterOf(period);
      if (isKnown[quarter] === 0) return undefined;
      residual[0] = value - (usual[quarter] as number);
      learnError(BY_TIME, residual[0]);
      learnError(BY_MEAN, fromMean);
      errors[COUNT] = (errors[COUNT] as number) + 1;
      const strangeness = novelty(residual);
      return isTelling() ? strangeness : undefined;
    },
  };
}

function quarterOf(period: number): number {
  return ((period % QUARTERS) + QUARTERS) % QUARTERS;
}
