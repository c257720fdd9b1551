import type { Space, Transaction } from "../../store/store.ts";
import type { Source } from "./contract.ts";
import {
  type ErrorGroupDocument,
  errorGroups,
  errorGroupsByTime,
  fingerprintIn,
  timeId,
} from "./documents.ts";
import type { GroupChange } from "./group-alert.ts";
import type { Occurrence } from "./occurrence.ts";

/** Of a project; the one seen longest ago gives way. */
export const MAX_GROUPS = 1000;
/** From when an error was last seen. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Adds an occurrence to its group. What that means to the group is what its people hear of, if anything. */
export async function record(
  tx: Transaction,
  space: Space,
  occurrence: Occurrence,
): Promise<GroupChange | undefined> {
  const { fingerprint, source, count, firstAt, lastAt, ...words } = occurrence;
  const before = await tx.get(errorGroups, space, fingerprint);
  if (!before) await makeRoom(tx, space, source);
  else if (before.lastSeenAt < lastAt) {
    await tx.delete(errorGroupsByTime, space, timeId(before.lastSeenAt, fingerprint));
  }
  const newest = !before || before.lastSeenAt <= lastAt;
  const group: ErrorGroupDocument = {
    ...(newest ? { ...words, source } : before),
    count: (before?.count ?? 0) + count,
    firstSeenAt: Math.min(before?.firstSeenAt ?? firstAt, firstAt),
    lastSeenAt: Math.max(before?.lastSeenAt ?? lastAt, lastAt),
  };
  const lifetime = { expiresAt: group.lastSeenAt + KEPT_MS };
  await tx.put(errorGroups, space, fingerprint, group, lifetime);
  await tx.put(errorGroupsByTime, space, timeId(group.lastSeenAt, fingerprint), { source }, lifetime);
  return before ? undefined : "new";
}

/** Anybody can report under a public key: so that invented errors push out their like before the server's own. */
async function makeRoom(tx: Transaction, space: Space, source: Source): Promise<void> {
  const kept = await tx.list(errorGroupsByTime, space, { limit: MAX_GROUPS });
  if (kept.length < MAX_GROUPS) return;
  const oldest = kept.find(({ value }) => value.source === source) ?? kept[0];
  if (!oldest) return;
  await tx.delete(errorGroupsByTime, space, oldest.id);
  await tx.delete(errorGroups, space, fingerprintIn(oldest.id));
}
