import { existsSync, readFileSync, renameSync, statSync } from "node:fs";
import { chmod, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Clock } from "../../system/clock.ts";
import { OperationalError } from "../../system/operational-error.ts";
import { holdsStore, noStoreIn, UNFINISHED } from "./journal/layout.ts";
import { DirectoryInUse, lockDirectory } from "./lock.ts";

/**
 * Holds the reason while the store is read only. It is created as a request (`ASKED`), which the server grants by
 * renaming it.
 */
const FILE = "read-only";
const ASKED = "read-only.asked";
const LOOK_MS = 250;
/** Leaves time for writes that are on their way to the disk. */
const PATIENCE_MS = 15_000;

export interface ReadOnlyWatch {
  /** Returns why nothing may be written; undefined if writing is allowed. */
  reason(): string | undefined;
  stop(): void;
}

/** @param settled resolves when all that was written is durable. */
export function watchReadOnly(directory: string, clock: Clock, settled: () => Promise<void>): ReadOnlyWatch {
  const [file, asked] = [join(directory, FILE), join(directory, ASKED)];
  let reason: string | undefined;
  let granting = false;

  function look(): void {
    if (granting) return;
    const wish = read(asked);
    reason = wish ?? read(file);
    if (wish === undefined) return;
    granting = true;
    void settled().then(() => {
      granting = false;
      try {
        renameSync(asked, file);
      } catch {
        // The request was withdrawn. If it was not, the next look retries, and the requester times out.
      }
    });
  }

  look();
  return { reason: () => reason, stop: clock.every(LOOK_MS, look) };
}

/**
 * Makes the store in a directory read only, whether or not a server runs on it. Resolves when nothing is written to it
 * any more. Throws `OperationalError` if there is no store, or if the server does not respond.
 */
export async function makeDirectoryReadOnly(where: string, reason: string, clock: Clock): Promise<void> {
  const directory = resolve(where);
  const asked = join(directory, ASKED);
  const lock = await lockDirectory(directory, clock, () => {}).catch((error) => {
    if (error instanceof DirectoryInUse) return undefined;
    throw error;
  });
  if (lock) {
    try {
      if (!holdsStore(directory)) throw noStoreIn(directory);
      return await write(join(directory, FILE), reason);
    } finally {
      await lock.release();
    }
  }
  await write(asked, reason);
  const until = clock.monotonic() + PATIENCE_MS;
  while (existsSync(asked)) {
    if (clock.monotonic() > until) {
      await rm(asked, { force: true });
      throw new OperationalError(
        `The server on ${directory} does not stop writing: is it older than this program, or hung?`,
      );
    }
    await clock.sleep(LOOK_MS);
  }
}

/** Returns the reason that is in effect or requested. */
export function directoryReadOnlyReason(where: string): string | undefined {
  return read(join(resolve(where), ASKED)) ?? read(join(resolve(where), FILE));
}

/**
 * A mark that cannot be read counts: whoever left it may be moving the store elsewhere. Whether there is one is asked
 * first, since a process that may not open more files can still learn that there is none.
 */
function read(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) && readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? undefined : `The mark ${path} cannot be read (${code}).`;
  }
}

/** Readable for the server even if it runs as another user. Nobody else can enter the directory. */
async function write(path: string, reason: string): Promise<void> {
  await writeFile(path + UNFINISHED, reason);
  // Not as a mode of the new file, from which a umask takes away.
  await chmod(path + UNFINISHED, 0o644);
  await rename(path + UNFINISHED, path);
}

/** Throws `OperationalError` if there is neither a mark to remove nor a store. */
export async function makeDirectoryWritable(where: string): Promise<void> {
  const directory = resolve(where);
  if (directoryReadOnlyReason(directory) === undefined && !holdsStore(directory)) throw noStoreIn(directory);
  for (const name of [ASKED, FILE]) await rm(join(directory, name), { force: true });
}
