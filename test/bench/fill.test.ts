import { expect, it } from "vitest";
import { fill } from "../../bench/growth/fill.ts";
import { SEEDED } from "../../bench/growth/operations.ts";
import { registryOf } from "../../src/server/tools/registry.ts";
import { openStore, readStore } from "../../src/store/open.ts";
import { projectSpace } from "../../src/store/store.ts";
import { createLog } from "../../src/system/log.ts";
import { fakeClock } from "../support/clock.ts";
import { temporaryDirectory } from "../support/store.ts";

const PARTS = { clock: fakeClock(), log: createLog("silent") };

it("the bench of growth measures as many documents as it says", async () => {
  const directory = temporaryDirectory();
  const { collections } = registryOf();
  const [collection] = collections as [(typeof collections)[0]];
  const store = await openStore(directory, { ...PARTS, collections });
  const space = projectSpace("acc_1", SEEDED.project);
  await store.transact(async (tx) => {
    for (let id = 0; id < 10; id++) await tx.put(collection, space, String(id), { id });
  });
  await store.close();
  for (const [there, documents] of [
    [0, 10],
    [10, 100],
    [100, 1000],
  ] as const) {
    await fill(directory, there, documents);
    let counted = 0;
    for await (const item of readStore(directory, PARTS)) if ("collection" in item) counted++;
    expect(counted).toBe(documents);
  }
});
