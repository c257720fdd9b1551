import { DAY_MS } from "./durations.ts";

/** The source of time for the whole program, so that tests can replace it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. May jump forwards and backwards. */
  now(): number;
  /** Milliseconds from an arbitrary start that never decrease, for durations and deadlines. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason once it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `work` every `ms` milliseconds without keeping the process alive. Returns a function that stops it. */
  every(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => {
    // `performance` would load a module, which costs a short command two milliseconds.
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, ms);
      function abort(): void {
        clearTimeout(timer);
        reject(signal?.reason);
      }
      signal?.addEventListener("abort", abort, { once: true });
    }),
  every: (ms, work) => {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};

/**
 * Does `work` every `ms` milliseconds, but not again before it is done. Returns a function that stops that, and resolves
 * once nothing goes on.
 *
 * @param work must not reject
 * @param atOnce whether it is also done now
 */
export function repeat(
  clock: Pick<Clock, "every">,
  ms: number,
  work: () => Promise<void>,
  { atOnce = false } = {},
): () => Promise<void> {
  let running: Promise<void> | undefined;
  function tick(): void {
    running ??= work().finally(() => {
      running = undefined;
    });
  }
  if (atOnce) tick();
  const stop = clock.every(ms, tick);
  return async () => {
    stop();
    await running;
  };
}

/** Formats as ISO 8601 UTC with milliseconds, the form of every `…At` member. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Names an end for people, in UTC: a day that something lasts until the end of, or a minute. */
export function endInWords(at: number): string {
  const [day, time] = [iso(at).slice(0, 10), iso(at).slice(11, 16)];
  return at % DAY_MS === DAY_MS - 1 ? day : `${day} ${time} UTC`;
}

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?)?$/i;

/**
 * Parses a date or time of ISO 8601, also as git and `date` write its zone (`2026-11-01 09:00:00 +0100`), to milliseconds
 * like `Date.parse`. Returns NaN for all else that `Date.parse` takes, such as 5 (May 2001), and for a day that the calendar
 * lacks, such as 2027-02-31, which it moves into the next month.
 */
export function parseTime(text: string): number {
  const [, year, month, day] = TIME.exec(text) ?? [];
  const isDay =
    day !== undefined && new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() >= Number(day);
  return isDay ? Date.parse(text) : Number.NaN;
}
