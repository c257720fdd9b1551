import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import { OperationalError } from "../system/operational-error.ts";
import { openLateFile } from "./json-file/journal/late-file.ts";
import { dumpDirectory } from "./json-file/journal/read-directory.ts";
import { openJsonFileStore } from "./json-file/json-file-store.ts";
import {
  directoryReadOnlyReason,
  makeDirectoryReadOnly,
  makeDirectoryWritable,
} from "./json-file/read-only.ts";
import { giveToOwner, removeFromDirectory, setAsideDirectory } from "./json-file/set-aside.ts";
import type { SetAside } from "./set-aside.ts";
import type { Collection, OpenedStore, StoreItem } from "./store.ts";

export interface StoreOptions {
  /** Every collection that will be used. */
  collections: readonly Collection<unknown>[];
  clock: Clock;
  log: Log;
  /**
   * A `postgres://` URL of the same database without the pooler, if `where` leads to a pooler in transaction mode.
   * Serves migrations and the connection on which an instance receives notifications of writes.
   */
  directUrl?: string | undefined;
  /** Opens a store that `setAside` has marked as being filled, for who fills it. */
  fills?: boolean | undefined;
  /** Ends the process where the store cannot continue. By default it ends at once. */
  terminate?: (error: unknown) => void;
}

/** Opens the store that `where` names: a directory, which is created if it is missing, or a `postgres://` URL. */
export async function openStore(where: string, options: StoreOptions): Promise<OpenedStore> {
  if (isDatabase(where)) {
    const { openPostgresStore } = await import("./postgres/postgres-store.ts");
    return openPostgresStore(where, options);
  }
  assertDirectory(where);
  return openJsonFileStore(where, options);
}

/**
 * Opens a directory whose data is durable only once it is closed, which is much faster. For data that can be recreated.
 */
export function openUnsafeStore(directory: string, options: StoreOptions): Promise<OpenedStore> {
  return openJsonFileStore(directory, { ...options, openFile: openLateFile });
}

/**
 * Reads the store that `where` names while servers write to it: everything but the rate-limit windows, as of one
 * instant after all that was acknowledged before. Throws `OperationalError` if there is no readable store.
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

/** Gives files that another user wrote to the store that `where` names to the user of its server. */
export async function handOver(where: string): Promise<void> {
  if (!isDatabase(where)) await giveToOwner(where);
}

/**
 * Moves the store that `where` names aside. What takes its place is marked as being filled, so that nobody takes it for
 * a new store if this process is killed. Throws `OperationalError` if the store is in use.
 */
export async function setAside(where: string, clock: Clock): Promise<SetAside> {
  if (!isDatabase(where)) return setAsideDirectory(where, clock);
  const { setAsideDatabase } = await import("./postgres/set-aside.ts");
  return setAsideDatabase(where, clock);
}

/**
 * Removes the store that `where` names, or what an unfinished filling left. Throws `OperationalError` if the store is in
 * use.
 */
export async function removeStore(where: string, clock: Clock): Promise<void> {
  if (!isDatabase(where)) return removeFromDirectory(where, clock);
  const { removeFromDatabase } = await import("./postgres/set-aside.ts");
  return removeFromDatabase(where);
}

/**
 * Makes the store that `where` names read only until `makeWritable`. Resolves when nothing is written to it any more.
 * Its servers continue to read, and refuse writes with `ReadOnly`.
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

/** Returns why the store that `where` names is read only; undefined if it is writable. */
export async function readOnlyReason(where: string): Promise<string | undefined> {
  if (!isDatabase(where)) return directoryReadOnlyReason(where);
  const { databaseReadOnlyReason } = await import("./postgres/read-only.ts");
  return databaseReadOnlyReason(where);
}

/** Throws if `where` would leave a store's files in the working directory: the value of an unset variable, or a URL. */
function assertDirectory(where: string): void {
  if (where !== "" && !/^\W?[a-z][a-z0-9+.:-]*:\/\//i.test(where)) return;
  throw new OperationalError("The store is named by a directory or a postgres:// URL, and this is neither.");
}

function isDatabase(where: string): boolean {
  return /^postgres(ql)?:/.test(where);
}
