import { existsSync } from "node:fs";
import type { Log } from "../../../system/log.ts";
import { OperationalError } from "../../../system/operational-error.ts";
import { GroupReader, linesOf, provesDamage } from "./group.ts";
import { InputFile } from "./input-file.ts";
import { JOURNAL, SNAPSHOT, StoreDamaged } from "./layout.ts";
import { locateRecord, type RecordParts } from "./record.ts";

const MAX_HEADING_LENGTH = 80;

/** Called for each record, in order. The bytes are valid until it returns. */
export type Visit = (bytes: Buffer, start: number, end: number, parts: RecordParts) => void;

export interface Extent {
  /** The number of the last group in the file. */
  group: number;
  /** Size up to the end of the last whole group. */
  bytes: number;
}

/** Records that were committed together, with their location. */
export interface RecordGroup {
  records: Buffer;
  ending: string;
  path: string;
  line: number;
}

/** Reads a snapshot. If there is none, returns the state before all groups. */
export function readSnapshot(path: string, visit: Visit): Extent {
  if (!existsSync(path)) return { group: 0, bytes: 0 };
  return reading(path, (file) => visitAll(snapshotGroups(file), visit));
}

/** Returns the number of the last group in a snapshot; 0 if there is none. */
export function readSnapshotGroup(path: string): number {
  return existsSync(path) ? reading(path, groupOfSnapshot) : 0;
}

/**
 * Reads a journal. Returns undefined if there is none, or if it is from before group `after`, so that the snapshot
 * includes it. A `log` marks the newest journal, whose last groups may be unfinished.
 */
export function readJournal(path: string, after: number, visit: Visit, log?: Log): Extent | undefined {
  if (!existsSync(path)) return undefined;
  return reading(path, (file) => visitAll(journalGroups(file, after, log), visit));
}

export function groupOfSnapshot(file: InputFile): number {
  return readHeading(file, SNAPSHOT);
}

/** Returns the group that a journal continues. */
export function groupOfJournal(file: InputFile): number {
  return readHeading(file, JOURNAL);
}

/** Yields the groups of a snapshot and verifies its end. Each group is valid until the next is requested. */
export function* snapshotGroups(file: InputFile): Generator<RecordGroup, Extent> {
  const group = groupOfSnapshot(file);
  const reader = new GroupReader(file, SNAPSHOT.ending, 1);
  yield* groupsOf(reader);
  const closing = SNAPSHOT.closing(reader.number - 1);
  if (file.peek(closing.length + 1).toString("latin1") !== closing) throw damageAt(reader);
  return { group, bytes: file.size };
}

/** Yields the groups of a journal; see `readJournal`. Each group is valid until the next is requested. */
export function* journalGroups(
  file: InputFile,
  after: number,
  log?: Log,
): Generator<RecordGroup, Extent | undefined> {
  const first = groupOfJournal(file);
  if (first < after && !log) return undefined;
  if (first !== after) {
    throw new StoreDamaged(
      file.path,
      1,
      `it continues group ${first}, but what precedes it ends with ${after}`,
    );
  }
  const reader = new GroupReader(file, JOURNAL.ending, first + 1);
  yield* groupsOf(reader);
  const rest = file.size - file.offset;
  if (rest > 0) {
    if (!log || provesDamage(file.peek(rest), reader.number, JOURNAL.ending)) throw damageAt(reader);
    log.warn(
      { file: file.path, line: reader.line, bytes: rest },
      "dropped what was never finished at the end",
    );
  }
  return { group: reader.number - 1, bytes: file.offset };
}

/** Visits the records of a group. Throws `StoreDamaged` if one is malformed. */
export function visitRecords({ records, ending, path, line }: RecordGroup, visit: Visit): void {
  let at = line;
  for (const [start, end] of linesOf(records, ending)) {
    const parts = locateRecord(records, start, end);
    if (!parts) throw new StoreDamaged(path, at, "it is no record");
    visit(records, start, end, parts);
    at++;
  }
}

function reading<T>(path: string, read: (file: InputFile) => T): T {
  const file = new InputFile(path);
  try {
    return read(file);
  } finally {
    file.close();
  }
}

/** Returns the first line of a journal. */
export function headingOf(path: string): string {
  return reading(path, (file) => file.peekLine(MAX_HEADING_LENGTH) ?? "");
}

function readHeading(
  file: InputFile,
  { pattern, version }: Pick<typeof JOURNAL, "pattern" | "version">,
): number {
  const heading = file.peekLine(MAX_HEADING_LENGTH);
  const match = heading && pattern.exec(heading);
  if (!match && heading && pattern.test(heading.replace("\r\n", "\n"))) {
    // Nothing is lost: records hold no CR.
    throw new OperationalError(
      `${file.path}: its lines end with CR LF, as git, an editor or a transfer as text may have made them. ` +
        "Nothing was changed: take the CR away again, with dos2unix for one, in every file of the data directory.",
    );
  }
  if (!match) throw new StoreDamaged(file.path, 1, "this is not how such a file begins");
  if (Number(match[2]) > version) {
    throw new OperationalError(
      `${file.path} was written by a newer version (format ${match[2]}): update this one`,
    );
  }
  file.skip(heading.length);
  return Number(match[1]);
}

function* groupsOf(reader: GroupReader): Generator<RecordGroup> {
  const { ending, file } = reader;
  for (let group = reader.next(); group; group = reader.next()) yield { ...group, ending, path: file.path };
}

function visitAll<T>(groups: Generator<RecordGroup, T>, visit: Visit): T {
  let next = groups.next();
  for (; !next.done; next = groups.next()) visitRecords(next.value, visit);
  return next.value;
}

function damageAt(reader: GroupReader): StoreDamaged {
  return new StoreDamaged(reader.file.path, reader.faultyLine, "from here on it is not what was written");
}
