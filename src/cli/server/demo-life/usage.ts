import { HOUR_MS } from "../../../system/durations.ts";
import type { Rhythm, Use } from "./cast.ts";
import type { Chance } from "./chance.ts";

/** Uses of one kind, in the form that the API takes. */
export interface UsedEvent {
  event: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
  /** At most 100. */
  count: number;
  payload: { tool: string };
}

/** The relative weights of the 24 hours of a day. */
const RHYTHMS: Record<Rhythm, readonly number[]> = {
  office: [0, 0, 0, 0, 0, 1, 2, 6, 10, 13, 12, 10, 7, 10, 12, 11, 9, 6, 3, 2, 1, 1, 0, 0],
  always: [4, 3, 3, 3, 3, 4, 5, 7, 9, 10, 10, 9, 9, 10, 10, 10, 9, 8, 8, 7, 7, 6, 5, 4],
  night: [2, 20, 30, 12, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
};
const AT_WEEKENDS: Record<Rhythm, number> = { office: 0.12, always: 0.65, night: 1 };

/** The largest count of one event. */
const MAX_COUNT = 100;

/** Returns the uses of a person or a program on the day that begins at `day`, up to `until`. */
export function usesOfDay(
  { perDay, rhythm, uses }: { perDay: number; rhythm: Rhythm; uses: readonly Use[] },
  day: number,
  until: number,
  chance: Chance,
): UsedEvent[] {
  const weights = RHYTHMS[rhythm];
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const weekday = new Date(day).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  const total = chance.about(perDay, 0.25) * (isWeekend ? AT_WEEKENDS[rhythm] : 1);
  const events: UsedEvent[] = [];
  weights.forEach((weight, hour) => {
    const timestamp = day + hour * HOUR_MS + Math.floor(chance.next() * HOUR_MS);
    for (const { event, tool, share } of uses) {
      let left = Math.round(chance.about((total * weight * share) / whole, 0.4));
      for (; left > 0 && timestamp <= until; left -= MAX_COUNT) {
        events.push({ event, timestamp, count: Math.min(left, MAX_COUNT), payload: { tool } });
      }
    }
  });
  return events;
}
