import { expect, it } from "vitest";
import { alertsCollections, DUE, dueAtOf, dueQueues } from "../../src/alerts/model.ts";
import { claim, makeDue, release } from "../../src/alerts/queue.ts";
import type { Transaction } from "../../src/store/store.ts";
import { openTestStore } from "../support/store.ts";

const [ACCOUNT, WEBHOOK] = ["acc", "wh"];
const first = { accountId: ACCOUNT, queueId: WEBHOOK, lease: "server/1" };
const second = { ...first, lease: "server/2" };

const makeDueAt = (at: number) => (tx: Transaction) => makeDue(tx, ACCOUNT, WEBHOOK, at);

async function start() {
  const { transact } = await openTestStore({ collections: alertsCollections });
  const dueAt = () =>
    transact(async (tx) => (await tx.list(dueQueues, DUE, {})).map(({ id }) => dueAtOf(id)));
  return { transact, dueAt };
}

it("a queue is due at the soonest time asked for", async () => {
  const { transact, dueAt } = await start();
  for (const at of [1_000, 2_000, 500]) await transact(makeDueAt(at));
  expect(await dueAt()).toEqual([500]);
});

it("a claimed queue stays with its server, whatever becomes due meanwhile, until it is released", async () => {
  const { transact, dueAt } = await start();
  await transact(makeDueAt(1_000));
  expect(await transact((tx) => claim(tx, first, 1_000, 46_000))).toBeDefined();
  await transact(makeDueAt(2_000));
  expect(await dueAt()).toEqual([46_000]);
  await transact((tx) => release(tx, first, 3_000));
  expect(await dueAt()).toEqual([3_000]);
});

it("a server whose lease has ended does not release the queue of the server that has taken it over", async () => {
  const { transact, dueAt } = await start();
  await transact(makeDueAt(1_000));
  await transact((tx) => claim(tx, first, 1_000, 46_000));
  await transact((tx) => claim(tx, second, 46_000, 91_000));
  await transact((tx) => release(tx, first, undefined));
  expect(await dueAt()).toEqual([91_000]);
});
