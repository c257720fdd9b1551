import type { Random } from "../../system/random.ts";
import { list, readJson, remove, rename, TEMPORARY, writeJson } from "../private-files.ts";
import { readBatch, removeBatchesOf, type SealedFile, sealedFiles, writeBatch } from "./batch-files.ts";
import { type Batch, batchesOf } from "./batches.ts";
import { heldEntries, isHeld, moveAllToJournal } from "./held.ts";
import { type Entry, entriesOf, PENDING, pendingBytes } from "./journal.ts";

/** A journal renamed to be sealed. Its events count as unsealed until it is deleted. */
const TAKEN = /^taken-(.+)\.jsonl$/;
/** Shortest line in bytes: an entry's id and time alone take more. */
const MIN_LINE_LENGTH = 50;
const DROPPED = "dropped.json";

/**
 * Turns the journal into batches. The caller must hold the lock. A journal's batches may be sent only after the
 * journal is deleted. If the process is killed before that, the next one starts over with the whole journal.
 */
export function seal(directory: string, random: Random): void {
  moveAllToJournal(directory);
  rename(directory, PENDING, `taken-${random.id("jrn")}.jsonl`);
  for (const name of list(directory)) {
    if (name.startsWith("batch-") && name.endsWith(TEMPORARY)) remove(directory, name);
    const journal = TAKEN.exec(name)?.[1];
    if (journal === undefined) continue;
    removeBatchesOf(directory, journal);
    batchesOf(entriesOf(directory, name), () => random.id("bat")).forEach((batch, index) => {
      writeBatch(directory, `${journal}-${String(index).padStart(6, "0")}`, batch);
    });
    remove(directory, name);
  }
}

/** Returns the batches that may be sent, oldest first. */
export function sealedBatches(directory: string): SealedFile[] {
  const taken = list(directory).flatMap((name) => TAKEN.exec(name)?.[1] ?? []);
  return sealedFiles(directory).filter(({ name }) => !taken.some((id) => name.startsWith(`batch-${id}-`)));
}

/** Returns the entries in no batch, in order within each journal. */
export function unsealedEntries(directory: string): Entry[] {
  const journals = list(directory).filter((name) => TAKEN.test(name));
  const written = [...journals, PENDING].flatMap((name) => entriesOf(directory, name));
  const ids = new Set(written.map(({ id }) => id));
  return [...written, ...heldEntries(directory).filter(({ id }) => !ids.has(id))];
}

/** Counts the waiting events without reading the sealed batches. */
export function countWaiting(directory: string): number {
  return sum(sealedBatches(directory)) + unsealedEntries(directory).length;
}

/** Estimates, from file sizes alone, whether more than `most` events may wait. False is certain. */
export function mayExceed(directory: string, most: number): boolean {
  const held = list(directory).filter(isHeld).length;
  return sum(sealedFiles(directory)) + held + pendingBytes(directory) / MIN_LINE_LENGTH > most;
}

/** Returns when the oldest waiting event was recorded, in milliseconds since the epoch; undefined if nothing waits. */
export function oldestWaiting(directory: string): number | undefined {
  const [first] = sealedBatches(directory);
  if (!first) {
    const times = unsealedEntries(directory).map(({ at }) => at);
    return times.length > 0 ? times.reduce((oldest, at) => Math.min(oldest, at)) : undefined;
  }
  const batch = readBatch(directory, first);
  return batch && Date.parse(batch.oldestAt);
}

/** Whether nothing waits. Only lists the directory. */
export function isEmpty(directory: string): boolean {
  return !list(directory).some(
    (name) => name === PENDING || TAKEN.test(name) || name.startsWith("batch-") || isHeld(name),
  );
}

/**
 * Drops the oldest events until at most `most` wait. The caller must hold the lock. The remainder of a batch gets a
 * new id, because the server may know the old one with the old content.
 */
export function dropOldest(directory: string, most: number, random: Random): void {
  let excess = countWaiting(directory) - most;
  if (excess <= 0) return;
  if (sum(sealedBatches(directory)) < excess) seal(directory, random);
  let dropped = 0;
  for (const file of sealedBatches(directory)) {
    if (excess <= 0) break;
    const batch = file.events > excess ? readBatch(directory, file) : undefined;
    if (batch) writeBatch(directory, file.key, without(batch, excess, random.id("bat")));
    remove(directory, file.name);
    const gone = Math.min(file.events, excess);
    dropped += gone;
    excess -= gone;
  }
  writeJson(directory, DROPPED, { events: droppedFrom(directory) + dropped });
}

/** Returns how many events were dropped since `forgetDropped`. */
export function droppedFrom(directory: string): number {
  return readJson<{ events: number }>(directory, DROPPED)?.events ?? 0;
}

export function forgetDropped(directory: string): void {
  remove(directory, DROPPED);
}

function without(batch: Batch, oldest: number, id: string): Batch {
  const body = batch.body as { source: string; events: { timestamp: string }[] };
  const events = body.events.slice(oldest);
  const oldestAt = events[0]?.timestamp ?? batch.oldestAt;
  return { ...batch, id, oldestAt, events: events.length, body: { ...body, batch: { id }, events } };
}

function sum(files: readonly SealedFile[]): number {
  return files.reduce((total, { events }) => total + events, 0);
}
