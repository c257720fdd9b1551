import { hash } from "node:crypto";
import {
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "../system/files/make-directory.ts";

/** When there are more, those written longest ago are removed. */
const MAX_REPOSITORIES = 40;
const MAX_BYTES = 64 << 20;

/** The cached data of one repository, in a file of the user's cache directory. */
export interface CacheFile {
  /** Undefined if the file is missing, unreadable or too large. */
  read(): Buffer | undefined;
  /** Failures are ignored: the next run computes everything again. */
  write(contents: string | Uint8Array): void;
}

/** @param folder names the kind of data. It holds one file per repository. */
export function cacheFile(cacheDirectory: string | undefined, top: string, folder: string): CacheFile {
  if (cacheDirectory === undefined) return { read: () => undefined, write: () => {} };
  const directory = join(cacheDirectory, folder);
  const file = join(directory, hash("sha1", realpathSync(top)));
  return {
    read() {
      try {
        return statSync(file).size > MAX_BYTES ? undefined : readFileSync(file);
      } catch {
        return undefined;
      }
    },
    write(contents) {
      if (contents.length > MAX_BYTES) return;
      try {
        makeDirectory(directory, 0o700);
        const temporary = `${file}.${process.pid}`;
        writeFileSync(temporary, contents, { mode: 0o600 });
        renameSync(temporary, file);
        removeOldest(directory);
      } catch {}
    },
  };
}

function removeOldest(directory: string): void {
  const files = readdirSync(directory).map((name) => {
    const path = join(directory, name);
    return { path, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  files.sort((left, right) => right.changed - left.changed);
  for (const { path } of files.slice(MAX_REPOSITORIES)) rmSync(path, { force: true });
}
