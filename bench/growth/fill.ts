import { registryOf } from "../../src/server/tools/registry.ts";
import { openStore, readStore } from "../../src/store/open.ts";
import { projectSpace, type StoreItem } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { SEEDED } from "./operations.ts";

const PARTS = { clock: systemClock, log: createLog("silent") };

/**
 * Fills a store from `there` documents to `documents`, by copying the documents of the seeded project to one new
 * account after the other. No process may have the store open.
 */
export async function fill(where: string, there: number, documents: number): Promise<void> {
  const kept: Extract<StoreItem, { collection: string }>[] = [];
  const space = projectSpace("acc_default", SEEDED.project);
  for await (const item of readStore(where, PARTS)) {
    if ("collection" in item && isSeeded(item.space, SEEDED.project)) kept.push(item);
  }
  if (kept.length === 0) throw new Error(`nothing is kept in ${space}`);
  const store = await openStore(where, { ...PARTS, collections: registryOf().collections });
  try {
    await store.load(copies());
  } finally {
    await store.close();
  }

  async function* copies(): AsyncGenerator<StoreItem> {
    for (let made = Math.max(there, kept.length); made < documents; ) {
      const account = `acc_${String(made).padStart(10, "0")}`;
      for (const item of kept) {
        if (made++ === documents) return;
        yield { ...item, space: projectSpace(account, SEEDED.project) };
      }
    }
  }
}

function isSeeded(space: string, project: string): boolean {
  return space.endsWith(`/${project}`);
}
