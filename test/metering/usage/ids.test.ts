import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountsCollections } from "../../../src/accounts/collections.ts";
import { accounts } from "../../../src/accounts/model.ts";
import { Problem } from "../../../src/contract/problem.ts";
import { meteringCollections } from "../../../src/metering/collections.ts";
import { boundedStore } from "../../../src/metering/limits/bounded-store.ts";
import { recordBatch } from "../../../src/metering/usage/batch.ts";
import { batchNote, readBatchNote } from "../../../src/metering/usage/batch-note.ts";
import { UsageIds, usageIdBuckets } from "../../../src/metering/usage/ids.ts";
import { usageBatches, usageEventIds } from "../../../src/metering/usage/older-ids.ts";
import { GLOBAL, type Store } from "../../../src/store/store.ts";
import { fakeClock } from "../../support/clock.ts";
import { seededRandom } from "../../support/random.ts";
import { openTestStore } from "../../support/store.ts";
import { openMetering } from "../metering.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SPACE = "acc_one/default";
const ORIGIN = {
  accountId: "acc_one",
  projectId: "default",
  keyId: "key_one",
  userId: "usr_one",
  tool: "",
};

function openIds(store: Store, now: number, work: (ids: UsageIds) => Promise<void>, seed = "seed") {
  return store.transact(async (tx) => {
    const ids = await UsageIds.open(tx, SPACE, { now, rememberedMs: 90 * DAY, seed });
    await work(ids);
    await ids.write();
  });
}

describe("UsageIds", () => {
  it("finds ids with their notes like a map, added in any portions", async () => {
    const portion = fc.uniqueArray(fc.nat({ max: 5000 }), { maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(fc.array(portion, { maxLength: 12 }), fc.string(), async (portions, seed) => {
        const clock = fakeClock();
        const store = await openTestStore({ clock, collections: meteringCollections });
        const model = new Map<number, string>();
        for (const [index, numbers] of portions.entries()) {
          clock.advance(DAY);
          const add = async (ids: UsageIds) => {
            for (const number of numbers) {
              expect(await ids.find("event", `e${number}`)).toBe(model.get(number));
              if (!model.has(number)) await ids.add("event", `e${number}`, `n${index}`);
              model.set(number, model.get(number) ?? `n${index}`);
            }
          };
          await openIds(store, clock.now(), add, seed);
        }
        await openIds(store, clock.now(), async (ids) => {
          for (const [number, note] of model) expect(await ids.find("event", `e${number}`)).toBe(note);
          expect(await ids.find("batch", "e1")).toBeUndefined();
        });
      }),
      { numRuns: 15 },
    );
  });

  it("forgets ids after 90 days, and frees their space", async () => {
    const clock = fakeClock();
    const store = await openTestStore({ clock, collections: meteringCollections });
    const add = (prefix: string) => (ids: UsageIds) =>
      Promise.all(Array.from({ length: 2000 }, (_, index) => ids.add("event", `${prefix}${index}`))).then(
        () => {},
      );
    const bytes = async () => {
      clock.advance(MINUTE);
      return (await store.storageOf("acc_one")).bytes;
    };
    await openIds(store, clock.now(), add("a"));
    const once = await bytes();
    expect(once).toBeLessThan(2000 * 16);
    clock.advance(90 * DAY);
    await openIds(store, clock.now(), async (ids) => expect(await ids.find("event", "a7")).toBe(""));
    clock.advance(DAY);
    await openIds(store, clock.now(), async (ids) => expect(await ids.find("event", "a7")).toBeUndefined());
    await openIds(store, clock.now(), add("b"));
    expect(await bytes()).toBeLessThan(once * 1.1);
    clock.advance(92 * DAY);
    await expect.poll(bytes).toBe(0);
  });

  it("stores many ids in each document of a few kilobytes", async () => {
    const clock = fakeClock();
    const store = await openTestStore({ clock, collections: meteringCollections });
    for (let batch = 0; batch < 40; batch++) {
      await openIds(store, clock.now(), async (ids) => {
        for (let index = 0; index < 500; index++) await ids.add("event", `${batch}-${index}`);
      });
    }
    const buckets = await store.transact((tx) => tx.list(usageIdBuckets, SPACE));
    expect(buckets.length).toBeGreaterThan((20_000 * 16) / 9000);
    expect(buckets.length).toBeLessThan(20_000 / 80);
    for (const { value } of buckets) expect(value.length).toBeLessThan(9000);
  });

  it("keeps the outcome of each event in a batch's note", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[adimfo]{0,1000}$/), (outcomes) => {
        const fingerprint = "Zm9vYmFyMTIzNDU2Nzg5";
        const note = batchNote({ fingerprint, outcomes });
        expect(note).not.toContain(" ");
        expect(note.length).toBeLessThanOrEqual(11 + outcomes.length);
        expect(readBatchNote(note)).toEqual({ fingerprint: fingerprint.slice(0, 11), outcomes });
      }),
    );
    expect(batchNote({ fingerprint: "f".repeat(43), outcomes: "a".repeat(1000) })).toBe("fffffffffff1000a");
  });
});

