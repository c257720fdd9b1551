import type { Clock } from "../system/clock.ts";
import { createRandom } from "../system/random.ts";
import type { HeapGuard } from "./json-file/heap-guard.ts";
import type { GroupCommit } from "./json-file/journal/group-commit.ts";
import { Tables } from "./json-file/tables.ts";
import { createTransactions } from "./json-file/transactions.ts";
import type { Store } from "./store.ts";

/** Opens a store without durability: the JSON file store without its file. */
export function openMemoryStore(clock: Clock): Pick<Store, "transact"> & { close(): Promise<void> } {
  const tables = new Tables();
  const opening = createRandom(clock).id("opening");
  return createTransactions({ tables, commit: immediately(tables), guard: UNBOUNDED, clock, opening });
}

/** Treats every write as durable at once. */
function immediately(tables: Tables): GroupCommit {
  return {
    hold() {},
    release() {
      tables.save();
      tables.saved(tables.version);
    },
    whenDurable: (_, durable) => durable(),
    stalled: false,
    probe: async () => {},
    settled: async () => {},
    stop() {},
  };
}

const UNBOUNDED: HeapGuard = {
  refusal: () => undefined,
  measure() {},
  canGrow: () => true,
  describe: () => undefined,
};
