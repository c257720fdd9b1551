import { existsSync, readFileSync, renameSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Clock } from "../../system/clock.ts";
import { OperationalError } from "../../system/operational-error.ts";
import { UNFINISHED } from "./journal/layout.ts";
import { DirectoryInUse, lockDirectory } from "./lock.ts";

/** There as long as nothing is to be written to the store, with the reason; first as a wish that its server grants. */
const FILE = "read-only";
const ASKED = "read-only.asked";
const LOOK_MS = 250;
/** For what is on its way to the disk. */
const PATIENCE_MS = 15_000;

export interface ReadOnlyWatch {
  /** Why nothing may be written; undefined where it may. */
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
        // Taken back meanwhile. Where it is not, the next look tries again, and who asked gives up in time.
      }
    });
  }

  look();
  return { reason: () => reason, stop: clock.every(LOOK_MS, look) };
}

/**
 * Resolves when nothing is written to the store in a directory any more, be there a server on it or not. Throws an
 * Error for people where that server does not answer.
 */
export async function makeDirectoryReadOnly(where: string, reason: string, clock: Clock): Promise<void> {
  const directory = resolve(where);
  const asked = join(directory, ASKED);
  const unlock = await lockDirectory(directory, clock, () => {}).catch((error) => {
    if (error instanceof DirectoryInUse) return undefined;
    throw error;
  });
  if (unlock) return write(join(directory, FILE), reason).finally(unlock);
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

/** Be it granted or a wish yet. */
export function directoryReadOnlyReason(where: string): string | undefined {
  return read(join(resolve(where), ASKED)) ?? read(join(resolve(where), FILE));
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** For the server to read, be it another user's; nobody else enters the directory. */
async function write(path: string, reason: string): Promise<void> {
  await writeFile(path + UNFINISHED, reason, { mode: 0o644 });
  await rename(path + UNFINISHED, path);
}

export async function makeDirectoryWritable(where: string): Promise<void> {
  for (const name of [ASKED, FILE]) await rm(join(resolve(where), name), { force: true });
}
