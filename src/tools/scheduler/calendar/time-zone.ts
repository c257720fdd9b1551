import { DAY_MS, MINUTE_MS } from "../../../system/durations.ts";

/**
 * Converts between instants, in milliseconds since 1970, and local times, in the milliseconds at which a UTC
 * clock shows the same time.
 */
export interface TimeZone {
  /** Returns the instant of a local time. If clocks are put forward past that time, it is as much later. */
  instantOf(local: number): number;
  /** Formats an instant as ISO 8601 with the offset, to the second or, if it has a fraction, the millisecond. */
  textOf(instant: number): string;
}

/** @throws RangeError for a name that is not in the IANA database. */
export function createTimeZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  /** Offsets by day; undefined for a day on which the offset changes. */
  const offsets = new Map<number, number | undefined>();

  function measured(instant: number): number {
    const second = Math.floor(instant / 1000) * 1000;
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(second)) parts[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second: seconds } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
  }

  function offsetAt(instant: number): number {
    const day = Math.floor(instant / DAY_MS);
    if (!offsets.has(day)) {
      const begin = measured(day * DAY_MS);
      offsets.set(day, begin === measured((day + 1) * DAY_MS) ? begin : undefined);
    }
    return offsets.get(day) ?? measured(instant);
  }

  return {
    instantOf(local) {
      const before = local - offsetAt(local - DAY_MS);
      if (before + offsetAt(before) === local) return before;
      const after = local - offsetAt(local + DAY_MS);
      return after + offsetAt(after) === local ? after : before;
    },
    textOf(instant) {
      const offset = offsetAt(instant);
      const text = new Date(instant + offset)
        .toISOString()
        .slice(0, -1)
        .replace(/\.000$/, "");
      const minutes = Math.round(Math.abs(offset) / MINUTE_MS);
      const two = (value: number) => String(value).padStart(2, "0");
      return `${text}${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
    },
  };
}
