import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import { openLateFile } from "./json-file/journal/late-file.ts";
import { dumpDirectory } from "./json-file/journal/read-directory.ts";
import { openJsonFileStore } from "./json-file/json-file-store.ts";
import {
  directoryReadOnlyReason,
  makeDirectoryReadOnly,
  makeDirectoryWritable,
} from "./json-file/read-only.ts";
import { giveToOwner, setAsideDirectory } from "./json-file/set-aside.ts";
import type { Collection, OpenedStore, StoreItem } from "./store.ts";

export interface StoreOptions {
  /** Every collection that will be used. */
  collections: readonly Collection<unknown>[];
  clock: Clock;
  log: Log;
  /**
   * Where `where` leads to a pooler that lends connections for a transaction each: a `postgres://` URL of the same
   * database without it, for the one connection on which an instance hears of writes, and for migrations.
   */
  directUrl?: string | undefined;
  /** Ends the process where the store cannot go on; at once, unless said. */
  terminate?: (error: unknown) => void;
}

/** Opens the store that `where` names: a directory, which is made where it is missing, or a `postgres://` URL. */
export async function openStore(where: string, options: StoreOptions): Promise<OpenedStore> {
  if (isDatabase(where)) {
    const { openPostgresStore } = await import("./postgres/postgres-store.ts");
    return openPostgresStore(where, options);
  }
  return openJsonFileStore(where, options);
}

/** Opens a directory of which nothing is safe until it is closed: to make in it what can be made anew, much faster. */
export function openUnsafeStore(directory: string, options: StoreOptions): Promise<OpenedStore> {
  return openJsonFileStore(directory, { ...options, openFile: openLateFile });
}

/**
 * Reads out the store that `where` names while servers go on writing to it: everything but the rate-limit
 * windows, of one instant that comes after all that was acknowledged before. Throws an Error for people.
 */
export async function* readStore(
  where: string,
  { clock, log }: Omit<StoreOptions, "collections">,
): AsyncGenerator<StoreItem> {
  if (isDatabase(where)) {
    const { dumpDatabase } = await import("./postgres/copy.ts");
    yield* dumpDatabase(where, clock, log);
  } else yield* dumpDirectory(where, clock);
}

/** A store that was moved out of the way. */
export interface SetAside {
  /** Where it is now, for people; undefined where there was none. */
  name?: string;
  /** Removes what has come in its place, and moves it back. */
  putBack(): Promise<void>;
}

/** What was written to the store that `where` names by another user than its server's is its server's. */
export async function handOver(where: string): Promise<void> {
  if (!isDatabase(where)) await giveToOwner(where);
}

/** Moves the store that `where` names out of the way of another. Throws an Error for people where it is in use. */
export async function setAside(where: string, clock: Clock): Promise<SetAside> {
  if (!isDatabase(where)) return setAsideDirectory(where, clock);
  const { setAsideDatabase } = await import("./postgres/set-aside.ts");
  return setAsideDatabase(where, clock);
}

/**
 * Resolves when nothing is written any more to the store that `where` names, until `makeWritable`: servers on it go
 * on reading, and refuse with `ReadOnly` what would write.
 */
export async function makeReadOnly(where: string, reason: string, clock: Clock): Promise<void> {
  if (!isDatabase(where)) return makeDirectoryReadOnly(where, reason, clock);
  const { makeDatabaseReadOnly } = await import("./postgres/read-only.ts");
  return makeDatabaseReadOnly(where, reason);
}

export async function makeWritable(where: string): Promise<void> {
  if (!isDatabase(where)) return makeDirectoryWritable(where);
  const { makeDatabaseWritable } = await import("./postgres/read-only.ts");
  return makeDatabaseWritable(where);
}

/** Why the store that `where` names is read only, for people; undefined where it is written to. */
export async function readOnlyReason(where: string): Promise<string | undefined> {
  if (!isDatabase(where)) return directoryReadOnlyReason(where);
  const { databaseReadOnlyReason } = await import("./postgres/read-only.ts");
  return databaseReadOnlyReason(where);
}

function isDatabase(where: string): boolean {
  return /^postgres(ql)?:/.test(where);
}
