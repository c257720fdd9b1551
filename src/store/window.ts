import type { LimitWindow, WindowState } from "./store.ts";

/** What is remembered of a window: tokens left at an instant (bucket) or used since a start (fixed). */
export interface WindowRecord {
  /** Bucket: tokens left at `at`. Fixed: requests used in the window that begins at `at`. */
  value: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The record as it stands now: refilled, or begun anew. */
export function advance(window: LimitWindow, record: WindowRecord | undefined, now: number): WindowRecord {
  if (window.kind === "fixed") {
    const start = Math.floor(now / window.windowMs) * window.windowMs;
    return record && record.at >= start ? record : { value: 0, at: start };
  }
  if (!record) return { value: window.capacity, at: now };
  // A clock that ran backwards refills nothing and takes nothing.
  const elapsed = Math.max(0, now - record.at);
  const gained = (elapsed / window.windowMs) * (window.refill ?? window.capacity);
  return { value: Math.min(window.capacity, record.value + gained), at: Math.max(now, record.at) };
}

/** What an advanced record still admits. */
export function remaining(window: LimitWindow, record: WindowRecord): number {
  return window.kind === "fixed" ? Math.max(0, window.capacity - record.value) : record.value;
}

/** An advanced record after one admission. */
export function take(window: LimitWindow, record: WindowRecord): WindowRecord {
  const cost = window.cost ?? 1;
  return { at: record.at, value: record.value + (window.kind === "fixed" ? cost : -cost) };
}

/** How an advanced record looks to those who ask. */
export function stateOf(window: LimitWindow, record: WindowRecord, now: number): WindowState {
  const left = remaining(window, record);
  if (window.kind === "fixed") {
    const resetAt = record.at + window.windowMs;
    return { remaining: left, resetAt, nextAt: left >= 1 ? now : resetAt };
  }
  const msPerToken = window.windowMs / (window.refill ?? window.capacity);
  return {
    remaining: left,
    resetAt: Math.ceil(now + (window.capacity - left) * msPerToken),
    nextAt: left >= 1 ? now : Math.ceil(now + (1 - left) * msPerToken),
  };
}
