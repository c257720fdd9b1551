const FIRST_MS = 5_000;
/** Between two attempts, whatever the receiver asks for. */
export const MAX_RETRY_MS = 2 * 60 * 60_000;
/** No time for an attempt lies further ahead than this, a turn of somebody's included. */
export const MAX_AHEAD_MS = MAX_RETRY_MS + 60_000;
const PERSISTS_MS = 24 * 60 * 60_000;

/**
 * When an attempt that failed is followed by another: exponentially later, with half of the pause left to chance
 * ("equal jitter"), so that many who failed together do not come again together. Undefined a day after the first.
 *
 * @param attempts made so far, at least one.
 * @param chance in [0, 1).
 */
export function nextAttempt(
  { attempts, firstAt }: { attempts: number; firstAt: number },
  now: number,
  chance: number,
): number | undefined {
  if (now - firstAt >= PERSISTS_MS) return undefined;
  return now + pauseAfter(attempts, MAX_RETRY_MS, chance);
}

/** Whether a time has come, or was set by a clock that was far ahead and has been put right: nobody waits for that. */
export function hasCome(at: number, now: number): boolean {
  return at <= now || at > now + MAX_AHEAD_MS;
}

/** A webhook that fails again and again is left alone for so long, whatever waits for it. */
export function pauseOf(failures: number, chance: number): number {
  return failures < PATIENCE ? 0 : pauseAfter(failures - PATIENCE + 1, MAX_PAUSE_MS, chance);
}

/** Failures in succession. */
const PATIENCE = 3;
const MAX_PAUSE_MS = 5 * 60_000;

function pauseAfter(times: number, longest: number, chance: number): number {
  const whole = Math.min(FIRST_MS * 2 ** (times - 1), longest);
  return Math.round((whole * (1 + chance)) / 2);
}
