import type { State } from "./contract.ts";

/** A user's decision about a group. Times are milliseconds since the epoch. */
export interface Decision {
  state: "resolved" | "ignored";
  /** The id of a user. */
  by: string;
  at: number;
  /** For a resolved group: only a release that was unknown at that time reopens it. */
  inNextRelease?: boolean;
  /** For an ignored group: the count at which it is no longer ignored. */
  untilCount?: number;
  /** For an ignored group: the time at which it is no longer ignored. */
  until?: number;
}

interface Decided {
  count: number;
  decision?: Decision;
}

/**
 * Returns the state of a group. One that is ignored until a time is open from then on, even if it was not
 * seen again.
 */
export function stateOf({ decision }: Decided, now: number): State {
  if (!decision || (decision.until !== undefined && decision.until <= now)) return "open";
  return decision.state;
}

/** The change that an occurrence makes to the state of its group. */
export type StateChange = "new" | "regressed" | "unignored";

/**
 * Returns the change if an occurrence reopens a group that was decided on.
 *
 * @param group with the occurrence counted.
 * @param releaseKnownAt when the release of the occurrence was first reported, if it has one.
 */
export function stateChangeOf(
  { count, decision }: Decided,
  { at, releaseKnownAt }: { at: number; releaseKnownAt: number | undefined },
): StateChange | undefined {
  if (!decision) return undefined;
  if (decision.state === "ignored") {
    const isOver = count >= (decision.untilCount ?? Infinity) || at >= (decision.until ?? Infinity);
    return isOver ? "unignored" : undefined;
  }
  if (at <= decision.at) return undefined;
  if (!decision.inNextRelease) return "regressed";
  return releaseKnownAt !== undefined && releaseKnownAt > decision.at ? "regressed" : undefined;
}
