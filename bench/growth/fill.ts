import { registryOf } from "../../src/server/tools/registry.ts";
import { openStore, readStore } from "../../src/store/open.ts";
import { projectSpace, type StoreItem } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { SEEDED } from "./operations.ts";

const PARTS = { clock: systemClock, log: createLog("silent") };

/** Begins the ids of the accounts that hold copies. */
const COPIED = "acc_copied";

/**
 * Fills a store from `there` documents to `documents`, by copying the documents of the seeded project to one new
 * account after the other. No process may have the store open.
 */
export async function fill(where: string, there: number, documents: number): Promise<void> {
  const seeded: Extract<StoreItem, { collection: string }>[] = [];
  for await (const item of readStore(where, PARTS)) {
    if ("collection" in item && isSeeded(item.space)) seeded.push(item);
  }
  if (seeded.length === 0) throw new Error(`the store has no documents in the project ${SEEDED.project}`);
  const store = await openStore(where, { ...PARTS, collections: registryOf().collections });
  try {
    await store.load(copies());
  } finally {
    await store.close();
  }

  async function* copies(): AsyncGenerator<StoreItem> {
    for (let made = Math.max(there, seeded.length); made < documents; ) {
      const account = `${COPIED}${made}`;
      for (const item of seeded) {
        if (made++ === documents) return;
        yield { ...item, space: projectSpace(account, SEEDED.project) };
      }
    }
  }
}

function isSeeded(space: string): boolean {
  return space.endsWith(`/${SEEDED.project}`) && !space.startsWith(COPIED);
}
