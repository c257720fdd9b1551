import { Problem } from "../../contract/problem.ts";
import type { Entry, Space, Transaction } from "../../store/store.ts";
import {
  type ChangeDocument,
  changeKey,
  changeOf,
  changes,
  type FileDocument,
  fileKey,
  files,
  prefixOf,
  type SessionDocument,
  sessionOf,
} from "./documents.ts";
import { contentOf } from "./files.ts";
import { requireKept } from "./history.ts";
import type { Change, FileHead, Session } from "./session-contract.ts";
import { requireSession } from "./sessions.ts";

export interface SessionView {
  session: Session;
  files: (FileHead & { content: string })[];
  changes: Change[];
}

/** Reads a session, its files and its changes in one transaction, so that the changes lead to the contents. */
export async function readSession(
  tx: Transaction,
  space: Space,
  { sessionId, since, path }: { sessionId: string; since?: number | undefined; path?: string | undefined },
): Promise<SessionView> {
  const session = await requireSession(tx, space, sessionId);
  if (since !== undefined) requireReached(session, since);
  const heads = await headsOf(tx, space, sessionId, path);
  const shown: SessionView["files"] = [];
  for (const head of heads) {
    const { path, revision, length } = head;
    shown.push({ path, revision, length, content: await contentOf(tx, space, sessionId, head) });
  }
  const after = since ?? session.oldest - 1;
  const all = await tx.list(changes, space, {
    prefix: prefixOf(sessionId),
    after: changeKey(sessionId, after),
  });
  return {
    session: sessionOf(sessionId, session),
    files: shown.sort((left, right) => (left.path < right.path ? -1 : 1)),
    changes: changesOf(after, all).filter((change) => path === undefined || change.path === path),
  };
}

/** Reads the changes after a sequence, at most `limit`, for a follower. */
export async function readNews(
  tx: Transaction,
  space: Space,
  sessionId: string,
  after: number,
  limit: number,
): Promise<{ session: SessionDocument; changes: Change[] }> {
  const session = await requireSession(tx, space, sessionId);
  if (session.sequence <= after) return { session, changes: [] };
  requireKept(session, after);
  const options = { prefix: prefixOf(sessionId), after: changeKey(sessionId, after), limit };
  return { session, changes: changesOf(after, await tx.list(changes, space, options)) };
}

/** Throws `Problem` if a sequence is in the future, or if changes after it are no longer kept. */
export function requireReached(session: SessionDocument, sequence: number): void {
  requireKept(session, sequence);
  if (sequence <= session.sequence) return;
  throw new Problem(
    "unprocessable",
    `There is no change ${sequence} yet: the latest change of this session is ${session.sequence}.`,
  );
}

export async function headsOf(
  tx: Transaction,
  space: Space,
  sessionId: string,
  path: string | undefined,
): Promise<FileDocument[]> {
  if (path === undefined) {
    return (await tx.list(files, space, { prefix: prefixOf(sessionId) })).map(({ value }) => value);
  }
  const file = await tx.get(files, space, fileKey(sessionId, path));
  if (!file) throw new Problem("not_found", `There is no file "${path}" in this session.`);
  return [file];
}

/** Numbers changes by their order, since the sequence has no gaps. */
function changesOf(after: number, entries: readonly Entry<ChangeDocument>[]): Change[] {
  return entries.map(({ value }, index) => changeOf(after + index + 1, value));
}
