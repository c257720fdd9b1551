import type { Clock } from "../system/clock.ts";
import { createRandom } from "../system/random.ts";
import type { HeapGuard } from "./json-file/heap-guard.ts";
import { Tables } from "./json-file/tables.ts";
import { createTransactions, type TransactionsOptions } from "./json-file/transactions.ts";
import type { Store } from "./store.ts";

/** Opens a store without durability: the JSON file store without its file. */
export function openMemoryStore(clock: Clock): Pick<Store, "transact"> & { close(): Promise<void> } {
  const tables = new Tables();
  const opening = createRandom(clock).id("opening");
  return createTransactions({ tables, commit: immediately(tables), guard: UNBOUNDED, clock, opening });
}

/** Treats every write as durable at once. */
export function immediately(tables: Tables): TransactionsOptions["commit"] {
  return {
    hold() {},
    release() {
      tables.save();
      tables.saved(tables.version);
    },
    whenDurable: (_, durable) => durable(),
    stalled: false,
  };
}

const UNBOUNDED: HeapGuard = {
  refusal: () => undefined,
  measure() {},
  canGrow: () => true,
  describe: () => undefined,
};
