import { describe, expect, it } from "vitest";
import { accounts } from "../../../src/accounts/model.ts";
import { GRANULARITIES } from "../../../src/metering/contract.ts";
import { ORIGIN_COUNTERS } from "../../../src/metering/usage/origins.ts";
import { createRetention } from "../../../src/metering/usage/retention.ts";
import { accountSpace, GLOBAL, type Store, StoreUnavailable } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
/** Id of a counter of an hour a year ago. */
const OLD = "2025-01-15T12\tapi_calls\t\t\t\t";

/** Starts retention with `accountCount` accounts, each of which has an outdated counter. */
async function beside(accountCount: number) {
  const clock = fakeClock(NOON);
  const store = await openTestStore({ clock, collections: [accounts] });
  const ids = Array.from({ length: accountCount }, (_, index) => `acc_${String(index).padStart(3, "0")}`);
  await store.transact(async (tx) => {
    for (const id of ids) {
      await tx.put(accounts, GLOBAL, id, { id, name: id, plan: "team", createdAt: 0 });
      await tx.increment(ORIGIN_COUNTERS.hour, accountSpace(id), OLD, 1);
    }
  });
  const faults: { failures: Error[]; deleted: number } = { failures: [], deleted: 0 };
  const watched: Pick<Store, "transact"> = {
    async transact(work) {
      const failure = faults.failures.shift();
      if (failure) throw failure;
      const result = await store.transact(work);
      if (typeof result === "number") faults.deleted++;
      return result;
    },
  };
  const told: unknown[] = [];
  const log = {
    error: ({ err }: { err: unknown }, message: string) => told.push([err, message]),
  } as never;
  const retention = createRetention({ store: watched, clock, log });
  const left = async () => {
    const counts = await store.transact((tx) =>
      Promise.all(
        ids.map((id) => tx.counts(ORIGIN_COUNTERS.hour, accountSpace(id), { from: "", to: "~", limit: 1 })),
      ),
    );
    return counts.flat().length;
  };
  const write = () =>
    store.transact((tx) => tx.increment(ORIGIN_COUNTERS.hour, accountSpace("acc_000"), OLD, 1));
  /** Waits long enough for a sweep of a few accounts to end. */
  const idle = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  };
  return { clock, store, faults, told, log, retention, left, write, idle };
}

describe("outdated usage counters", () => {
  it("are deleted in every account, and nothing is written if there are none", async () => {
    const { retention, left, faults } = await beside(401);
    await retention.sweep();
    expect([await left(), faults.deleted]).toEqual([0, 401]);
    await retention.sweep();
    expect(faults.deleted).toBe(401);
  });

  it("are those of hours after 90 days, and of days and months after two years", async () => {
    const { retention, store } = await beside(1);
    const space = accountSpace("acc_000");
    const kept = { hour: "2025-10-17T12\t", day: "2024-01-15\t", month: "2024-01\t" };
    const over = { hour: "2025-10-17T11\t", day: "2024-01-14\t", month: "2023-12\t" };
    await store.transact(async (tx) => {
      for (const granularity of GRANULARITIES) {
        for (const id of [kept[granularity], over[granularity]]) {
          await tx.increment(ORIGIN_COUNTERS[granularity], space, id, 1);
        }
      }
    });
    await retention.sweep();
    for (const granularity of GRANULARITIES) {
      const all = { from: "", to: "~" };
      const left = await store.transact((tx) => tx.counts(ORIGIN_COUNTERS[granularity], space, all));
      expect(left).toEqual([{ id: kept[granularity], count: 1 }]);
    }
  });

  it("are deleted a minute after the start, and then every hour", async () => {
    const { clock, left, write, idle } = await beside(1);
    clock.advance(MINUTE - 1);
    await idle();
    expect(await left()).toBe(1);
    clock.advance(1);
    await expect.poll(left).toBe(0);
    await write();
    clock.advance(60 * MINUTE - 1);
    await idle();
    expect(await left()).toBe(1);
    clock.advance(MINUTE);
    await expect.poll(left).toBe(0);
  });

  it("are tried again an hour after a failure, which is logged unless the store is unavailable", async () => {
    const { clock, faults, told, left, idle } = await beside(1);
    const fault = new Error("a fault");
    for (const failure of [new StoreUnavailable("away"), fault]) {
      faults.failures = [failure];
      clock.advance(60 * MINUTE);
      await idle();
    }
    expect(told).toEqual([[fault, "old counters of usage were not deleted"]]);
    expect(await left()).toBe(1);
    clock.advance(60 * MINUTE);
    await expect.poll(left).toBe(0);
  });

  it("are no longer deleted after stop(), even in the middle of an account", async () => {
    const { clock, store, log } = await beside(1);
    const space = accountSpace("acc_000");
    await store.transact(async (tx) => {
      for (let index = 0; index < 1500; index++)
        await tx.increment(ORIGIN_COUNTERS.hour, space, `${OLD}${index}`, 1);
    });
    let stopped: Promise<void> | undefined;
    const watched: Pick<Store, "transact"> = {
      async transact(work) {
        const result = await store.transact(work);
        if (typeof result === "number") stopped ??= retention.stop();
        return result;
      },
    };
    const retention = createRetention({ store: watched, clock, log });
    await retention.sweep();
    await stopped;
    const left = await store.transact((tx) => tx.counts(ORIGIN_COUNTERS.hour, space, { from: "", to: "~" }));
    expect(left).toHaveLength(501);
  });

  it("are no longer deleted after stop(), except for the current account", async () => {
    const { clock, retention, left, faults } = await beside(3);
    clock.advance(MINUTE);
    await retention.stop();
    const after = await left();
    expect(after).toBeGreaterThanOrEqual(2);
    const { deleted } = faults;
    clock.advance(120 * MINUTE);
    await new Promise(setImmediate);
    expect([await left(), faults.deleted]).toEqual([after, deleted]);
  });
});
