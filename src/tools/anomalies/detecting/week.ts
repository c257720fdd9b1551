import { HOUR_MS } from "../../../system/durations.ts";
import type { Memory } from "./memory.ts";
import { createPeriodMeans, type PeriodMean } from "./period-means.ts";

const HOURS = 168;
/** Weeks after which an hour of the week is known. */
const MIN_WEEKS = 3;
/** Weight of another week in the usual value, once that is known. */
const LEARNING = 0.25;
/** Minimum spread of an hour, as a share of the spread over all hours. */
const MIN_SPREAD = 0.5;
/** Number of hours that are judged together. */
const TOGETHER = 4;
/** Upper bound of the deviation that one hour counts with. */
const MAX_DEVIATION = 10;
/** Mean deviation from which the hours are strange, or deviation from which a point by itself is. */
const STRANGE = 5;
/** Mean deviation below which they are usual again. */
const OVER = 2;
/** Bound, in deviations, on what is learned from one hour. */
const MAX_LEARNED = 3;
/** Pause before a point from which on it is judged by itself, as points that come once a day are. */
const ALONE_HOURS = 12;
/** Number of points in a row that came so. */
const MIN_ALONE = 7;
const MIN_WEEKS_ALONE = 6;
/** Maximum number of hours that one point stands for. */
const DAY = 24;
/** Ratio of the mean absolute deviation to the standard deviation of a normal distribution. */
const NORMAL = 0.8;

export interface Departure {
  /** Mean of the last hour, or the value of a point that is judged by itself. */
  mean: number;
  /** Usual mean of that hour of the week. */
  usual: number;
  strangeness: number;
  /** Whether it is about the point itself, since points come once a day or more seldom. */
  alone?: true;
}

export interface Week {
  /**
   * Takes the next point. Returns a departure if the hours that ended before it are strange. `at` is in
   * milliseconds, NaN if unknown.
   */
  next(value: number, at: number): Departure | undefined;
}

/** Numbers at the end of the state that memories made before they were added do not have. */
export const ADDED = 2;

/**
 * Learns what is usual in each hour of the week (UTC) and reports when several hours in a row differ: a
 * missing peak, a Sunday like a Monday. An event is reported once, until the hours are usual again. What is usual
 * follows the metric by a quarter a week, so it stays behind one that grows: by how much on average is learned too.
 */
export function createWeek(memory: Memory): Week {
  const usual = memory.take(HOURS);
  const spread = memory.take(HOURS);
  const weeks = memory.take(HOURS);
  const deviations = memory.take(TOGETHER);
  const means = createPeriodMeans(memory);
  const state = memory.take(3 + ADDED);
  const [SPREAD, JUDGED, STRANGE_NOW, BEHIND, ALONE] = [0, 1, 2, 3, 4] as const;

  function at(index: number): number {
    return state[index] as number;
  }

  /** Ends an hour, which stands for `hours`. Returns a departure if the hours up to this one have become strange. */
  function end({ period, mean }: PeriodMean, hours: number): Departure | undefined {
    const hour = ((period % HOURS) + HOURS) % HOURS;
    const known = weeks[hour] as number;
    const before = (usual[hour] as number) + at(BEHIND);
    const scale = Math.max(spread[hour] as number, MIN_SPREAD * at(SPREAD)) / NORMAL;
    const off = known === 0 ? 0 : mean - before;
    learn(hour, off, scale, mean, hours);
    if (known < MIN_WEEKS || scale === 0) {
      state[JUDGED] = 0;
      return undefined;
    }
    const deviation = Math.max(-MAX_DEVIATION, Math.min(MAX_DEVIATION, off / scale));
    deviations[at(JUDGED) % TOGETHER] = deviation;
    state[JUDGED] = at(JUDGED) + 1;
    if (at(JUDGED) < TOGETHER) return undefined;
    const together = Math.abs(deviations.reduce((sum, each) => sum + each, 0)) / TOGETHER;
    const was = at(STRANGE_NOW) === 1;
    if (together >= STRANGE && Math.abs(deviation) >= STRANGE) state[STRANGE_NOW] = 1;
    else if (together < OVER) state[STRANGE_NOW] = 0;
    return !was && at(STRANGE_NOW) === 1
      ? { mean, usual: before, strangeness: together / STRANGE }
      : undefined;
  }

  /** Judges a point that came long after the one before it, if many did. */
  function judgeAlone(value: number, period: number): Departure | undefined {
    const hour = ((period % HOURS) + HOURS) % HOURS;
    const scale = Math.max(spread[hour] as number, at(SPREAD)) / NORMAL;
    if (at(ALONE) < MIN_ALONE || (weeks[hour] as number) < MIN_WEEKS_ALONE || scale === 0) return undefined;
    const before = (usual[hour] as number) + at(BEHIND);
    const deviation = Math.min(MAX_DEVIATION, Math.abs(value - before) / scale);
    return deviation < STRANGE
      ? undefined
      : { mean: value, usual: before, strangeness: deviation / STRANGE, alone: true };
  }

  function learn(hour: number, off: number, scale: number, mean: number, hours: number): void {
    const known = weeks[hour] as number;
    weeks[hour] = known + 1;
    if (known === 0) {
      usual[hour] = mean;
      return;
    }
    const bound = known < MIN_WEEKS ? Number.POSITIVE_INFINITY : MAX_LEARNED * scale;
    const step = Math.max(-bound, Math.min(bound, off));
    const rate = Math.max(LEARNING, 1 / (known + 1));
    usual[hour] = (usual[hour] as number) + rate * (at(BEHIND) + step);
    spread[hour] = (spread[hour] as number) + rate * (Math.abs(step) - (spread[hour] as number));
    state[SPREAD] = at(SPREAD) + (hours / HOURS) * (Math.abs(step) - at(SPREAD));
    state[BEHIND] = at(BEHIND) + (hours / HOURS) * step;
  }

  return {
    next(value, time) {
      if (Number.isNaN(time)) return undefined;
      const hour = Math.floor(time / HOUR_MS);
      const ended = means.next(value, hour);
      if (!ended) return undefined;
      const pause = hour - ended.period;
      const departure = end(ended, Math.max(1, Math.min(DAY, pause)));
      if (pause !== 1) state[JUDGED] = 0;
      state[ALONE] = pause < ALONE_HOURS ? 0 : at(ALONE) + 1;
      return departure ?? judgeAlone(value, hour);
    },
  };
}
