import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../../system/log.ts";
import { OperationalError } from "../../../system/operational-error.ts";
import type { Table } from "../table.ts";
import { Tables } from "../tables.ts";
import { JOURNAL, SNAPSHOT } from "./layout.ts";
import { readJournal, readSnapshot, type Visit } from "./reading.ts";
import { isDeletion, isOfCounter, readString } from "./record.ts";

export interface Loaded {
  tables: Tables;
  /** The number of the last group. */
  group: number;
  snapshotBytes: number;
  /** Size of the journal that an interrupted compaction left unmerged; 0 if there is none. */
  oldJournalBytes: number;
  /** Size up to the end of its last whole group; 0 if the journal does not exist yet. */
  journalBytes: number;
}

/**
 * Reads a data directory. Throws `StoreDamaged` unless everything ever acknowledged is there.
 *
 * @param followed names of the collections that keep a change feed.
 */
export function load(directory: string, log: Log, followed: ReadonlySet<string> = new Set()): Loaded {
  const tables = new Tables(followed);
  const visit = loaderOf(tables);
  const path = (name: string) => join(directory, name);
  const snapshot = readSnapshot(path(SNAPSHOT.name), visit);
  // Without a newer one the old journal is the newest: a kill came between its renaming and the next journal.
  const oldIsNewest = !existsSync(path(JOURNAL.name));
  const old = readJournal(path(JOURNAL.oldName), snapshot.group, visit, oldIsNewest ? log : undefined);
  const journal = readJournal(path(JOURNAL.name), (old ?? snapshot).group, visit, log);
  if (!journal && !old && snapshot.bytes > 0) {
    throw new OperationalError(
      `${path(JOURNAL.name)} is missing: what was written since the snapshot is lost without it. ` +
        `To go on from the snapshot alone, make the file with the line ${JOURNAL.heading(snapshot.group)}`,
    );
  }
  tables.loaded();
  return {
    tables,
    group: (journal ?? old ?? snapshot).group,
    snapshotBytes: snapshot.bytes,
    oldJournalBytes: old?.bytes ?? 0,
    journalBytes: journal?.bytes ?? 0,
  };
}

function loaderOf(tables: Tables): Visit {
  const byKey = new Map<string, Table>();
  return (bytes, _start, _end, parts) => {
    const { key, id, idEnd, expiresAt, value, valueEnd } = parts;
    const isCounter = isOfCounter(parts);
    const tableKey = (isCounter ? "+" : "") + bytes.toString("utf8", key, id);
    let table = byKey.get(tableKey);
    if (!table) {
      const { name, space } = JSON.parse(`{"name":${bytes.toString("utf8", key, id)}0}`);
      table = tables.obtain(isCounter ? "count" : "put", name, space);
      byKey.set(tableKey, table);
    }
    const text = isDeletion(parts) ? undefined : bytes.toString("utf8", value, valueEnd);
    const content = isCounter && text !== undefined ? Number(text) : text;
    tables.load(table, readString(bytes, id, idEnd), content, expiresAt);
  };
}
