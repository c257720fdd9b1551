import { existsSync } from "node:fs";
import { lchown, mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Clock, iso } from "../../system/clock.ts";
import { makeDirectory } from "../../system/files/make-directory.ts";
import type { SetAside } from "../set-aside.ts";
import { fillingOf } from "./journal/filling.ts";
import { FILLING, JOURNAL, SNAPSHOT, UNFINISHED } from "./journal/layout.ts";
import { syncDirectory } from "./journal/output-file.ts";
import { lockDirectory } from "./lock.ts";

const FILES = [JOURNAL.name, JOURNAL.oldName, SNAPSHOT.name];
const BEFORE = "before-";

/**
 * Moves the store in a directory to a subdirectory, and marks the directory as being filled, so that nobody opens what
 * a kill in the middle leaves. Throws `DirectoryInUse` if a server runs on it.
 */
export async function setAsideDirectory(where: string, clock: Clock): Promise<SetAside> {
  const directory = resolve(where);
  const name = join(directory, `${BEFORE}${iso(clock.now()).replaceAll(/[:.]/g, "-")}`);
  const filesIn = (folder: string) => FILES.filter((file) => existsSync(join(folder, file)));

  const locked = (work: () => Promise<void>) => whileLocked(directory, clock, work);

  makeDirectory(directory, 0o700);
  const files = filesIn(directory);
  const filling = fillingOf(directory);
  const wasMarked = filling.isMarked();
  await locked(async () => {
    if (files.length === 0) return;
    await mkdir(name, { mode: 0o700 });
    if (wasMarked) await fillingOf(name).mark();
    else await filling.mark();
    for (const file of files) await rename(join(directory, file), join(name, file));
  });
  return {
    ...(files.length > 0 && { name }),
    putBack: () =>
      locked(async () => {
        for (const file of filesIn(directory)) await rm(join(directory, file));
        for (const file of files.toReversed()) await rename(join(name, file), join(directory, file));
        await syncDirectory(directory);
        if (!wasMarked) await filling.unmark();
        if (files.length === 0) return;
        await fillingOf(name).unmark();
        await rmdir(name);
      }),
  };
}

/** Removes the store in a directory, or what an unfinished filling left. Throws `DirectoryInUse` if a server runs on it. */
export async function removeFromDirectory(where: string, clock: Clock): Promise<void> {
  const directory = resolve(where);
  if (!existsSync(directory)) return;
  await whileLocked(directory, clock, async () => {
    for (const file of FILES) {
      for (const name of [file, file + UNFINISHED]) await rm(join(directory, name), { force: true });
    }
    await syncDirectory(directory);
    await fillingOf(directory).unmark();
  });
}

async function whileLocked(directory: string, clock: Clock, work: () => Promise<void>): Promise<void> {
  const lock = await lockDirectory(directory, clock, () => {});
  try {
    await work();
    await syncDirectory(directory);
  } finally {
    await lock.release();
  }
}

/**
 * Gives what root wrote here to the owner of the directory, since the server runs as that user. Only that, and not what
 * links lead to: the directory may hold other files, and its owner could have root give away any file of the machine.
 */
export async function giveToOwner(where: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const directory = resolve(where);
  const { uid, gid } = await stat(directory);
  const folders = (await readdir(directory)).filter((name) => name.startsWith(BEFORE));
  const ours = [...FILES, FILLING];
  for (const name of [
    ...ours,
    ...folders,
    ...folders.flatMap((folder) => ours.map((one) => join(folder, one))),
  ]) {
    await lchown(join(directory, name), uid, gid).catch((error) => {
      if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
    });
  }
}
