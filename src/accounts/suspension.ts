/** What can be suspended: an account, a user, a key. */
interface Suspendable {
  /** Milliseconds since the epoch. */
  suspendedAt?: number | undefined;
}

/**
 * Returns since when something is suspended, or archived, after a change.
 *
 * @param before since when it was
 * @param asked as in the change; undefined changes nothing
 */
export function sinceAfter(
  before: number | undefined,
  asked: boolean | undefined,
  now: number,
): number | undefined {
  if (asked === undefined) return before;
  return asked ? (before ?? now) : undefined;
}

/** Returns the audit log's action for a change: `key.suspended`, `key.resumed`, or else `key.updated`. */
export function changeAction(kind: "account" | "key", before: Suspendable, after: Suspendable): string {
  if ((before.suspendedAt === undefined) === (after.suspendedAt === undefined)) return `${kind}.updated`;
  return after.suspendedAt === undefined ? `${kind}.resumed` : `${kind}.suspended`;
}
