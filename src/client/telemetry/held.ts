import { list, readJson, remove, writeJson } from "../private-files.ts";
import { append, type Entry, entryIn } from "./journal.ts";

/**
 * Matches the file of a usage event that a process is currently sending. The file is written before the request and
 * deleted after the answer. If the process ends in between, the next sealing moves the event into the journal.
 */
const HELD = /^held-(.+)\.json$/;

export function isHeld(name: string): boolean {
  return HELD.test(name);
}

export function hold(directory: string, entry: Entry): void {
  writeJson(directory, nameOf(entry.id), entry);
}

/**
 * Deletes an entry that the server answered for. If a sender already has it, its id keeps it from being counted
 * twice.
 */
export function letGo(directory: string, id: string): void {
  remove(directory, nameOf(id));
}

/** Returns the held entries, oldest first. */
export function heldEntries(directory: string): Entry[] {
  return list(directory).flatMap((name) => (isHeld(name) && entryIn(readJson(directory, name))) || []);
}

/**
 * Moves a held entry into the journal if it still exists. The caller must hold the lock. A process killed between the
 * two steps leaves the entry in both places, under one id.
 */
export function moveToJournal(directory: string, entry: Entry): void {
  if (!list(directory).includes(nameOf(entry.id))) return;
  append(directory, entry);
  letGo(directory, entry.id);
}

/** Moves all held entries into the journal. */
export function moveAllToJournal(directory: string): void {
  for (const entry of heldEntries(directory)) moveToJournal(directory, entry);
  // Files are written atomically, so these were damaged from outside and cannot be sent.
  const damaged = list(directory).filter((name) => isHeld(name) && !entryIn(readJson(directory, name)));
  for (const name of damaged) remove(directory, name);
}

function nameOf(id: string): string {
  return `held-${id}.json`;
}
