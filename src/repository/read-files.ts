import { hash } from "node:crypto";
import type { Stats } from "node:fs";
import { othersFirst } from "../system/others-first.ts";
import { LazyFacts } from "./facts.ts";
import { type LeftOut, MAX_FILE_BYTES, type Reason, reasonByName, reasonByText } from "./files/left-out.ts";
import { type Reader, textOf } from "./files/read-file.ts";
import { languageIn, languageOf } from "./languages/languages.ts";

/** The cached result of reading a file, with the state of the file at that time. */
export interface Entry {
  bytes: number;
  /** Modification time and status change time, in milliseconds. */
  changed: readonly [number, number];
  /** Of the contents: SHA-1, hexadecimal. */
  hash: string;
  /** Why the file is left out, if it is. */
  reason?: Reason;
  /** The name of the language that reads the file, and what it finds. Absent if none does. */
  language?: string;
  facts?: LazyFacts;
}

interface Sources {
  reader: Reader;
  /** Files that git tracks and a sparse checkout leaves out. Imports of them still resolve. */
  sparse: ReadonlySet<string>;
  kept: ReadonlyMap<string, Entry>;
  signal: AbortSignal | undefined;
}

/** Number of files after which the loop yields to the event loop. */
const SLICE = 64;
/** Bytes of a script in which its program is named. */
const MAX_LINE = 256;

export interface ReadFiles {
  /** All files that could be read, by path. */
  entries: Map<string, Entry>;
  leftOut: LeftOut;
  /** All files that exist, or would without a sparse checkout, whatever their contents. No links or submodules. */
  existing: Set<string>;
}

export async function readFiles(
  paths: readonly string[],
  { reader, sparse, kept, signal }: Sources,
): Promise<ReadFiles> {
  const entries = new Map<string, Entry>();
  const existing = new Set<string>();
  const leftOut: Record<Reason, string[]> = {
    binary: [],
    generated: [],
    minified: [],
    large: [],
    link: [],
    submodule: [],
    absent: [],
    unreadable: [],
  };
  for (const [index, path] of paths.entries()) {
    if (index % SLICE === SLICE - 1) {
      await othersFirst();
      signal?.throwIfAborted();
    }
    const found = entryOf(path, reader, kept.get(path)) ?? (sparse.has(path) ? "absent" : undefined);
    if (found === undefined) continue;
    const reason = typeof found === "string" ? found : found.reason;
    if (reason !== "link" && reason !== "submodule") existing.add(path);
    if (reason) leftOut[reason].push(path);
    if (typeof found !== "string") entries.set(path, found);
  }
  return { entries, leftOut, existing };
}

/** Returns undefined if the file does not exist: git also lists files deleted since. */
function entryOf(path: string, reader: Reader, known: Entry | undefined): Entry | Reason | undefined {
  const stats = reader.stat(path);
  // A name whose bytes are no UTF-8 holds a mark in their place, by which the file cannot be found.
  if (!stats) return path.includes("\uFFFD") ? "unreadable" : undefined;
  // The only directories that git lists are nested repositories.
  if (stats.isDirectory()) return "submodule";
  if (!stats.isFile()) return "link";
  if (known && isUnchanged(stats, known)) return known;
  const byName = reasonByName(path);
  // Generated code imports and is imported like any other.
  const isCode = byName === "generated" && languageOf(path) !== undefined;
  if (byName && !isCode) return byName;
  if (stats.size > MAX_FILE_BYTES) return "large";
  const contents = reader.contents(path);
  return contents ? entryFrom(path, contents, stats, known) : "unreadable";
}

function isUnchanged({ size, mtimeMs, ctimeMs }: Stats, { bytes, changed }: Entry): boolean {
  return size === bytes && mtimeMs === changed[0] && ctimeMs === changed[1];
}

function entryFrom(
  path: string,
  contents: Buffer,
  { mtimeMs, ctimeMs }: Stats,
  known: Entry | undefined,
): Entry {
  const own = { bytes: contents.length, changed: [mtimeMs, ctimeMs] as const, hash: hash("sha1", contents) };
  if (known?.hash === own.hash) return { ...known, ...own };
  const reason = reasonByName(path) ?? reasonByText(path, contents);
  const isRead = reason === undefined || reason === "generated";
  const language = isRead ? languageIn(path, () => contents.toString("latin1", 0, MAX_LINE)) : undefined;
  const facts = language && LazyFacts.of(language.read(textOf(contents), path));
  return { ...own, ...(reason && { reason }), ...(language && { language: language.name, facts }) };
}
