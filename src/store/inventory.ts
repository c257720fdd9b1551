import { createHash } from "node:crypto";
import type { StoreItem } from "./store.ts";

/** A summary of a store's contents that does not depend on their order, so that two stores can be compared. */
export interface Inventory {
  documents: number;
  counters: number;
  /** Sum of the SHA-256 of every item, modulo 2^256, in hexadecimal. */
  checksum: string;
}

/** Accumulates an inventory from a stream of items. */
export interface Tally {
  add(item: StoreItem): void;
  inventory(): Inventory;
}

export function createTally(): Tally {
  let documents = 0;
  let counters = 0;
  let sum = 0n;
  return {
    add(item: StoreItem): void {
      if ("counter" in item) counters++;
      else documents++;
      sum += BigInt(`0x${createHash("sha256").update(identityOf(item)).digest("hex")}`);
    },
    inventory: (): Inventory => ({
      documents,
      counters,
      checksum: BigInt.asUintN(256, sum).toString(16).padStart(64, "0"),
    }),
  };
}

function identityOf(item: StoreItem): string {
  return "counter" in item
    ? JSON.stringify(["counter", item.counter, item.space, item.id, item.count])
    : JSON.stringify(["document", item.collection, item.space, item.id, item.expiresAt ?? null, item.value]);
}
