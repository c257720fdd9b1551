import { DAY_MS, HOUR_MS, MINUTE_MS } from "../system/durations.ts";

const FIRST_MS = 5_000;
/** The longest pause between two attempts, even if the receiver asks for more. */
export const MAX_RETRY_MS = 2 * HOUR_MS;
/** An upper bound for how far ahead any due time lies, including the end of a lease. */
export const MAX_AHEAD_MS = MAX_RETRY_MS + MINUTE_MS;
/** A delivery is given up when it has been tried for this long. */
const GIVEN_UP_AFTER_MS = DAY_MS;
/** A webhook that fails for this long is turned off. */
const MAX_FAILING_MS = 5 * DAY_MS;
/** What the time between two failures counts for at most, as the clock may have been put forward meanwhile. */
const MAX_GAP_MS = { ofDelivery: MAX_AHEAD_MS, ofWebhook: DAY_MS };
/** The number of consecutive failures from which on a webhook is paused. */
const MIN_FAILURES = 3;
/** The longest pause of a failing webhook. */
const MAX_PAUSE_MS = 5 * MINUTE_MS;

/** For how long something has failed, as of its last failure: the sum of the times in between, however the clock jumps. */
export interface Failing {
  ms: number;
  at: number;
}

/** `before`: undefined at the first failure. */
export function failingOn(before: Failing | undefined, now: number, of: keyof typeof MAX_GAP_MS): Failing {
  const gap = before ? Math.min(Math.max(0, now - before.at), MAX_GAP_MS[of]) : 0;
  return { ms: (before?.ms ?? 0) + gap, at: now };
}

export function isToTurnOff({ ms }: Failing): boolean {
  return ms >= MAX_FAILING_MS;
}

/**
 * Returns the time of the next attempt after a failed one, or undefined a day after the first. Uses exponential
 * backoff with half of the pause randomized ("equal jitter"), so that deliveries that failed together spread out.
 *
 * @param attempts made so far, at least one.
 * @param failing as of now.
 * @param chance in [0, 1).
 */
export function nextAttempt(
  { attempts, failing: { ms, at } }: { attempts: number; failing: Failing },
  chance: number,
): number | undefined {
  return ms >= GIVEN_UP_AFTER_MS ? undefined : at + pauseAfter(attempts, MAX_RETRY_MS, chance);
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
