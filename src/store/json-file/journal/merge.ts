import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL, SNAPSHOT, UNFINISHED } from "./layout.ts";
import { readJournal, readSnapshot, readSnapshotGroup } from "./reading.ts";
import { isDeletion, isOfCounter, type RecordParts } from "./record.ts";
import { SnapshotWriter } from "./snapshot-writer.ts";

/**
 * Merges the old journal into the snapshot: first the records that the journal does not overwrite, then the last write
 * to each key of the journal, which keeps the order of writing. Keeps only the keys of the journal in memory.
 * Synchronous, so it needs a thread of its own. Returns the size of the snapshot.
 */
export function mergeOldJournal(directory: string): number {
  const path = join(directory, SNAPSHOT.name);
  const journalPath = join(directory, JOURNAL.oldName);
  /** For each key, the index of the last journal record that writes it. */
  const last = new Map<string, number>();
  let count = 0;
  const after = readSnapshotGroup(path);
  const journal = readJournal(journalPath, after, (bytes, _start, _end, parts) => {
    last.set(keyOf(bytes, parts), count++);
  });
  if (!journal) return statSync(path).size; // An earlier attempt already merged it.

  const writer = new SnapshotWriter(path + UNFINISHED, journal.group);
  try {
    readSnapshot(path, (bytes, start, end, parts) => {
      if (!last.has(keyOf(bytes, parts))) writer.add(bytes, start, end);
    });
    count = 0;
    readJournal(journalPath, after, (bytes, start, end, parts) => {
      const isLast = last.get(keyOf(bytes, parts)) === count++;
      if (isLast && !isDeletion(parts)) writer.add(bytes, start, end);
    });
    writer.finish();
    if (!writer.isInPlace()) throw new Error(`another process writes ${path}: it has taken the store over`);
    writer.close();
  } catch (error) {
    // On a full disk, the journal needs its room until there is enough for a whole snapshot.
    if (writer.isInPlace()) rmSync(path + UNFINISHED, { force: true });
    writer.close();
    throw error;
  }
  renameSync(path + UNFINISHED, path);
  syncDirectory(directory);
  return writer.bytes;
}

/** Returns a key for the document or counter that a record writes. */
export function keyOf(bytes: Buffer, parts: RecordParts): string {
  return (isOfCounter(parts) ? "+" : "") + bytes.toString("latin1", parts.key, parts.idEnd);
}

function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