describe("a store of the previous version with one document for each id", () => {
  const event = (id: string) => ({ event: "api.call", id });
  const BATCH = { batch: { id: "b0" }, events: [event("e0"), { event: "unknown" }] };

  /** Writes what that version stored for acknowledged events. */
  async function remembering(events: number) {
    const metering = await openMetering();
    const { api, store, clock } = metering;
    const expiresAt = clock.now() + 90 * DAY + 5 * MINUTE + 1;
    await store.transact(async (tx) => {
      for (let index = 0; index < events; index++) {
        await tx.put(usageEventIds, SPACE, `e${index}`, 1, { expiresAt });
      }
    });
    const left = () =>
      store.transact(async (tx) => {
        const [ids, batches] = [await tx.list(usageEventIds, SPACE), await tx.list(usageBatches, SPACE)];
        return ids.length + batches.length;
      });
    return { api, store, clock, expiresAt, left };
  }

  it("still knows all ids, and migrates them with later batches", async () => {
    const { api, clock, left } = await remembering(1200);
    const statuses = async (ids: string[]) =>
      (await api.recordBatch({ events: ids.map(event) })).body.results.map(({ status }) => status);
    expect(await statuses(["e0", "e1199", "new0"])).toEqual(["duplicate", "duplicate", "accepted"]);
    expect(await left()).toBe(700);
    expect(await statuses(["e3", "e1198", "new0", "new1"])).toEqual([
      "duplicate",
      "duplicate",
      "duplicate",
      "accepted",
    ]);
    expect(await statuses(["new2"])).toEqual(["accepted"]);
    expect(await left()).toBe(0);
    const all = Array.from({ length: 600 }, (_, index) => `e${2 * index}`);
    expect(new Set(await statuses(all))).toEqual(new Set(["duplicate"]));
    clock.advance(90 * DAY);
    expect(await statuses(["e5"])).toEqual(["duplicate"]);
  });

  it("knows an id that an instance of that version adds on the same day", async () => {
    const { api, store, clock, expiresAt, left } = await remembering(0);
    const send = async (id: string) => (await api.recordBatch({ events: [event(id)] })).body.results[0];
    for (const id of ["a", "b"]) expect((await send(id))?.status).toBe("accepted");
    await store.transact((tx) => tx.put(usageEventIds, SPACE, "theirs", 1, { expiresAt }));
    expect((await send("theirs"))?.status).toBe("duplicate");
    clock.advance(DAY);
    for (const id of ["c", "d"]) expect((await send(id))?.status).toBe("accepted");
    expect(await left()).toBe(0);
    expect((await send("theirs"))?.status).toBe("duplicate");
  });

  it("replays the answers of its batches, and refuses another body", async () => {
    const { api, store, expiresAt } = await remembering(1);
    const events = [
      { event: { event: "api.call", id: "e0", count: 1 } },
      { event: { event: "unknown", count: 1 } },
    ];
    const fingerprint = hash("sha256", JSON.stringify({ events, batch: { id: "b0" } }), "base64url");
    await store.transact((tx) =>
      tx.put(usageBatches, SPACE, "b0#0", { fingerprint, outcomes: "ai" }, { expiresAt }),
    );
    for (const _ of ["where it lies", "taken over"]) {
      const again = await api.recordBatch(BATCH);
      expect(again.headers).toEqual({ "Idempotent-Replayed": "true" });
      expect(again.body).toMatchObject({ accepted: 1, ignored: 1, duplicates: 0 });
      const other = { ...BATCH, events: BATCH.events.slice(1) };
      await expect(api.recordBatch(other)).rejects.toMatchObject({ error: "idempotency_mismatch" });
      await api.recordBatch({ events: [event("new")] });
    }
  });
});

describe("a year of telemetry", () => {
  /** Bytes of the counters by project and by origin in this test. They do not shrink with the number of requests. */
  const COUNTERS = 200 * (100 + 160);
  /** A five-hundredth of the free plan, which has 1,000 requests a day, 32 MiB and 20,000 documents. */
  const PLAN = { requestsPerDay: 2, storageBytes: Math.floor(2 ** 25 / 500) + COUNTERS, documents: 40 };
  const EVENTS = 20;
  const STEP_DAYS = 5;

  it("is accepted within the bounds of a plan, with an id for each event", async () => {
    const clock = fakeClock();
    const store = await openTestStore({
      clock,
      collections: [...accountsCollections, ...meteringCollections],
    });
    await store.transact((tx) =>
      tx.put(accounts, GLOBAL, "acc_one", { id: "acc_one", name: "One", plan: "free", createdAt: 0 }),
    );
    const { storageBytes, documents } = PLAN;
    const boundsOf = () => ({
      storageBytes,
      documents,
      computeSecondsPerMinute: 1,
      jobsInFlight: 1,
      streams: 1,
    });
    const bounded = boundedStore({ store, boundsOf });
    const random = seededRandom(clock);
    const send = (events: { event: string; id: string }[]) => {
      const batchId = random.id("bat");
      const batch = {
        batch: { id: batchId },
        events: events.map((event) => ({ event: { ...event, count: 1 } })),
      };
      const request = { batchId, now: clock.now(), seed: "seed" };
      return bounded.transact(async (tx) => (await recordBatch(tx, ORIGIN, batch, request)).answer);
    };
    for (let day = 0; day < 365; day += STEP_DAYS) {
      const batches = Array.from({ length: STEP_DAYS * PLAN.requestsPerDay }, () =>
        Array.from({ length: EVENTS }, () => ({ event: "api.call", id: random.id("evt") })),
      );
      for (const { accepted } of await Promise.all(batches.map(send))) expect(accepted).toBe(EVENTS);
      expect((await send(batches[0] ?? [])).duplicates).toBe(EVENTS);
      clock.advance(STEP_DAYS * DAY);
      await new Promise(setImmediate);
    }
    // The bound is in force. A year of telemetry fits because ids take little space.
    const flood = async () => {
      for (;;) await send(Array.from({ length: 1000 }, () => ({ event: "api.call", id: random.id("evt") })));
    };
    const refused = await flood().catch((error) => error);
    expect(refused).toBeInstanceOf(Problem);
    expect(refused).toMatchObject({ error: "quota_exceeded", status: 507 });
  });
});
