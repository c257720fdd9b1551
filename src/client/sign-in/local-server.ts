import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { remove, writeJson } from "../private-files.ts";
import { fileNameOf } from "../transport/base-url.ts";

/** What a running server leaves in a private file for the user who runs it. */
interface LocalServer {
  baseUrl: string;
  secret: string;
}

/** In `Directories.data` of the user, not of the server, so that commands find it without configuration. */
const DIRECTORY = "local-servers";
const MAX_BYTES = 4096;

/** Writes the file, and returns a function that deletes it. */
export function announceLocalServer(dataDirectory: string, server: LocalServer): () => void {
  const directory = join(dataDirectory, DIRECTORY);
  const name = nameOf(server.baseUrl);
  writeJson(directory, name, server);
  return () => remove(directory, name);
}

export interface LocalSecretOptions {
  /** Called with the path of a file that others could have written or could read. Such a file is ignored. */
  onUnsafe?: (path: string) => void;
  /** Undefined on Windows, where owner and mode do not say who can read a file. */
  userId?: number;
}

/** Returns the secret of a server that this user runs on this machine; undefined if there is none. */
export function localSecretOf(
  dataDirectory: string,
  baseUrl: string,
  { onUnsafe = () => {}, userId = process.getuid?.() }: LocalSecretOptions = {},
): string | undefined {
  const directory = join(dataDirectory, DIRECTORY);
  const path = join(directory, nameOf(baseUrl));
  try {
    if (userId === undefined) return undefined;
    const stats = lstatSync(directory);
    const text = isPrivate(stats, userId) && stats.isDirectory() ? readOwn(path, userId) : undefined;
    if (text === undefined) {
      onUnsafe(path);
      return undefined;
    }
    const server = JSON.parse(text) as Partial<LocalServer>;
    return server.baseUrl === baseUrl && typeof server.secret === "string" ? server.secret : undefined;
  } catch (error) {
    // A file that is absent or half written counts as none.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    onUnsafe(path);
    return undefined;
  }
}

/** Returns the text of a regular file that only this user can access. Checks after opening, to avoid a race. */
function readOwn(path: string, userId: number): string | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    const sound = stats.isFile() && isPrivate(stats, userId) && stats.size <= MAX_BYTES;
    return sound ? readFileSync(file, "utf8") : undefined;
  } finally {
    closeSync(file);
  }
}

function isPrivate({ uid, mode }: Stats, userId: number): boolean {
  return uid === userId && (mode & 0o077) === 0;
}

function nameOf(baseUrl: string): string {
  return `${fileNameOf(baseUrl)}.json`;
}
