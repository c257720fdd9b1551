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

/** A change with its sequence. */
export interface Sequenced {
  sequence: number;
  change: ChangeDocument;
}

/** Reads changes, which must all be kept, in the order given. */
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

/** Returns the content of a file after its latest change. */
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

/** Stores the latest content of a file as its snapshot, so that reading it no longer needs the changes so far. */
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
