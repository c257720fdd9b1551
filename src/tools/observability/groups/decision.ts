import type { State } from "./contract.ts";

/** What somebody decided about a group. Times are milliseconds since the epoch. */
export interface Decision {
  state: "resolved" | "ignored";
  /** The id of a user. */
  by: string;
  at: number;
  /** Of what is resolved: only a release that was not known then brings it back. */
  inNextRelease?: boolean;
  /** Of what is ignored: the count of the group, or the time, at which that ends. */
  untilCount?: number;
  until?: number;
}

interface Decided {
  count: number;
  decision?: Decision;
}

/** What is ignored until a time is open from then on, whether it was seen again or not. */
export function stateOf({ decision }: Decided, now: number): State {
  if (!decision || (decision.until !== undefined && decision.until <= now)) return "open";
  return decision.state;
}

/** What an occurrence means to whoever wants to hear of errors. */
export type Turn = "new" | "regressed" | "unignored";

/**
 * Whether an occurrence opens again what was decided on.
 *
 * @param group with the occurrence counted.
 * @param releaseKnownAt when the project's programs first told of the release of the occurrence, if it has one.
 */
export function turnOf(
  { count, decision }: Decided,
  { at, releaseKnownAt }: { at: number; releaseKnownAt: number | undefined },
): Turn | undefined {
  if (!decision) return undefined;
  if (decision.state === "ignored") {
    const isOver = count >= (decision.untilCount ?? Infinity) || at >= (decision.until ?? Infinity);
    return isOver ? "unignored" : undefined;
  }
  if (at <= decision.at) return undefined;
  if (!decision.inNextRelease) return "regressed";
  return releaseKnownAt !== undefined && releaseKnownAt > decision.at ? "regressed" : undefined;
}
