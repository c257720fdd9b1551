import { expect, it, onTestFinished } from "vitest";
import { alertsCollections } from "../../src/alerts/model.ts";
import { makeDue, release } from "../../src/alerts/queue.ts";
import { createSender } from "../../src/alerts/sender.ts";
import { openMemoryStore } from "../../src/store/memory.ts";
import { fakeClock } from "../support/clock.ts";
import { openTestStore } from "../support/store.ts";

it("processes four queues of one account at once, and the next of it only once one of them is done", async () => {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: alertsCollections });
  const atWork = new Set<string>();
  const begun: string[] = [];
  let most = 0;
  await store.transact(async (tx) => {
    for (let index = 0; index < 9; index++) await makeDue(tx, "busy", `wh${index}`, clock.now());
    await makeDue(tx, "quiet", "wh0", clock.now());
  });
  let quietBegun = () => {};
  const quiet = new Promise<void>((resolve) => {
    quietBegun = resolve;
  });
  const sender = createSender({
    store,
    clock,
    log: { warn: () => {} },
    async webhook(claimed) {
      if (claimed.accountId === "quiet") quietBegun();
      else {
        begun.push(claimed.queueId);
        atWork.add(claimed.queueId);
        most = Math.max(most, atWork.size);
        // No queue of the busy account is done before the quiet account's was begun.
        await quiet;
        atWork.delete(claimed.queueId);
      }
      await store.transact((tx) => release(tx, claimed, undefined));
    },
    mail: () => Promise.resolve(),
  });
  onTestFinished(() => sender.close());
  await sender.idle();
  expect(most).toBe(4);
  expect(begun.toSorted()).toEqual(Array.from({ length: 9 }, (_, index) => `wh${index}`));
});

it("misses no call to look, at whatever moment it comes", async () => {
  const clock = fakeClock();
  const store = { ...openMemoryStore(clock), opening: "opening_test", isOpen: async () => false };
  const missed: number[] = [];
  for (let moment = 0; moment < 40; moment++) {
    const worked: string[] = [];
    const sender = createSender({
      store,
      clock,
      log: { warn: () => {} },
      async webhook(claimed) {
        worked.push(claimed.queueId);
        await store.transact((tx) => release(tx, claimed, undefined));
      },
      mail: () => Promise.resolve(),
    });
    await store.transact((tx) => makeDue(tx, "acc", `wh${moment}`, clock.now() + 10));
    await sender.idle();
    sender.wake();
    for (let step = 0; step < moment; step++) await Promise.resolve();
    clock.advance(10);
    sender.wake();
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    if (worked.length === 0) missed.push(moment);
    await sender.close();
  }
  expect(missed).toEqual([]);
});
