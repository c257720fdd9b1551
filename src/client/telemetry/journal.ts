import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "../../system/files/make-directory.ts";
import { isObject } from "../../system/is-object.ts";
import { read } from "../private-files.ts";

/** The events not yet in a batch, one JSON object per line, in order of arrival. */
export const PENDING = "pending.jsonl";

/** Less than the longest string. Without it, a queue that became that long could never be sent. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

interface Recorded {
  /** Unique; the server counts an event once however often it arrives. */
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  projectId?: string;
}

/** The content of one line: a telemetry event, or a usage event of `tool track` that may have been counted. */
export type Entry = Recorded &
  (
    | { event: { event: string; count?: number; payload?: Record<string, unknown> } }
    | { track: { type: string; count?: number; metadata?: Record<string, unknown> } }
  );

/**
 * Appends an entry. A single write with O_APPEND does not interleave with those of other processes. Sealing renames
 * the file. A process that has it open at that moment cannot know whether its line was read, so it writes the line
 * again. The entry's id makes that harmless.
 */
export function append(directory: string, entry: Entry): void {
  makeDirectory(directory, 0o700);
  const path = join(directory, PENDING);
  // The leading line feed separates the line from a torn one that a killed process may have left.
  const line = Buffer.from(`\n${JSON.stringify(entry)}\n`);
  while (!appendTo(path, line));
}

/**
 * Appends a line. Returns whether the file is the journal still. That is looked up while it is open: once it is closed, a
 * new journal may have the inode of the deleted one.
 */
function appendTo(path: string, line: Buffer): boolean {
  const file = openSync(path, "a", 0o600);
  try {
    if (writeSync(file, line) < line.length)
      throw new Error(`${path} could not be written: the disk is full`);
    return fstatSync(file, { bigint: true }).ino === inodeOf(path);
  } catch (error) {
    // The error of a full disk names no path.
    throw Object.assign(error as Error, { path });
  } finally {
    closeSync(file);
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

export function pendingBytes(directory: string): number {
  return statSync(join(directory, PENDING), { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Returns the entries of a journal, each once, of its last 256 MiB. Torn lines of killed processes are skipped.
 */
export function entriesOf(directory: string, name = PENDING, maxBytes = MAX_READ_BYTES): Entry[] {
  const entries = new Map<string, Entry>();
  for (const line of (readEnd(directory, name, maxBytes) ?? "").split("\n")) {
    if (line === "") continue;
    const entry = parse(line);
    if (entry) entries.set(entry.id, entry);
  }
  return [...entries.values()];
}

/** Returns the text of a file, without its beginning if it is longer than a string may be. */
function readEnd(directory: string, name: string, maxBytes: number): string | undefined {
  const path = join(directory, name);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= maxBytes) return read(directory, name);
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(maxBytes);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, maxBytes, size - maxBytes));
  } finally {
    closeSync(file);
  }
}

function parse(line: string): Entry | undefined {
  try {
    return entryIn(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/**
 * Returns the entry; undefined if the file was damaged, or written by something else. What could not be sent must not get
 * into a batch: one such entry would hold up all others.
 */
export function entryIn(value: unknown): Entry | undefined {
  if (!isObject(value)) return undefined;
  const { id, at, projectId, event, track } = value;
  const isWhole =
    typeof id === "string" &&
    typeof at === "number" &&
    !Number.isNaN(new Date(at).getTime()) &&
    (projectId === undefined || typeof projectId === "string") &&
    (isObject(event) || isObject(track));
  return isWhole ? (value as unknown as Entry) : undefined;
}
