import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { MAX_FILE_BYTES } from "./left-out.ts";

/** Reads files below one directory without following symbolic links. */
export interface Reader {
  /** Undefined if there is no such file. Links are not followed. */
  stat(path: string): Stats | undefined;
  /** What is written in a link; undefined if there is none. */
  link(path: string): string | undefined;
  /** Undefined if the file is missing, unreadable, not a regular file, or longer than `MAX_FILE_BYTES`. */
  contents(path: string): Buffer | undefined;
}

/** Decodes a file without its byte order mark, and with the line ends of today if it has those of a Macintosh. */
export function textOf(contents: Buffer): string {
  const text = contents.toString("utf8").replace(/^\uFEFF/, "");
  return text.includes("\n") ? text : text.replaceAll("\r", "\n");
}

/** Opening neither blocks on a pipe nor follows a link that replaced the file. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function readerOf(top: string): Reader {
  const directories = new Map<string, boolean>([["", true]]);

  /** Whether every component of the path is a directory and not a link. */
  function isInside(directory: string): boolean {
    const known = directories.get(directory);
    if (known !== undefined) return known;
    const above = directory.slice(0, Math.max(0, directory.lastIndexOf("/")));
    const found = isInside(above) && lstat(directory)?.isDirectory() === true;
    directories.set(directory, found);
    return found;
  }

  function lstat(path: string): Stats | undefined {
    try {
      return lstatSync(join(top, path), { throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  }

  const directoryOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

  return {
    stat: (path) => (isInside(directoryOf(path)) ? lstat(path) : undefined),
    link(path) {
      if (!isInside(directoryOf(path))) return undefined;
      try {
        return readlinkSync(join(top, path)).replaceAll("\\", "/");
      } catch {
        return undefined;
      }
    },
    contents(path) {
      if (!isInside(directoryOf(path))) return undefined;
      try {
        const file = openSync(join(top, path), FLAGS);
        try {
          const found = fstatSync(file);
          return found.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(file) : undefined;
        } finally {
          closeSync(file);
        }
      } catch {
        return undefined;
      }
    },
  };
}
