import { hash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../system/clock.ts";
import type { Entry } from "./read-files.ts";

/** Counted up with every change of what is read out of a file: what an older program kept is read anew. */
const FORM = 2;
/** The oldest give way. */
const MAX_REPOSITORIES = 40;
const MAX_BYTES = 64 << 20;
/**
 * A file that changed so shortly before it was read may have changed again within what its file system calls
 * the same moment (racy-git.txt of git): it is not taken for unchanged.
 */
const RACY_MS = 2000;

/** What was read of a repository's files, in a file of the user's cache. */
export interface Kept {
  entries: ReadonlyMap<string, Entry>;
  /** That it cannot be written is no failure: then all is read again. */
  save(entries: ReadonlyMap<string, Entry>): void;
}

export function openKept(cacheDirectory: string | undefined, top: string): Kept {
  if (cacheDirectory === undefined) return { entries: new Map(), save: () => {} };
  const directory = join(cacheDirectory, "repositories");
  const file = join(directory, `${hash("sha1", realpathSync(top))}.json`);
  const entries = readKept(file);
  const openedAt = systemClock.now();
  return {
    entries,
    save(read) {
      const isSame =
        read.size === entries.size && [...read].every(([path, entry]) => entries.get(path) === entry);
      if (isSame) return;
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        const text = JSON.stringify({ form: FORM, entries: settled(read, openedAt) });
        if (text.length > MAX_BYTES) return;
        const temporary = `${file}.${process.pid}`;
        writeFileSync(temporary, text, { mode: 0o600 });
        renameSync(temporary, file);
        removeOldest(directory);
      } catch {}
    },
  };
}

function readKept(file: string): Map<string, Entry> {
  try {
    if (statSync(file).size > MAX_BYTES) return new Map();
    const { form, entries } = JSON.parse(readFileSync(file, "utf8"));
    return form === FORM ? new Map(entries) : new Map();
  } catch {
    return new Map();
  }
}

function settled(entries: ReadonlyMap<string, Entry>, openedAt: number): [string, Entry][] {
  return [...entries].map(([path, entry]) =>
    Math.max(...entry.changed) < openedAt - RACY_MS
      ? [path, entry]
      : [path, { ...entry, changed: [0, 0] as const }],
  );
}

function removeOldest(directory: string): void {
  const files = readdirSync(directory).map((name) => {
    const path = join(directory, name);
    return { path, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  files.sort((left, right) => right.changed - left.changed);
  for (const { path } of files.slice(MAX_REPOSITORIES)) rmSync(path, { force: true });
}
