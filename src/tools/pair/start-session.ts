import type * as z from "zod";
import type { Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import type { pairContract } from "./contract.ts";
import {
  type FileDocument,
  fileKey,
  files,
  type SessionDocument,
  sessionOf,
  sessions,
  snapshots,
} from "./documents.ts";
import type { FileHead, Session } from "./session-contract.ts";

type NewSession = z.output<typeof pairContract.start.input>;

export async function startSession(
  tx: Transaction,
  space: Space,
  id: string,
  { title, participants, files: given }: NewSession,
  now: number,
): Promise<{ session: Session; files: FileHead[] }> {
  const session: SessionDocument = {
    ...defined({ title }),
    participants,
    sequence: 0,
    oldest: 1,
    weight: 0,
    length: given.reduce((sum, { content }) => sum + content.length, 0),
    files: given.length,
    createdAt: now,
    updatedAt: now,
  };
  const writes = given.flatMap(({ path, content }) => {
    const key = fileKey(id, path);
    const file: FileDocument = {
      path,
      revision: 0,
      length: content.length,
      snapshot: 0,
      pending: [],
      pendingWeight: 0,
    };
    return [tx.insert(files, space, key, file), tx.insert(snapshots, space, key, { content })];
  });
  await Promise.all([tx.insert(sessions, space, id, session), ...writes]);
  return {
    session: sessionOf(id, session),
    files: given.map(({ path, content }) => ({ path, revision: 0, length: content.length })),
  };
}
