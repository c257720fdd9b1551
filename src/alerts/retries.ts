import { DAY_MS, HOUR_MS, MINUTE_MS } from "../system/durations.ts";

const FIRST_MS = 5_000;
/** The longest pause between two attempts, even if the receiver asks for more. */
export const MAX_RETRY_MS = 2 * HOUR_MS;
/** An upper bound for how far ahead any due time lies, including the end of a lease. */
export const MAX_AHEAD_MS = MAX_RETRY_MS + MINUTE_MS;
/** A delivery is given up when it has been tried for this long. */
const GIVEN_UP_AFTER_MS = DAY_MS;
/** The number of consecutive failures from which on a webhook is paused. */
const MIN_FAILURES = 3;
/** The longest pause of a failing webhook. */
const MAX_PAUSE_MS = 5 * MINUTE_MS;

/**
 * Returns the time of the next attempt after a failed one, or undefined a day after the first. Uses exponential
 * backoff with half of the pause randomized ("equal jitter"), so that deliveries that failed together spread out.
 *
 * @param attempts made so far, at least one.
 * @param chance in [0, 1).
 */
export function nextAttempt(
  { attempts, firstAt }: { attempts: number; firstAt: number },
  now: number,
  chance: number,
): number | undefined {
  if (now - firstAt >= GIVEN_UP_AFTER_MS) return undefined;
  return now + pauseAfter(attempts, MAX_RETRY_MS, chance);
}

/** Whether a time has come. True for times too far ahead, which a clock must have set that has been corrected since. */
export function isDue(at: number, now: number): boolean {
  return at <= now || at > now + MAX_AHEAD_MS;
}

/** Returns the pause of a failing webhook, which applies to all of its deliveries. */
export function pauseOf(failures: number, chance: number): number {
  return failures < MIN_FAILURES ? 0 : pauseAfter(failures - MIN_FAILURES + 1, MAX_PAUSE_MS, chance);
}

function pauseAfter(times: number, longest: number, chance: number): number {
  const whole = Math.min(FIRST_MS * 2 ** (times - 1), longest);
  return Math.round((whole * (1 + chance)) / 2);
}
