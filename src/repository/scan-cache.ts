import { systemClock } from "../system/clock.ts";
import { cacheFile } from "./cache-file.ts";
import type { Entry } from "./read-files.ts";

/** Version of the cached format, increased whenever what is read out of a file changes. Older caches are discarded. */
const FORM = 5;
/**
 * A file modified so shortly before it was read may change again within the same tick of its file system's timestamps
 * (racy-git.txt of git). It is not trusted as unchanged.
 */
const RACY_MS = 2000;

/** The cached results of reading a repository's files. */
export interface FactsCache {
  entries: ReadonlyMap<string, Entry>;
  save(entries: ReadonlyMap<string, Entry>): void;
}

export function openFactsCache(cacheDirectory: string | undefined, top: string): FactsCache {
  const file = cacheFile(cacheDirectory, top, "repositories");
  const entries = entriesIn(file.read());
  const openedAt = systemClock.now();
  return {
    entries,
    save(read) {
      const isSame =
        read.size === entries.size && [...read].every(([path, entry]) => entries.get(path) === entry);
      if (!isSame) file.write(JSON.stringify({ form: FORM, entries: settled(read, openedAt) }));
    },
  };
}

function entriesIn(contents: Buffer | undefined): Map<string, Entry> {
  try {
    const { form, entries } = JSON.parse(contents?.toString() ?? "{}");
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
