import { rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeDirectory } from "../../system/files/make-directory.ts";
import type { Random } from "../../system/random.ts";
import { sha256 } from "../../system/sha256.ts";
import { list, move, readJson, remove, TEMPORARY, writeJson } from "../private-files.ts";
import { PENDING } from "./journal.ts";
import { countWaiting } from "./sealing.ts";

/** Holds the id of the account that the queue's events count for. */
const OWNER = "owner.json";
/** What is an account's own in a queue. The locks stay, so that one is held of the same directory throughout. */
const OWN = /^(pending\.jsonl|(taken|batch|held|refused)-.+|dropped\.json|policy\.json)$/;

/**
 * Returns the id of the account that the events of a queue count for; undefined after a sign-out, and for a queue of an
 * earlier version.
 */
export function ownerIn(directory: string): string | undefined {
  return readJson<{ accountId?: string }>(directory, OWNER)?.accountId;
}

/** @param accountId undefined: events are of nobody yet, and become those of the next account to be entered. */
export function setOwner(directory: string, accountId: string | undefined): void {
  if (accountId === undefined) remove(directory, OWNER);
  else if (ownerIn(directory) !== accountId) writeJson(directory, OWNER, { accountId });
}

/** Counts the events of a server's other accounts. */
export function countAside(directory: string): number {
  const prefix = `${basename(directory)}.`;
  return list(dirname(directory))
    .filter((name) => name.startsWith(prefix) && /^[0-9a-f]{12}$/.test(name.slice(prefix.length)))
    .reduce((total, name) => total + countWaiting(join(dirname(directory), name)), 0);
}

/** Puts the events of an account aside, beside what may wait there. */
export function putAside(directory: string, accountId: string, random: Random): void {
  moveEvents(directory, asideOf(directory, accountId), random);
}

/** Brings the events of an account back into the queue. */
export function bringBack(directory: string, accountId: string, random: Random): void {
  const aside = asideOf(directory, accountId);
  if (list(aside).length === 0) return;
  moveEvents(aside, directory, random);
  try {
    rmdirSync(aside);
  } catch {
    // Something else is in it.
  }
}

function asideOf(directory: string, accountId: string): string {
  return `${directory}.${sha256(accountId).slice(0, 12)}`;
}

/** One file at a time: where a process is killed between two of them, the next one moves the others. */
function moveEvents(from: string, to: string, random: Random): void {
  const names = list(from).filter((name) => OWN.test(name) && !name.endsWith(TEMPORARY));
  if (names.length > 0) makeDirectory(to, 0o700);
  for (const name of names) {
    // There may be a journal already. One that is to be sealed has a name of its own.
    move(join(from, name), join(to, name === PENDING ? `taken-${random.id("jrn")}.jsonl` : name));
  }
}
