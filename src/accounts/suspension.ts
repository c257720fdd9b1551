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

/** Returns the audit log's action for a change of a key. */
export function changeAction(before: Suspendable, after: Suspendable): string {
  if ((before.suspendedAt === undefined) === (after.suspendedAt === undefined)) return "key.updated";
  return after.suspendedAt === undefined ? "key.resumed" : "key.suspended";
}
