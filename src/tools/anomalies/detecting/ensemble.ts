import type { Memory } from "./memory.ts";
import { createRecent, type Recent } from "./recent.ts";
import { createRunningExtremes, createRunningMean } from "./running.ts";
import { createTemplateDetector } from "./template-detector.ts";

/** With five minutes between points: a day, four hours, and one. */
export const LONG = 288;
const SHORT = 48;
const SHORTEST = 12;

const DAY_MS = 86_400_000;
const BUCKETS = 96;
const BUCKET_LEARNING = 0.1;

/** What each template detector looks at, how many features that has and how much difference is tolerated. */
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
const DAILY_TOLERANCE = 0.05;

/** Mean strangeness from which on a point is reported. */
const REPORTED = 1.45;

export interface Ensemble {
  readonly recent: Recent;
  /**
   * The mean strangeness of a point over all views, where 1 is worth a report. `at` in milliseconds; NaN
   * where it is unknown.
   */
  score(value: number, at: number): number;
}

/** Template detectors on different views of one series; where times are known, one on the time of day. */
export function createEnsemble(memory: Memory): Ensemble {
  const recent = createRecent(memory, LONG);
  const dayMean = createRunningMean(memory, recent, LONG);
  const hourMean = createRunningMean(memory, recent, SHORTEST);
  const hoursMean = createRunningMean(memory, recent, SHORT);
  const steps = createRecent(memory, SHORT);
  const meanStep = createRunningMean(memory, steps, SHORT);
  const extremes = createRunningExtremes(memory, recent, SHORT);
  const detectors = VIEWS.map(({ width, tolerance }) => createTemplateDetector(memory, width, tolerance));
  const daily = createTemplateDetector(memory, 1, DAILY_TOLERANCE);
  /** By quarter of an hour: whether it was seen, and its usual value. */
  const bucketSeen = memory.take(BUCKETS);
  const usual = memory.take(BUCKETS);
  const features = [new Float64Array(1), new Float64Array(2)] as const;

  function lookUp(view: number, first: number, second = 0): number {
    const vector = features[(VIEWS[view] as { width: number }).width - 1] as Float64Array;
    vector[0] = first;
    if (vector.length > 1) vector[1] = second;
    return (detectors[view] as (typeof detectors)[number])(vector);
  }

  function dailyScore(value: number, at: number): number {
    const bucket = Math.floor((((at % DAY_MS) + DAY_MS) % DAY_MS) / (DAY_MS / BUCKETS));
    if (bucketSeen[bucket] === 0) usual[bucket] = value;
    bucketSeen[bucket] = 1;
    const residual = value - (usual[bucket] as number);
    usual[bucket] = (usual[bucket] as number) + BUCKET_LEARNING * residual;
    features[0][0] = residual;
    return daily(features[0]);
  }

  return {
    recent,
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
      if (Number.isNaN(at)) return total / VIEWS.length / REPORTED;
      return (total + dailyScore(value, at)) / (VIEWS.length + 1) / REPORTED;
    },
  };
}
