import { existsSync } from "node:fs";
import type { Log } from "../../../system/log.ts";
import { GroupReader, holdsGroup, linesOf } from "./group.ts";
import { InputFile } from "./input-file.ts";
import { JOURNAL, SNAPSHOT, StoreDamaged } from "./layout.ts";
import { locateRecord, type RecordParts } from "./record.ts";

/** Called for each record, in order. The bytes hold good until it returns. */
export type Visit = (bytes: Buffer, start: number, end: number, parts: RecordParts) => void;

export interface Extent {
  /** The number of the last group in it. */
  group: number;
  /** Up to the end of its last whole group. */
  bytes: number;
}

/** Where there is none, the state before all groups. */
export function readSnapshot(path: string, visit: Visit): Extent {
  if (!existsSync(path)) return { group: 0, bytes: 0 };
  return reading(path, (file) => {
    const group = readHeading(file, SNAPSHOT.pattern);
    const reader = new GroupReader(file, SNAPSHOT.ending, 1);
    visitAll(reader, visit);
    const closing = SNAPSHOT.closing(reader.number - 1);
    if (file.peek(closing.length + 1).toString("latin1") !== closing) throw damageAt(reader);
    return { group, bytes: file.size };
  });
}

/** The number of the last group in a snapshot; 0 where there is none. */
export function readSnapshotGroup(path: string): number {
  return existsSync(path) ? reading(path, (file) => readHeading(file, SNAPSHOT.pattern)) : 0;
}

/**
 * Undefined where there is none, or one from before group `after`: what it holds is in the snapshot.
 * Given a log it is the newest journal, the last group of which may never have been finished.
 */
export function readJournal(path: string, after: number, visit: Visit, log?: Log): Extent | undefined {
  if (!existsSync(path)) return undefined;
  return reading(path, (file) => {
    const first = readHeading(file, JOURNAL.pattern);
    if (first < after && !log) return undefined;
    if (first !== after) {
      throw new StoreDamaged(path, 1, `it continues group ${first}, but what precedes it ends with ${after}`);
    }
    const reader = new GroupReader(file, JOURNAL.ending, first + 1);
    visitAll(reader, visit);
    const rest = file.size - file.offset;
    if (rest > 0) {
      if (!log || holdsGroup(file.peek(rest), JOURNAL.ending)) throw damageAt(reader);
      log.warn(
        { file: path, line: reader.line, bytes: rest },
        "dropped a last group that was never finished",
      );
    }
    return { group: reader.number - 1, bytes: file.offset };
  });
}

function reading<T>(path: string, read: (file: InputFile) => T): T {
  const file = new InputFile(path);
  try {
    return read(file);
  } finally {
    file.close();
  }
}

function readHeading(file: InputFile, pattern: RegExp): number {
  const heading = file.peekLine(80);
  const match = heading && pattern.exec(heading);
  if (!match) throw new StoreDamaged(file.path, 1, "this is not how such a file begins");
  if (match[2] !== "1") {
    throw new Error(`${file.path} was written by a newer version (format ${match[2]}): update this one`);
  }
  file.skip(heading.length);
  return Number(match[1]);
}

function visitAll(reader: GroupReader, visit: Visit): void {
  for (let group = reader.next(); group; group = reader.next()) {
    let line = group.line;
    for (const [start, end] of linesOf(group.records, reader.ending)) {
      const parts = locateRecord(group.records, start, end);
      if (!parts) throw new StoreDamaged(reader.file.path, line, "it is no record");
      visit(group.records, start, end, parts);
      line++;
    }
  }
}

function damageAt(reader: GroupReader): StoreDamaged {
  return new StoreDamaged(reader.file.path, reader.faultyLine, "from here on it is not what was written");
}
