import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import { remove, writeJson } from "../private-files.ts";
import { fileNameOf } from "../transport/base-url.ts";

/** What a server leaves for the user who runs it, in a file of theirs, as long as it runs. */
interface LocalServer {
  baseUrl: string;
  secret: string;
}

/** `Directories.data` of the user, not the server's: nothing has to tell a command where that is. */
const DIRECTORY = "local-servers";
const MAX_BYTES = 4096;

/** Returns what takes the file away again. */
export function announceLocalServer(dataDirectory: string, server: LocalServer): () => void {
  const directory = join(dataDirectory, DIRECTORY);
  const name = nameOf(server.baseUrl);
  writeJson(directory, name, server);
  return () => remove(directory, name);
}

export interface LocalSecretOptions {
  /** Hears of a file that others could have put there or could read: it counts for nothing. */
  onUnsafe?: (path: string) => void;
  /** Undefined on Windows, whose files tell by neither owner nor mode who reads them. */
  userId?: number | undefined;
}

/** The secret of a server that runs here as this user; undefined where there is none. */
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
    // Absent, or half of one: then it is as if there were none.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    onUnsafe(path);
    return undefined;
  }
}

/** The text of a plain file of this user alone, looked at once it is open; undefined for anything else. */
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
