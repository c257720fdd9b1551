/** What can be suspended: an account, a user, a key. */
interface Suspendable {
  /** Milliseconds since the epoch. */
  suspendedAt?: number | undefined;
}

/**
 * Returns since when something is suspended after a change.
 *
 * @param suspended as in the change; undefined changes nothing.
 */
export function suspendedSince(
  { suspendedAt }: Suspendable,
  suspended: boolean | undefined,
  now: number,
): number | undefined {
  if (suspended === undefined) return suspendedAt;
  return suspended ? (suspendedAt ?? now) : undefined;
}

/** Returns the audit log's action for a change: `key.suspended`, `key.resumed`, or else `key.updated`. */
export function changeAction(kind: "account" | "key", before: Suspendable, after: Suspendable): string {
  if ((before.suspendedAt === undefined) === (after.suspendedAt === undefined)) return `${kind}.updated`;
  return after.suspendedAt === undefined ? `${kind}.resumed` : `${kind}.suspended`;
}
