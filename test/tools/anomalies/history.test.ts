import { expect, it } from "vitest";
import { projectSpace } from "../../../src/store/store.ts";
import { anomaliesContract } from "../../../src/tools/anomalies/contract.ts";
import {
  type AnomalyDocument,
  anomalies,
  anomaliesCollections,
} from "../../../src/tools/anomalies/documents.ts";
import { historyPage } from "../../../src/tools/anomalies/history.ts";
import { openTestStore } from "../../support/store.ts";

const SPACE = projectSpace("acc_1", "one");
const idOf = (index: number) => `ano_${String(index).padStart(5, "0")}`;

/** Stores `count` anomalies by index, the newest last. Returns a function that reads pages. */
async function pagesOf(count: number, rare: readonly number[]) {
  const store = await openTestStore({ collections: anomaliesCollections });
  await store.transact(async (tx) => {
    for (let index = 0; index < count; index++) {
      const metric = rare.includes(index) ? "rare" : "usual";
      const document = { metric, state: "open", severity: "low", at: null, createdAt: 0 };
      await tx.put(anomalies, SPACE, idOf(index), document as AnomalyDocument);
    }
  });
  return async (query: object) => {
    const parsed = anomaliesContract.history.input.parse(query);
    const { items, nextCursor } = await store.transact((tx) => historyPage(tx, SPACE, parsed));
    return { ids: items.map(({ id }) => id), nextCursor };
  };
}

it("a filtered page finds matches however far back they are", async () => {
  const rare = [0, 3, 499, 700, 1199];
  const page = await pagesOf(1200, rare);
  const newest = rare.toReversed().map(idOf);
  expect(await page({ metric: "rare" })).toEqual({ ids: newest, nextCursor: undefined });
  expect(await page({ metric: "rare", limit: 5 })).toEqual({ ids: newest, nextCursor: undefined });
  expect(await page({ metric: "rare", limit: 2 })).toEqual({
    ids: newest.slice(0, 2),
    nextCursor: idOf(700),
  });
  expect(await page({ metric: "rare", limit: 2, cursor: idOf(700) })).toEqual({
    ids: newest.slice(2, 4),
    nextCursor: idOf(3),
  });
  expect(await page({ metric: "rare", limit: 2, cursor: idOf(3) })).toEqual({ ids: [idOf(0)] });
  expect(await page({ metric: "none" })).toEqual({ ids: [] });
});

it("an unfiltered page has a cursor only if more anomalies follow", async () => {
  const page = await pagesOf(4, []);
  const all = [3, 2, 1, 0].map(idOf);
  expect(await page({ limit: 4 })).toEqual({ ids: all });
  expect(await page({ limit: 3 })).toEqual({ ids: all.slice(0, 3), nextCursor: idOf(1) });
  expect(await page({ limit: 3, cursor: idOf(1) })).toEqual({ ids: [idOf(0)] });
});
