import type { LimitWindow, Verdict, WindowState } from "./store.ts";

/**
 * The arithmetic of rate-limit windows.
 *
 * Clocks jump. A fixed window belongs to the wall clock: its record remembers the last two windows it
 * was used in, so that a clock that jumps away and comes back finds what was used already, neither
 * more nor less, and nobody is locked out by a window that lies in the future. A bucket only needs to
 * know how much time has passed: it is best fed from a clock that does not jump.
 */
export interface WindowRecord {
  /** Bucket: tokens left at `at`. Fixed: requests used in the window that begins at `at`. */
  value: number;
  /** Milliseconds since the epoch. */
  at: number;
  /** Fixed: the window that was used before this one, not always an earlier one. */
  other?: { value: number; at: number };
}

/** The record as it stands now: refilled, or of the window that is now. */
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

/** A clock that ran backwards refills nothing, and what is to come counts from where it is now. */
function refill(window: LimitWindow, record: WindowRecord | undefined, now: number): WindowRecord {
  if (!record) return { value: window.capacity, at: now };
  const gained = Math.max(0, now - record.at) / msPerToken(window);
  return { value: Math.min(window.capacity, record.value + gained), at: now };
}

/**
 * A record that was kept over a restart, before which the clock may have been ahead: waiting for it to get
 * there again would lock out whoever used the bucket up.
 */
export function notAhead(record: WindowRecord, now: number): WindowRecord {
  return record.at > now ? { ...record, at: now } : record;
}

/**
 * Takes from every window or, where one is short, from none.
 *
 * @param records as they stand now, one for each window
 * @param now on the wall clock
 * @param onTaken is told what is left of each that was taken from
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

/** What an advanced record still admits. */
export function remaining(window: LimitWindow, record: WindowRecord): number {
  return window.kind === "fixed" ? Math.max(0, window.capacity - record.value) : record.value;
}

/** Tokens are fractions: their rounding must not refuse at the very instant that `nextAt` named. */
const ROUNDING = 1e-9;

/** What must be left for an admission. */
export function needed(window: LimitWindow): number {
  return (window.cost || 1) - ROUNDING;
}

/** An advanced record after one admission. */
export function take(window: LimitWindow, record: WindowRecord): WindowRecord {
  const cost = window.cost ?? 1;
  return { ...record, value: record.value + (window.kind === "fixed" ? cost : -cost) };
}

/** How an advanced record looks to those who ask. */
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

/** After this time without a request a record says nothing that a new one would not. */
export function retentionMs(window: LimitWindow): number {
  return window.kind === "fixed" ? 2 * window.windowMs : window.capacity * msPerToken(window);
}

function msPerToken(window: LimitWindow): number {
  return window.windowMs / (window.refill ?? window.capacity);
}
