import { OperationalError } from "../../../system/operational-error.ts";
/**
 * What lies in a data directory. Groups are numbered over the life of the store: snapshot N is the
 * state after group N, journal N holds the groups that follow it.
 *
 * Only a compaction makes the old journal: it is what the next snapshot will hold, and the journal
 * continues it. Wherever a kill strikes, the files that are there join up.
 */
export const SNAPSHOT = {
  name: "store.json",
  ending: ",\n",
  heading: (group: number): string => `{"snapshot":${group},"version":1,"records":[\n`,
  closing: (groups: number): string => `{"end":${groups}}\n]}\n`,
  pattern: /^\{"snapshot":(\d{1,15}),"version":(\d{1,9}),"records":\[\n$/,
};

export const JOURNAL = {
  name: "journal.jsonl",
  oldName: "journal.old.jsonl",
  ending: "\n",
  heading: (group: number): string => `{"journal":${group},"version":1}\n`,
  pattern: /^\{"journal":(\d{1,15}),"version":(\d{1,9})\}\n$/,
};

/** Being written; takes its proper name when it is whole. */
export const UNFINISHED = ".unfinished";

/** There while a store is filled from another; who finds it knows that not all of that is here. */
export const FILLING = "filling.unfinished";

/** What was read is not what was written. */
export class StoreDamaged extends OperationalError {
  constructor(path: string, line: number, what: string) {
    super(`${path}, line ${line}: ${what}. Nothing was changed: restore the data directory from a backup.`);
    this.name = "StoreDamaged";
  }
}
