import { list, readJson, remove, writeJson } from "../private-files.ts";
import { append, type Entry, entryIn } from "./journal.ts";

/**
 * A usage event that a process is asking the server about, in a file of its own: written before it is sent,
 * and gone with the answer. Should the process end before, the next sealing takes it into the journal.
 */
const HELD = /^held-(.+)\.json$/;

export function isHeld(name: string): boolean {
  return HELD.test(name);
}

export function hold(directory: string, entry: Entry): void {
  writeJson(directory, nameOf(entry.id), entry);
}

/** It was answered for. Where a sender has it by now, its id sees to it that it counts once. */
export function letGo(directory: string, id: string): void {
  remove(directory, nameOf(id));
}

/** Oldest first. */
export function heldEntries(directory: string): Entry[] {
  return list(directory).flatMap((name) => (isHeld(name) && entryIn(readJson(directory, name))) || []);
}

/**
 * Moves an entry that is held into the journal, where it is there still; to be called by the holder of the
 * lock alone. A process that is killed between the two leaves both, under one id.
 */
export function moveToJournal(directory: string, entry: Entry): void {
  if (!list(directory).includes(nameOf(entry.id))) return;
  append(directory, entry);
  letGo(directory, entry.id);
}

/** As `moveToJournal`, whatever is held. */
export function moveAllToJournal(directory: string): void {
  for (const entry of heldEntries(directory)) moveToJournal(directory, entry);
  // Written whole or not at all: damaged from outside, and nothing that could be sent.
  const damaged = list(directory).filter((name) => isHeld(name) && !entryIn(readJson(directory, name)));
  for (const name of damaged) remove(directory, name);
}

function nameOf(id: string): string {
  return `held-${id}.json`;
}
