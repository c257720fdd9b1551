import { cpSync, readdirSync, readFileSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { onTestFinished } from "vitest";
import {
  type JsonFileStoreOptions,
  openJsonFileStore,
} from "../../../src/store/json-file/json-file-store.ts";
import { collection, GLOBAL, type OpenedStore, type Store } from "../../../src/store/store.ts";
import type { Log } from "../../../src/system/log.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../support/store.ts";

export const notes = collection<{ text: string }>("notes", { changes: true });

/** Opens a store on a directory, and closes it after the test. */
export async function openAt(
  directory: string,
  options: Partial<JsonFileStoreOptions> = {},
): Promise<OpenedStore> {
  const store = await openJsonFileStore(directory, {
    clock: adjustableClock(),
    log: recordingLog().log,
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

export interface Recorded {
  level: "debug" | "info" | "warn" | "error";
  details: Record<string, unknown>;
  message: string;
}

/** Creates a log that records its lines. */
export function recordingLog(): { log: Log; lines: Recorded[] } {
  const lines: Recorded[] = [];
  const at = (level: Recorded["level"]) => (details: Record<string, unknown>, message: string) => {
    lines.push({ level, details, message });
  };
  const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  return { log: { ...log, child: () => log } as unknown as Log, lines };
}

/** Resolves once `happened` returns true. It is checked at every change in the directory, also those of `cause`. */
export async function untilChanged(
  directory: string,
  happened: () => boolean,
  cause = () => {},
): Promise<void> {
  const watcher = watch(directory);
  onTestFinished(() => watcher.close());
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      try {
        if (happened()) resolve();
      } catch (error) {
        reject(error);
      }
    };
    watcher.on("change", look).on("error", reject);
    cause();
    look();
  });
  watcher.close();
}

/**
 * Copies a directory as a kill at this instant would leave it, without the lock. Other threads rename and remove files
 * meanwhile, so it copies again until one copy saw the same files from begin to end.
 */
export function imageOf(directory: string): string {
  for (;;) {
    const image = temporaryDirectory();
    const before = filesOf(directory);
    try {
      cpSync(directory, image, { recursive: true, filter: (path) => !/lock\.\d+/.test(path) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      throw error;
    }
    if (isDeepStrictEqual(filesOf(directory), before)) return image;
  }
}

/** Returns the inode of each file by name. Files that only grow stay the same. */
function filesOf(directory: string): Map<string, number | undefined> {
  const inodeOf = (name: string) => statSync(join(directory, name), { throwIfNoEntry: false })?.ino;
  return new Map(readdirSync(directory).map((name) => [name, inodeOf(name)]));
}

export function linesOf(directory: string, name: string): string[] {
  return readFileSync(join(directory, name), "utf8").split("\n");
}

export async function put(store: Store, id: string, text = id): Promise<void> {
  await store.transact((tx) => tx.put(notes, GLOBAL, id, { text }));
}

/** Returns all notes in GLOBAL, by id. */
export async function notesOf(store: Store): Promise<Record<string, string>> {
  const entries = await store.transact((tx) => tx.list(notes, GLOBAL));
  return Object.fromEntries(entries.map(({ id, value }) => [id, value.text]));
}
