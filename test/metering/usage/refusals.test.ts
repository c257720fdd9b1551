import { describe, expect, it } from "vitest";
import { boundedStore } from "../../../src/metering/limits/bounded-store.ts";
import { ORIGIN_COUNTERS } from "../../../src/metering/usage/origins.ts";
import { createRefusals } from "../../../src/metering/usage/refusals.ts";
import { accountSpace, type Store, StoreUnavailable } from "../../../src/store/store.ts";
import { createLog } from "../../../src/system/log.ts";
import { startApp } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { ACCOUNT, openMetering } from "../metering.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const who = (keyId: string, userId = "usr_one") => ({
  accountId: ACCOUNT,
  userId,
  credential: { kind: "api_key", id: keyId, scopes: [] } as const,
});

async function counting(storageBytes = 1e9) {
  const clock = fakeClock(NOON);
  const { store } = await openMetering({ clock });
  let transactions = 0;
  const counted: Store = {
    ...store,
    transact: (work, as) => {
      transactions++;
      return store.transact(work, as);
    },
  };
  const boundsOf = () => ({
    storageBytes,
    documents: 1e9,
    computeSecondsPerMinute: 1,
    jobsInFlight: 1,
    streams: 1,
  });
  const bounded = boundedStore({ store: counted, boundsOf });
  const refusals = createRefusals({ bounded, store: counted, clock, log: createLog("silent") });
  const days = async () => {
    const range = { from: "", to: "~" };
    const counts = await store.transact((tx) => tx.counts(ORIGIN_COUNTERS.day, accountSpace(ACCOUNT), range));
    return Object.fromEntries(counts.map(({ id, count }) => [id.replaceAll("\t", " "), count]));
  };
  return { store, refusals, days, clock, transactions: () => transactions };
}

describe("refusals of limits", () => {
  it("are counted by key, user and endpoint in one transaction a second", async () => {
    const { refusals, days, clock, transactions } = await counting();
    for (let index = 0; index < 5000; index++) refusals.note(who("key_a"), "usage.track");
    refusals.note(who("key_b", "usr_two"), "agents.list");
    expect(transactions()).toBe(0);
    clock.advance(1000);
    await expect.poll(days).toEqual({
      "2026-01-15 refused  key_a usr_one usage.track": 5000,
      "2026-01-15 refused  key_b usr_two agents.list": 1,
    });
    expect(transactions()).toBe(1);
    clock.advance(10_000);
    expect(transactions()).toBe(1);
    refusals.note(who("key_a"), "usage.track");
    await refusals.close();
    expect((await days())["2026-01-15 refused  key_a usr_one usage.track"]).toBe(5001);
  });

  it("are written in transactions of at most a hundred origins of one account", async () => {
    const { refusals, days, transactions } = await counting();
    for (let index = 0; index < 250; index++) refusals.note(who(`key_${index}`), "usage.track");
    refusals.note({ ...who("key_a"), accountId: "acc_two" }, "usage.track");
    await refusals.close();
    expect(transactions()).toBe(4);
    expect(Object.keys(await days())).toHaveLength(250);
  });

  it("are not counted twice if the outcome of the commit is unknown", async () => {
    const { store, days, clock } = await counting();
    const lost: Pick<Store, "transact"> = {
      async transact(work) {
        await store.transact(work);
        throw new StoreUnavailable("the database went away during a commit");
      },
    };
    const refusals = createRefusals({ bounded: lost, store, clock, log: createLog("silent") });
    refusals.note(who("key_a"), "usage.track");
    await refusals.close();
    expect(await days()).toEqual({ "2026-01-15 refused  key_a usr_one usage.track": 1 });
  });

  it("are all written by close(), and none is written after it", async () => {
    const { refusals, days, clock } = await counting();
    refusals.note(who("key_a"), "usage.track");
    clock.advance(1000);
    refusals.note(who("key_b"), "usage.track");
    await refusals.close();
    expect(Object.keys(await days())).toHaveLength(2);
    refusals.note(who("key_c"), "usage.track");
    clock.advance(1000);
    await new Promise(setImmediate);
    expect(Object.keys(await days())).toHaveLength(2);
  });

  it("that cannot be written are logged and do not block later ones", async () => {
    const clock = fakeClock(NOON);
    const told: [unknown, string][] = [];
    let failure: Error | undefined = new Error("the store is away");
    const written: number[] = [];
    const store = {
      transact: async () => {
        if (failure) throw failure;
        written.push(clock.now());
      },
    } as never;
    const log = { warn: (details: unknown, text: string) => told.push([details, text]) } as never;
    const refusals = createRefusals({ bounded: store, store, clock, log });
    refusals.note(who("key_a"), "usage.track");
    clock.advance(1000);
    await new Promise(setImmediate);
    expect(told).toEqual([[{ err: failure }, "refusals of limits were not counted"]]);
    failure = undefined;
    refusals.note(who("key_a"), "usage.track");
    clock.advance(1000);
    await new Promise(setImmediate);
    expect(written).toEqual([NOON + 2000]);
    await refusals.close();
    expect(written).toHaveLength(1);
  });

  it("of more than 10,000 origins are counted for the account, and none is lost", async () => {
    const { refusals, days } = await counting();
    for (let index = 0; index < 12_000; index++) refusals.note(who(`key_${index}`), "usage.track");
    await refusals.close();
    const counted = await days();
    expect(Object.keys(counted)).toHaveLength(10_001);
    expect(counted["2026-01-15 refused    "]).toBe(2000);
  });

  it("of an account without room for more counters are counted without origin", async () => {
    const { refusals, days } = await counting(100);
    for (const key of ["key_a", "key_b"]) refusals.note(who(key), "usage.track");
    await refusals.close();
    expect(await days()).toEqual({ "2026-01-15 refused    ": 2 });
  });

  it("appear in the usage report separately from the uses", async () => {
    const app = await startApp({ plan: "free" });
    const key = await app.key(["write"]);
    const answers: number[] = [];
    for (let index = 0; index < 45; index++) {
      answers.push((await app.request("POST", "/api/v1/track", { key, body: { type: "api_calls" } })).status);
    }
    const refused = answers.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    const report = async () =>
      (await app.request("GET", "/api/v1/usage?groupBy=key,tool")).body as {
        refused: number;
        groups: { keyName?: string; tool: string | null; total: number; refused: number }[];
      };
    await expect.poll(async () => (await report()).refused).toBe(refused);
    const { groups } = await report();
    expect(groups.find(({ tool }) => tool === "usage.track")).toMatchObject({
      keyName: "test",
      total: 0,
      refused,
    });
    expect(groups.find(({ tool }) => tool === null)).toMatchObject({ total: 45 - refused, refused: 0 });
    const only = await app.request("GET", "/api/v1/usage?groupBy=user&type=refused");
    expect(only.body.groups).toMatchObject([{ total: 0, refused }]);
  });
});
