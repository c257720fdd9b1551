import type { Space, Transaction } from "../../store/store.ts";
import {
  type ChangeDocument,
  changeKey,
  changes,
  type FileDocument,
  fileKey,
  snapshots,
} from "./documents.ts";
import { applyAll } from "./text.ts";

/** The sequence of a change, and the change. */
export interface Sequenced {
  sequence: number;
  change: ChangeDocument;
}

/** Changes that are kept, in the order given. */
export async function changesAt(
  tx: Transaction,
  space: Space,
  sessionId: string,
  sequences: readonly number[],
): Promise<Sequenced[]> {
  const found = await Promise.all(
    sequences.map((sequence) => tx.get(changes, space, changeKey(sessionId, sequence))),
  );
  return found.map((change, index) => {
    const sequence = sequences[index] as number;
    if (!change) throw new Error(`change ${sequence} of ${sessionId} is missing`);
    return { sequence, change };
  });
}

/** A file as its latest change left it. */
export async function contentOf(
  tx: Transaction,
  space: Space,
  sessionId: string,
  { path, pending }: FileDocument,
): Promise<string> {
  const [snapshot, since] = await Promise.all([
    tx.get(snapshots, space, fileKey(sessionId, path)),
    changesAt(tx, space, sessionId, pending),
  ]);
  return applyAll(
    snapshot?.content ?? "",
    since.map(({ change }) => change),
  );
}

/** Makes its latest content the snapshot: the changes so far are no longer needed to read it. */
export async function takeSnapshot(
  tx: Transaction,
  space: Space,
  sessionId: string,
  file: FileDocument,
): Promise<FileDocument> {
  const content = await contentOf(tx, space, sessionId, file);
  await tx.put(snapshots, space, fileKey(sessionId, file.path), { content });
  return { ...file, snapshot: file.revision, pending: [], pendingWeight: 0 };
}
