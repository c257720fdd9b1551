import type { Clock } from "../system/clock.ts";
import type { Log } from "../system/log.ts";
import { openJsonFileStore } from "./json-file/json-file-store.ts";
import type { Collection, OpenedStore } from "./store.ts";

export interface StoreOptions {
  /** Every collection that will be used. */
  collections: readonly Collection<unknown>[];
  clock: Clock;
  log: Log;
}

/** Opens the store that `where` names: a directory, which is made where it is missing, or a `postgres://` URL. */
export async function openStore(where: string, options: StoreOptions): Promise<OpenedStore> {
  if (/^postgres(ql)?:/.test(where)) {
    const { openPostgresStore } = await import("./postgres/postgres-store.ts");
    return openPostgresStore(where, options);
  }
  return openJsonFileStore(where, options);
}
