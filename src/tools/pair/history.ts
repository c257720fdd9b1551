import { Problem } from "../../contract/problem.ts";
import type { Space, Transaction } from "../../store/store.ts";
import {
  changeKey,
  changes,
  type FileDocument,
  fileKey,
  files,
  prefixOf,
  type SessionDocument,
  weightOf,
} from "./documents.ts";
import { changesAt, type Sequenced, takeSnapshot } from "./files.ts";

/** Bounds of the history that a session keeps. */
export interface HistoryLimits {
  changes: number;
  /** In the unit of `weightOf`. */
  weight: number;
}

/** The whole history may be read and applied at once, to show a session or to rebase a late change. */
export const HISTORY: HistoryLimits = { changes: 10_000, weight: 1 << 20 };

/** Changes deleted with each new one, so that none pays for all. */
const MAX_GIVEN_UP = 64;
/**
 * Up to this many changes are read one by one, which is faster: reads for many authors are combined, while a
 * list makes others wait.
 */
const MAX_ONE_BY_ONE = 500;

/**
 * Returns the changes of a file after a revision, in order. Throws `Problem` `invalid_state` if some of them
 * are no longer kept.
 */
export async function changesBetween(
  tx: Transaction,
  space: Space,
  sessionId: string,
  session: SessionDocument,
  file: FileDocument,
  revision: number,
): Promise<Sequenced[]> {
  if (revision >= file.snapshot) {
    const pending = file.pending.filter((sequence) => sequence > revision);
    return changesAt(tx, space, sessionId, pending);
  }
  requireKept(session, revision);
  const all = await changesAfter(tx, space, sessionId, revision, file.revision - revision);
  return all.filter(({ change }) => change.path === file.path);
}

/** Returns `count` changes of any files, all of which must be kept. */
async function changesAfter(
  tx: Transaction,
  space: Space,
  sessionId: string,
  revision: number,
  count: number,
): Promise<Sequenced[]> {
  const sequences = Array.from({ length: count }, (_, index) => revision + 1 + index);
  if (count <= MAX_ONE_BY_ONE) return changesAt(tx, space, sessionId, sequences);
  const options = { prefix: prefixOf(sessionId), after: changeKey(sessionId, revision), limit: count };
  const listed = await tx.list(changes, space, options);
  return listed.map(({ value }, index) => ({ sequence: sequences[index] as number, change: value }));
}

export function requireKept({ oldest }: Pick<SessionDocument, "oldest">, revision: number): void {
  if (revision >= oldest - 1) return;
  throw new Problem(
    "invalid_state",
    `What changed after revision ${revision} is no longer kept; the oldest revision to go on from is ${oldest - 1}. Read the session again.`,
    { members: { oldestRevision: oldest - 1 } },
  );
}

/** Deletes the oldest changes beyond the limits. Returns the changed session, which the caller writes. */
export async function prune(
  tx: Transaction,
  space: Space,
  sessionId: string,
  session: SessionDocument,
  limits: HistoryLimits,
): Promise<SessionDocument> {
  let { oldest, weight } = session;
  const end = Math.min(oldest + MAX_GIVEN_UP, session.sequence);
  while (oldest < end && (session.sequence - oldest >= limits.changes || weight > limits.weight)) {
    const [{ change }] = (await changesAt(tx, space, sessionId, [oldest])) as [Sequenced];
    const key = fileKey(sessionId, change.path);
    const file = await tx.get(files, space, key);
    if (file?.pending.includes(oldest)) {
      await tx.put(files, space, key, await takeSnapshot(tx, space, sessionId, file));
    }
    await tx.delete(changes, space, changeKey(sessionId, oldest));
    weight -= weightOf(change);
    oldest++;
  }
  return { ...session, oldest, weight };
}
