import { createDailyView } from "./daily-view.ts";
import type { Memory } from "./memory.ts";
import { createRecent, type Recent } from "./recent.ts";
import { createRunningExtremes, createRunningMean } from "./running.ts";
import { createTemplateDetector } from "./template-detector.ts";

/** Windows in points: with five minutes between points, a day, four hours and one hour. */
export const LONG = 288;
const SHORT = 48;
const SHORTEST = 12;

/** The views of the template detectors: the number of features, and the difference that is tolerated. */
const VIEWS = [
  { name: "value, finely", width: 1, tolerance: 0.01 },
  { name: "value, coarsely", width: 1, tolerance: 0.03 },
  { name: "distance from the mean of the day before", width: 1, tolerance: 0.02 },
  { name: "value and mean of the four hours before", width: 2, tolerance: 0.05 },
  { name: "value and step", width: 2, tolerance: 0.08 },
  { name: "largest and smallest of four hours", width: 2, tolerance: 0.08 },
  { name: "mean step of four hours", width: 1, tolerance: 0.1 },
  { name: "mean of an hour from that of the day", width: 1, tolerance: 0.1 },
  { name: "mean of four hours from that of the day", width: 1, tolerance: 0.1 },
] as const;

/** Mean strangeness from which on a point is reported. */
const REPORTED = 1.4;

export interface Ensemble {
  readonly recent: Recent;
  /** Whether so little is known that only values far off can be strange. `at` as in `score`. */
  isNewAt(at: number): boolean;
  /**
   * Returns the mean strangeness of a point over all views, where 1 is worth a report. `at` is in
   * milliseconds, NaN if unknown.
   */
  score(value: number, at: number): number;
}

/**
 * Combines template detectors on different views of one series, with one on the time of day if times are
 * known and informative.
 */
export function createEnsemble(memory: Memory): Ensemble {
  const recent = createRecent(memory, LONG);
  const dayMean = createRunningMean(memory, recent, LONG);
  const hourMean = createRunningMean(memory, recent, SHORTEST);
  const hoursMean = createRunningMean(memory, recent, SHORT);
  const steps = createRecent(memory, SHORT);
  const meanStep = createRunningMean(memory, steps, SHORT);
  const extremes = createRunningExtremes(memory, recent, SHORT);
  const detectors = VIEWS.map(({ width, tolerance }) => createTemplateDetector(memory, width, tolerance));
  const daily = createDailyView(memory);
  const features = [new Float64Array(1), new Float64Array(2)] as const;

  function lookUp(view: number, first: number, second = 0): number {
    const vector = features[(VIEWS[view] as { width: number }).width - 1] as Float64Array;
    vector[0] = first;
    if (vector.length > 1) vector[1] = second;
    return (detectors[view] as (typeof detectors)[number])(vector);
  }

  return {
    recent,
    isNewAt: (at) => recent.seen() < LONG || (!Number.isNaN(at) && daily.isNewAt(at)),
    score(value, at) {
      const previous = recent.count() > 0 ? recent.back(0) : value;
      const fromDay = value - dayMean.of(value);
      const nearMean = hoursMean.of(value);
      const largest = Math.max(value, extremes.largest(value));
      const smallest = Math.min(value, extremes.smallest(value));
      const step = Math.abs(value - previous);
      dayMean.add(value);
      hourMean.add(value);
      hoursMean.add(value);
      extremes.add(value);
      meanStep.add(step);
      steps.push(step);
      recent.push(value);
      const total =
        lookUp(0, value) +
        lookUp(1, value) +
        lookUp(2, fromDay) +
        lookUp(3, value, nearMean) +
        lookUp(4, value, value - previous) +
        lookUp(5, largest, smallest) +
        lookUp(6, meanStep.of(step)) +
        lookUp(7, hourMean.of(value) - dayMean.of(value)) +
        lookUp(8, hoursMean.of(value) - dayMean.of(value));
      const byTime = Number.isNaN(at) ? undefined : daily.score(value, at, fromDay);
      const mean = byTime === undefined ? total / VIEWS.length : (total + byTime) / (VIEWS.length + 1);
      return mean / REPORTED;
    },
  };
}
