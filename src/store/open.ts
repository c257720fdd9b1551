import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import { dumpDirectory } from "./json-file/journal/read-directory.ts";
import { openJsonFileStore } from "./json-file/json-file-store.ts";
import { setAsideDirectory } from "./json-file/set-aside.ts";
import type { Collection, OpenedStore, StoreItem } from "./store.ts";

export interface StoreOptions {
  /** Every collection that will be used. */
  collections: readonly Collection<unknown>[];
  clock: Clock;
  log: Log;
}

/** Opens the store that `where` names: a directory, which is made where it is missing, or a `postgres://` URL. */
export async function openStore(where: string, options: StoreOptions): Promise<OpenedStore> {
  if (isDatabase(where)) {
    const { openPostgresStore } = await import("./postgres/postgres-store.ts");
    return openPostgresStore(where, options);
  }
  return openJsonFileStore(where, options);
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

/** Moves the store that `where` names out of the way of another. Throws an Error for people where it is in use. */
export async function setAside(where: string, clock: Clock): Promise<SetAside> {
  if (!isDatabase(where)) return setAsideDirectory(where, clock);
  const { setAsideDatabase } = await import("./postgres/set-aside.ts");
  return setAsideDatabase(where, clock);
}

function isDatabase(where: string): boolean {
  return /^postgres(ql)?:/.test(where);
}
