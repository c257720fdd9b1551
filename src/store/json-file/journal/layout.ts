import { existsSync } from "node:fs";
import { join } from "node:path";
import { OperationalError } from "../../../system/operational-error.ts";
import { NoStore } from "../../store-errors.ts";

/**
 * The files of a data directory. Groups are numbered over the life of the store: snapshot N is the state after group N,
 * journal N holds the groups that follow it.
 *
 * Only a compaction makes the old journal, which holds what the next snapshot will add. The journal continues it.
 * Wherever a kill strikes, the remaining files continue each other.
 */
export const SNAPSHOT = {
  name: "store.json",
  version: 1,
  ending: ",\n",
  heading: (group: number): string => `{"snapshot":${group},"version":1,"records":[\n`,
  closing: (groups: number): string => `{"end":${groups}}\n]}\n`,
  pattern: /^\{"snapshot":(\d{1,15}),"version":(\d{1,9}),"records":\[\n$/,
};

/**
 * Version 2 differs from 1 in what its groups may say. Release 0.1.0, which knows 1 alone, says of it that it has to be
 * updated; it would take some such groups for damage, and not heed others.
 */
export const JOURNAL = {
  name: "journal.jsonl",
  version: 2,
  oldName: "journal.old.jsonl",
  ending: "\n",
  heading: (group: number): string => `{"journal":${group},"version":2}\n`,
  /** Returns the heading of an older version as this one writes it. It is as long. */
  updated: (heading: string): string => heading.replace('"version":1}', '"version":2}'),
  pattern: /^\{"journal":(\d{1,15}),"version":(\d{1,9})\}\n$/,
};

/** Suffix of a file that is being written. It is renamed when it is complete. */
export const UNFINISHED = ".unfinished";

/** Exists while a store is filled from another one and is therefore incomplete. */
export const FILLING = "filling.unfinished";

/** Whether a server has ever written to a directory. A compaction leaves one of these files at every instant. */
export function holdsStore(directory: string): boolean {
  return [SNAPSHOT.name, JOURNAL.oldName, JOURNAL.name].some((name) => existsSync(join(directory, name)));
}

export function noStoreIn(directory: string): NoStore {
  return new NoStore(`There is no store in ${directory}. Name the directory that tool serve --data used.`);
}

/** A file of the store differs from what was written. */
export class StoreDamaged extends OperationalError {
  constructor(path: string, line: number, what: string) {
    super(`${path}, line ${line}: ${what}. Nothing was changed: restore the data directory from a backup.`);
    this.name = "StoreDamaged";
  }
}
