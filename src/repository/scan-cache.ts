import { hash } from "node:crypto";
import { systemClock } from "../system/clock.ts";
import { cacheFile } from "./cache-file.ts";
import { LazyFacts, type Target } from "./facts.ts";
import type { Entry } from "./read-files.ts";
import type { Resolution } from "./resolution.ts";

/**
 * Version of the cached format, increased whenever what is read out of a file or how imports are resolved changes. Older
 * caches are discarded.
 */
const FORM = 17;
/**
 * A file modified so shortly before it was read may change again within the same tick of its file system's timestamps
 * (racy-git.txt of git). It is not trusted as unchanged.
 */
const RACY_MS = 2000;
/** How often the cache can be written in the time that reading the whole repository takes. */
const SAVES_PER_SCAN = 25;

/** What a scan of a repository's files found. */
export interface Scan {
  /** The results of reading the files, by path. */
  entries: ReadonlyMap<string, Entry>;
  /** The targets of their imports, by language. */
  resolutions: ReadonlyMap<string, Resolution>;
}

/** The cached scan of a repository. */
export interface ScanCache extends Scan {
  save(scan: Scan): void;
}

export function openScanCache(cacheDirectory: string | undefined, top: string): ScanCache {
  const file = cacheFile(cacheDirectory, top, "repositories");
  const before = parse(file.read()) ?? { entries: new Map(), resolutions: new Map() };
  const openedAt = systemClock.now();
  return {
    ...before,
    save(scan) {
      if (isWorthSaving(scan, before))
        file.write(format({ ...scan, entries: settled(scan.entries, openedAt) }));
    },
  };
}

/** Whether writing the scan takes less time than reading what changed since `before` once more in the next run. */
function isWorthSaving({ entries, resolutions }: Scan, before: Scan): boolean {
  if ([...resolutions].some(([language, found]) => before.resolutions.get(language) !== found)) return true;
  let [all, changed] = [0, 0];
  for (const [path, entry] of entries) {
    all += entry.bytes;
    if (before.entries.get(path) !== entry) changed += entry.bytes;
  }
  return changed > all / SAVES_PER_SCAN;
}

/** What comes first in the file: everything but the facts. */
interface Head {
  entries: [path: string, entry: Omit<Entry, "facts">, factBytes: number][];
  resolutions: [language: string, Packed][];
}

/** Writes a line with the form and a checksum of the rest, the head as a line, and the facts of one file after the other. */
function format({ entries, resolutions }: Scan): Buffer {
  const head: Head = { entries: [], resolutions: [] };
  const parts: Buffer[] = [];
  for (const [path, { facts, ...entry }] of entries) {
    head.entries.push([path, entry, facts?.bytes.length ?? 0]);
    if (facts) parts.push(facts.bytes);
  }
  for (const [language, found] of resolutions) head.resolutions.push([language, packed(found)]);
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...parts]);
  return Buffer.concat([Buffer.from(firstLine(rest)), rest]);
}

/** Returns undefined for what is missing, damaged or of another form. */
function parse(contents: Buffer | undefined): Scan | undefined {
  const rest = contents?.subarray(contents.indexOf("\n") + 1);
  if (!rest || !contents?.subarray(0, -rest.length).equals(Buffer.from(firstLine(rest)))) return undefined;
  let at = rest.indexOf("\n") + 1;
  const { entries, resolutions }: Head = JSON.parse(rest.toString("utf8", 0, at));
  const restored = entries.map(([path, entry, length]): [string, Entry] => {
    if (length === 0) return [path, entry];
    const facts = LazyFacts.from(rest.subarray(at, at + length));
    at += length;
    return [path, { ...entry, facts }];
  });
  return {
    entries: new Map(restored),
    resolutions: new Map(resolutions.map(([language, found]) => [language, unpacked(found)])),
  };
}

function firstLine(rest: Buffer): string {
  return `${FORM} ${hash("sha1", rest)}\n`;
}

/** A resolution that holds each target once: most are of many files. */
interface Packed extends Omit<Resolution, "targets"> {
  targets: Target[];
  /** Each file with the places of its targets. */
  files: [path: string, places: number[]][];
}

function packed({ targets, ...rest }: Resolution): Packed {
  const places = new Map<string, number>();
  const all: Target[] = [];
  const placeOf = (target: Target) => {
    const key = Object.values(target).join("\0");
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, all.length);
    return all.push(target) - 1;
  };
  const files = [...targets].map(([path, own]): [string, number[]] => [path, own.map(placeOf)]);
  return { ...rest, targets: all, files };
}

function unpacked({ targets, files, ...rest }: Packed): Resolution {
  const own = (places: number[]) => places.map((place) => targets[place] as Target);
  return { ...rest, targets: new Map(files.map(([path, places]) => [path, own(places)])) };
}

function settled(entries: ReadonlyMap<string, Entry>, openedAt: number): Map<string, Entry> {
  const isSettled = ({ changed }: Entry) => Math.max(...changed) < openedAt - RACY_MS;
  const all = [...entries].map(([path, entry]): [string, Entry] =>
    isSettled(entry) ? [path, entry] : [path, { ...entry, changed: [0, 0] }],
  );
  return new Map(all);
}
