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

/** How much of the past a session keeps. */
export interface HistoryLimits {
  changes: number;
  /** As `weightOf` has it. */
  weight: number;
}

/** What is kept is read and gone through at a stretch: a session that is shown, a change that is late. */
export const HISTORY: HistoryLimits = { changes: 10_000, weight: 1 << 20 };

/** Given up with one change, so that none has to pay for all. */
const MAX_GIVEN_UP = 64;
/** What is listed keeps others waiting, what is looked up is looked up for many authors at once: for so many that is faster. */
const MAX_ONE_BY_ONE = 500;

/**
 * The changes of a file after a revision, in order. `Problem` `invalid_state` where some of them are no
 * longer kept.
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

/** `count` changes of any files, all of which are kept. */
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

/** Forgets the oldest changes beyond the limits; the session as it is then, unwritten. */
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
