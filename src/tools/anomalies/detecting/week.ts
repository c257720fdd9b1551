import type { Memory } from "./memory.ts";
import { createPeriodMeans, type PeriodMean } from "./period-means.ts";

const HOUR_MS = 3_600_000;
const HOURS = 168;
/** An hour of the week is known after so many of it. */
const MIN_WEEKS = 3;
/** What one more week moves what is usual, once it is known. */
const LEARNING = 0.25;
/** Of the spread over all hours, what each has at least. */
const MIN_SPREAD = 0.5;
/** So many hours together are judged; what one of them can add is bounded. */
const TOGETHER = 4;
const MAX_DEVIATION = 10;
/** Mean deviation from which on they are strange, and below which that is over. */
const STRANGE = 5;
const OVER = 2;
/** From one hour further off than so many deviations, no more is learned. */
const MAX_LEARNED = 3;
/** A mean absolute deviation is that share of a standard deviation, were the values normal. */
const NORMAL = 0.8;

export interface Departure {
  /** The mean of the last hour, and what it was in that hour of the weeks before. */
  mean: number;
  usual: number;
  strangeness: number;
}

export interface Week {
  /** What there is to say about the hours that ended before a point. `at` in milliseconds, NaN where unknown. */
  next(value: number, at: number): Departure | undefined;
}

/**
 * Learns what is usual in each hour of the week (UTC) and says where several hours in a row are otherwise: a
 * peak that does not come, a Sunday like a Monday. Such an event is told once, until the hours are usual again.
 */
export function createWeek(memory: Memory): Week {
  const usual = memory.take(HOURS);
  const spread = memory.take(HOURS);
  const weeks = memory.take(HOURS);
  const deviations = memory.take(TOGETHER);
  const means = createPeriodMeans(memory);
  const state = memory.take(3);
  const [SPREAD, JUDGED, STRANGE_NOW] = [0, 1, 2] as const;

  function at(index: number): number {
    return state[index] as number;
  }

  /** Ends an hour, and says how strange those are that end with it. */
  function end({ period, mean }: PeriodMean): Departure | undefined {
    const hour = ((period % HOURS) + HOURS) % HOURS;
    const known = weeks[hour] as number;
    const before = usual[hour] as number;
    const scale = Math.max(spread[hour] as number, MIN_SPREAD * at(SPREAD)) / NORMAL;
    const off = known === 0 ? 0 : mean - before;
    learn(hour, off, scale, mean);
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

  function learn(hour: number, off: number, scale: number, mean: number): void {
    const known = weeks[hour] as number;
    weeks[hour] = known + 1;
    if (known === 0) {
      usual[hour] = mean;
      return;
    }
    const bound = known < MIN_WEEKS ? Number.POSITIVE_INFINITY : MAX_LEARNED * scale;
    const step = Math.max(-bound, Math.min(bound, off));
    const rate = Math.max(LEARNING, 1 / (known + 1));
    usual[hour] = (usual[hour] as number) + rate * step;
    spread[hour] = (spread[hour] as number) + rate * (Math.abs(step) - (spread[hour] as number));
    state[SPREAD] = at(SPREAD) + (Math.abs(step) - at(SPREAD)) / HOURS;
  }

  return {
    next(value, time) {
      if (Number.isNaN(time)) return undefined;
      const hour = Math.floor(time / HOUR_MS);
      const ended = means.next(value, hour);
      if (!ended) return undefined;
      const departure = end(ended);
      if (hour !== ended.period + 1) state[JUDGED] = 0;
      return departure;
    },
  };
}
