import { constants, fdatasync, fsync } from "node:fs";
import { copyFile, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { errorCode } from "../../../system/operational-error.ts";
import { UNFINISHED } from "./layout.ts";

/** A file that has to be durable. An interface, so that tests can make it fail. */
export interface OutputFile {
  /** Writes all of the bytes at a position, or rejects. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Resolves when what was written is on the medium. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Whether its path still leads to it, and nobody else has made it longer or shorter. As far as that can be told. */
  isInPlace(length: number): Promise<boolean>;
  /** Must not be called while anything is written or synced. */
  close(): Promise<void>;
}

/** By descriptor: the file handles of Yarn's Plug'n'Play, which replaces `node:fs/promises`, cannot sync. */
const syncFile = promisify(fsync);
const syncData = promisify(fdatasync);

export type OpenOutputFile = (path: string) => Promise<OutputFile>;

/** Opens an existing file for writing. */
export const openOutputFile: OpenOutputFile = async (path) => {
  const file = await open(path, "r+");
  // By path, as it is compared later: what Windows says of an open file need not agree with that.
  const { ino, dev } = await stat(path);
  return {
    async write(bytes, position) {
      for (let done = 0; done < bytes.length; ) {
        done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
      }
    },
    sync: () => syncData(file.fd),
    truncate: (length) => file.truncate(length),
    isInPlace: (length) =>
      stat(path).then(
        (there) => there.ino === ino && there.dev === dev && there.size === length,
        (error) => errorCode(error) !== "ENOENT",
      ),
    close: () => file.close(),
  };
};

/** Creates a file atomically: with all of its content or not at all. */
export async function createFile(path: string, content: string): Promise<void> {
  const file = await open(path + UNFINISHED, "w", 0o600);
  try {
    await file.writeFile(content);
    await syncFile(file.fd);
  } catch (error) {
    // A write to a full disk does not say to which file.
    throw Object.assign(error as Error, { path });
  } finally {
    await file.close();
  }
  await rename(path + UNFINISHED, path);
}

/** Replaces a file by a copy: whoever has it open writes to what is nobody's file any more. */
export async function replaceByCopy(path: string): Promise<void> {
  const copy = path + UNFINISHED;
  await copyFile(path, copy, constants.COPYFILE_FICLONE);
  const file = await open(copy, "r+");
  try {
    await syncFile(file.fd);
  } finally {
    await file.close();
  }
  await rename(copy, path);
  await syncDirectory(dirname(path));
}

/** Makes creations, renames and deletions in a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await syncFile(directory.fd);
  } finally {
    await directory.close();
  }
}
