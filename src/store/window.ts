import type { LimitWindow, Verdict, WindowState } from "./store.ts";

/**
 * The state of a rate-limit window. The arithmetic on it is in this file.
 *
 * Clocks jump. A fixed window belongs to the wall clock. Its record remembers the last two windows in use, so that a
 * clock that jumps away and back finds exactly what was used, and a window in the future locks nobody out. A bucket
 * only depends on elapsed time, so its clock should not jump.
 */
export interface WindowRecord {
  /** Bucket: tokens left at `at`. Fixed: requests used in the window that begins at `at`. */
  value: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** Fixed: the window that was used before this one, which need not be an earlier one. */
  other?: { value: number; at: number };
}

/** Returns the record as of now: refilled, or for the current window. */
export function advance(window: LimitWindow, record: WindowRecord | undefined, now: number): WindowRecord {
  return window.kind === "fixed" ? enter(window, record, now) : refill(window, record, now);
}

function enter(window: LimitWindow, record: WindowRecord | undefined, now: number): WindowRecord {
  const at = Math.floor(now / window.windowMs) * window.windowMs;
  if (!record) return { value: 0, at };
  if (record.at === at) return record;
  return {
    value: record.other?.at === at ? record.other.value : 0,
    at,
    other: { value: record.value, at: record.at },
  };
}

/** A clock that ran backwards refills nothing. Later refills count from its new time. */
function refill(window: LimitWindow, record: WindowRecord | undefined, now: number): WindowRecord {
  if (!record) return { value: window.capacity, at: now };
  const gained = Math.max(0, now - record.at) / msPerToken(window);
  return { value: Math.min(window.capacity, record.value + gained), at: now };
}

/**
 * Moves a record that is ahead back to now. It may be from before a restart, when the clock was ahead: without this, a
 * caller with an empty bucket would be locked out until the clock has caught up.
 */
export function notAhead(record: WindowRecord, now: number): WindowRecord {
  return record.at > now ? { ...record, at: now } : record;
}

/**
 * Takes from all windows or, if any is short, from none.
 *
 * @param records as of now, one for each window
 * @param now by the wall clock
 * @param onTaken gets the new record of each window that was taken from
 */
export function admit(
  windows: readonly LimitWindow[],
  records: readonly WindowRecord[],
  now: number,
  onTaken: (window: LimitWindow, record: WindowRecord) => void,
): Verdict {
  const pairs = windows.map((window, index) => [window, records[index] as WindowRecord] as const);
  const admitted = pairs.every(([window, record]) => remaining(window, record) >= needed(window));
  return {
    admitted,
    windows: pairs.map(([window, record]) => {
      if (!admitted || window.cost === 0) return stateOf(window, record, now);
      const taken = take(window, record);
      onTaken(window, taken);
      return stateOf(window, taken, now);
    }),
  };
}

/** Returns what an advanced record still admits. */
export function remaining(window: LimitWindow, record: WindowRecord): number {
  return window.kind === "fixed" ? Math.max(0, window.capacity - record.value) : record.value;
}

/** Tokens are fractions: rounding must not refuse a request at the very instant that `nextAt` gave. */
const ROUNDING = 1e-9;

/** Returns what must be left for an admission. */
export function needed(window: LimitWindow): number {
  return (window.cost || 1) - ROUNDING;
}

/** Returns an advanced record after one admission. */
export function take(window: LimitWindow, record: WindowRecord): WindowRecord {
  const cost = window.cost ?? 1;
  return { ...record, value: record.value + (window.kind === "fixed" ? cost : -cost) };
}

/** Returns the state of an advanced record, for callers. */
export function stateOf(window: LimitWindow, record: WindowRecord, now: number): WindowState {
  const left = remaining(window, record);
  const missing = needed(window) - left;
  if (window.kind === "fixed") {
    const resetAt = record.at + window.windowMs;
    return { remaining: left, resetAt, nextAt: missing <= 0 ? now : resetAt };
  }
  return {
    remaining: left,
    resetAt: Math.ceil(now + (window.capacity - left) * msPerToken(window)),
    nextAt: missing <= 0 ? now : Math.ceil(now + missing * msPerToken(window)),
  };
}

/** Returns the time without a request after which a record is no different from a new one. */
export function retentionMs(window: LimitWindow): number {
  return window.kind === "fixed" ? 2 * window.windowMs : window.capacity * msPerToken(window);
}

function msPerToken(window: LimitWindow): number {
  return window.windowMs / (window.refill ?? window.capacity);
}
