import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../system/clock.ts";
import { createLog } from "../../../system/log.ts";
import { OperationalError } from "../../../system/operational-error.ts";
import type { StoreItem } from "../../store.ts";
import { windowEntries } from "../limiter.ts";
import { fillingOf } from "./filling.ts";
import { InputFile } from "./input-file.ts";
import { JOURNAL, noStoreIn, SNAPSHOT } from "./layout.ts";
import { keyOf } from "./merge.ts";
import {
  type Extent,
  groupOfJournal,
  groupOfSnapshot,
  journalGroups,
  type RecordGroup,
  snapshotGroups,
  visitRecords,
} from "./reading.ts";
import { isDeletion, isOfCounter, type RecordParts, readString } from "./record.ts";

/** The open files of a directory, consistent with each other. */
interface Files {
  snapshot: InputFile | undefined;
  /** Oldest first. */
  journals: { file: InputFile; after: number }[];
}

/** A compaction replaces files within a moment, so opening them is retried. */
const ATTEMPTS = 100;
const PAUSE_MS = 10;
const NO_LOG = createLog("silent");

/**
 * Reads a data directory while a server writes to it, or after one was killed. Yields everything but the rate-limit
 * windows, as of the instant at which it begins, including all that was acknowledged before. Takes no lock and delays
 * no writer. Keeps only the keys of the journals in memory.
 *
 * @throws if there is no store, `NotFilled`, or `StoreDamaged`
 */
export async function* dumpDirectory(directory: string, clock: Clock): AsyncGenerator<StoreItem> {
  fillingOf(directory).check();
  const { snapshot, journals } = await openFiles(directory, clock);
  try {
    const now = clock.now();
    /** For each key, the index of the last journal record that writes it. */
    const last = new Map<string, number>();
    let count = 0;
    for (const group of newestGroups(journals)) {
      visitRecords(group, (bytes, _start, _end, parts) => last.set(keyOf(bytes, parts), count++));
    }
    if (snapshot) {
      for (const group of snapshotGroups(snapshot.again())) {
        yield* itemsIn(group, now, (key) => !last.has(key));
      }
    }
    count = 0;
    for (const group of newestGroups(journals)) {
      yield* itemsIn(group, now, (key) => last.get(key) === count++);
    }
  } finally {
    for (const file of [snapshot, ...journals.map((journal) => journal.file)]) file?.close();
  }
}

/** Yields the groups of all journals. Leaves out an unfinished group at the end of the newest one. */
function* newestGroups(journals: Files["journals"]): Generator<RecordGroup, Extent | undefined> {
  let extent: Extent | undefined;
  for (const [index, { file, after }] of journals.entries()) {
    const isNewest = index === journals.length - 1;
    extent = yield* journalGroups(file.again(), extent?.group ?? after, isNewest ? NO_LOG : undefined);
  }
  return extent;
}

function itemsIn(group: RecordGroup, now: number, isWanted: (key: string) => boolean): StoreItem[] {
  const items: StoreItem[] = [];
  visitRecords(group, (bytes, _start, _end, parts) => {
    if (!isWanted(keyOf(bytes, parts)) || isDeletion(parts) || parts.expiresAt <= now) return;
    const item = itemOf(bytes, parts);
    if (!("collection" in item) || item.collection !== windowEntries.name) items.push(item);
  });
  return items;
}

function itemOf(bytes: Buffer, parts: RecordParts): StoreItem {
  const { key, id: start, idEnd, expiresAt, value, valueEnd } = parts;
  const { name, space } = JSON.parse(`{"name":${bytes.toString("utf8", key, start)}0}`);
  const id = readString(bytes, start, idEnd);
  const content = JSON.parse(bytes.toString("utf8", value, valueEnd));
  if (isOfCounter(parts)) return { counter: name, space, id, count: content };
  const expiry = expiresAt === Number.POSITIVE_INFINITY ? {} : { expiresAt };
  return { collection: name, space, id, value: content, ...expiry };
}

/** Opens the files. If a compaction renames one in between, they do not continue each other and are opened again. */
async function openFiles(directory: string, clock: Clock): Promise<Files> {
  for (let attempt = 1; ; attempt++) {
    const open = opener(directory);
    const [snapshot, old, journal] = [SNAPSHOT.name, JOURNAL.oldName, JOURNAL.name].map(open);
    const joined = joinedUp(snapshot, old, journal);
    if (joined) return joined;
    for (const file of [snapshot, old, journal]) file?.close();
    if (!snapshot && !old && !journal) {
      if (attempt > 1) throw noStoreIn(directory);
    } else if (attempt === ATTEMPTS) {
      throw new OperationalError(
        `The files in ${directory} do not continue each other: start the server on it to see why.`,
      );
    }
    await clock.sleep(PAUSE_MS);
  }
}

function opener(directory: string): (name: string) => InputFile | undefined {
  return (name) => {
    const path = join(directory, name);
    try {
      return new InputFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT" || !existsSync(directory)) return undefined;
      throw error;
    }
  };
}

/** Returns the files that continue each other; undefined if one in between is missing. */
function joinedUp(
  snapshot: InputFile | undefined,
  old: InputFile | undefined,
  journal: InputFile | undefined,
): Files | undefined {
  const after = snapshot ? groupOfSnapshot(snapshot.again()) : 0;
  const journals: Files["journals"] = [];
  const starts = [old, journal].map((file) => file && groupOfJournal(file.again()));
  if (old && starts[0] === after) journals.push({ file: old, after });
  if (journal && (journals.length > 0 || starts[1] === after)) {
    journals.push({ file: journal, after: starts[1] as number });
  }
  if (journals.length === 0) return undefined;
  // The snapshot already includes the old journal.
  if (old && journals[0]?.file !== old) old.close();
  return { snapshot, journals };
}
