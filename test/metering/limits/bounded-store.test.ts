import { describe, expect, it } from "vitest";
import { type Account, accounts } from "../../../src/accounts/model.ts";
import { type BoundedStoreOptions, boundedStore } from "../../../src/metering/limits/bounded-store.ts";
import { boundsReport } from "../../../src/metering/limits/bounds-report.ts";
import {
  collection,
  GLOBAL,
  NoRoom,
  projectSpace,
  type Space,
  type Store,
  type Transaction,
} from "../../../src/store/store.ts";
import { openTestStore } from "../../support/store.ts";
import { ACCOUNT, nothingUsed, noUseLimits, openMetering } from "../metering.ts";

const things = collection<{ text: string }>("things");
const SPACE = projectSpace(ACCOUNT, "default");
const PLENTY = 2 ** 40;

const account = (id: string): Account => ({ id, name: "One", plan: "pro", createdAt: 0 });

/** Opens a bounded store with one account. Its documents are the account itself and those that are put. */
async function openBounded(
  bounds: { storageBytes?: number; documents?: number },
  more: Partial<BoundedStoreOptions> = {},
) {
  const store = more.store ?? (await openTestStore({ collections: [accounts, things] }));
  await store.transact((tx) => tx.put(accounts, GLOBAL, ACCOUNT, account(ACCOUNT)));
  const refused: string[] = [];
  const bounded = boundedStore({
    store,
    boundsOf: () => ({
      ...{ storageBytes: PLENTY, documents: PLENTY, computeSecondsPerMinute: 1, jobsInFlight: 1, streams: 1 },
      planName: "Crew of ten",
      ...bounds,
    }),
    onRefused: (bound) => refused.push(bound),
    ...more,
  });
  const put = (id: string, characters: number, space: Space = SPACE) =>
    bounded.transact((tx) => tx.put(things, space, id, { text: "x".repeat(characters) }));
  return { store, bounded, refused, put };
}

/** Opens a store that has no room for any write. */
async function storeWithout(bound: NoRoom): Promise<Store> {
  const store = await openTestStore({ collections: [accounts, things] });
  const transact: Store["transact"] = (work, as) =>
    store.transact(async (tx) => {
      const result = await work(tx);
      if (as) throw bound;
      return result;
    }, as);
  return { ...store, transact };
}

describe("boundedStore()", () => {
  it("returns the same answers as the store itself", async () => {
    const followed = collection<{ text: string }>("followed", { changes: true });
    const store = await openTestStore({ collections: [accounts, things, followed] });
    const { bounded } = await openBounded({}, { store });
    await bounded.transact(async (tx) => {
      for (const id of ["a", "b", "gone"]) await tx.put(followed, SPACE, id, { text: id });
      await tx.insert(followed, SPACE, "c", { text: "c" });
      await tx.delete(followed, SPACE, "gone");
      expect(await tx.increment("visits", SPACE, "today", 3)).toBe(3);
    });
    const ask = (tx: Transaction) =>
      Promise.all([
        tx.get(followed, SPACE, "a"),
        tx.has(followed, SPACE, "a"),
        tx.has(followed, SPACE, "gone"),
        tx.peek(followed, SPACE, "b"),
        tx.list(followed, SPACE, { after: "a", limit: 1 }),
        tx.ids(followed, SPACE, { prefix: "c" }),
        tx.counts("visits", SPACE, { from: "", to: "~" }),
        tx.changes(followed, SPACE, undefined, { maxBytes: 1 }),
      ]);
    const answers = await bounded.transact(ask);
    expect(answers).toEqual(await store.transact(ask));
    expect(answers.slice(0, 6)).toEqual([
      { text: "a" },
      true,
      false,
      { text: "b" },
      [{ id: "b", value: { text: "b" } }],
      ["c"],
    ]);
    const none = { bytes: 0, documents: 0 };
    const asserting = bounded.transact(async (tx) => {
      await tx.put(followed, SPACE, "d", { text: "d" });
      await tx.assertRoom(ACCOUNT, none);
    });
    await expect(asserting).rejects.toMatchObject({ error: "quota_exceeded" });
  });

  it("refuses a write beyond a bound as a whole, and gives the figures in the error", async () => {
    const { bounded, put, refused } = await openBounded({ storageBytes: 3 * 2 ** 20 });
    await put("a", 2 * 2 ** 20);
    await expect(put("b", 1.5 * 2 ** 20)).rejects.toMatchObject({
      error: "quota_exceeded",
      detail: expect.stringMatching(
        /^This account \(plan Crew of ten\) may hold 3 MiB of storage in all its projects together and holds 2 MiB \([\d,]+ bytes\); with this it would be 3\.5 MiB \(3,6\d\d,\d\d\d bytes\)\. Delete /,
      ),
      extras: { members: { bound: "storageBytes", limit: 3 * 2 ** 20, used: expect.any(Number) } },
    });
    expect(refused).toEqual(["storageBytes"]);
    expect(await bounded.transact((tx) => tx.ids(things, SPACE))).toEqual(["a"]);
  });

  it("refuses growth by put, insert and increment", async () => {
    const { bounded, store, put, refused } = await openBounded({ documents: 1 });
    await put("a", 1);
    await expect(put("b", 1)).rejects.toMatchObject({
      detail: expect.stringMatching(
        /^This account \(plan Crew of ten\) may hold 1 documents .* holds 1; with this it would be 2\. /,
      ),
    });
    await expect(bounded.transact((tx) => tx.insert(things, SPACE, "b", { text: "" }))).rejects.toMatchObject(
      { error: "quota_exceeded" },
    );
    expect(refused).toEqual(["documents", "documents"]);
    expect(await store.transact((tx) => tx.has(things, SPACE, "b"))).toBe(false);
    const { bounded: full } = await openBounded({ storageBytes: 10 }, { store });
    await expect(full.transact((tx) => tx.increment("calls", SPACE, "day", 1))).rejects.toMatchObject({
      error: "quota_exceeded",
    });
  });

  it("allows writes that do not grow, reads, and writes to the global space", async () => {
    const bounds = { storageBytes: PLENTY };
    const { bounded, put } = await openBounded(bounds);
    await put("a", 1000);
    await put("b", 1000);
    const { put: putWithin, bounded: within } = await openBounded({ storageBytes: 10 }, { store: bounded });
    await putWithin("a", 1000);
    await putWithin("a", 900);
    await within.transact((tx) => tx.delete(things, SPACE, "b"));
    expect(await within.transact((tx) => tx.get(things, SPACE, "a"))).toEqual({ text: "x".repeat(900) });
    expect(await within.transact((tx) => tx.list(things, SPACE))).toHaveLength(1);
    expect(await within.transact((tx) => tx.peek(things, SPACE, "a"))).toBeDefined();
    await putWithin("c", 1000, GLOBAL);
    await expect(putWithin("c", 1000)).rejects.toMatchObject({ error: "quota_exceeded" });
  });

  it("does not bound an account that is not stored", async () => {
    const { put } = await openBounded({ documents: 1 });
    for (const id of ["a", "b", "c"]) await put(id, 1, projectSpace("acc_gone", "default"));
  });

  it("omits figures from the error with hidesDetails", async () => {
    const { put, refused } = await openBounded({ documents: 1 }, { hidesDetails: true });
    await put("a", 1);
    const error = await put("b", 1).catch((error: unknown) => error);
    expect(error).toMatchObject({
      error: "quota_exceeded",
      detail: "There is no room for this at the moment.",
      extras: { members: { bound: "documents" } },
    });
    expect(JSON.stringify(error)).not.toContain("limit");
    expect(refused).toEqual(["documents"]);
  });

  it("names the server's memory as the full bound, without how much others use", async () => {
    const store = await storeWithout(new NoRoom("server memory", 1234 * 2 ** 20, 77, 99));
    const { bounded } = await openBounded({}, { store });
    const write = bounded.transact((tx) => tx.put(things, SPACE, "a", { text: "" }), { role: "answer" });
    await expect(write).rejects.toMatchObject({
      error: "quota_exceeded",
      detail: expect.stringContaining("has filled the 1,234 MiB that it sets aside"),
      extras: { members: { bound: "server memory", limit: 1234 * 2 ** 20 } },
    });
    await expect(write).rejects.not.toHaveProperty("extras.members.used");
  });

  it("rethrows errors that do not concern room", async () => {
    const { bounded, refused } = await openBounded({ documents: 1 });
    const failure = bounded.transact(async () => {
      throw new RangeError("odd");
    });
    await expect(failure).rejects.toThrow(RangeError);
    expect(refused).toEqual([]);
  });
});

describe("boundsReport()", () => {
  const caller = (...scopes: ("read" | "operator")[]) => ({
    accountId: ACCOUNT,
    credential: { kind: "api_key" as const, id: "key_one", scopes },
  });

  it("reports limit and use of each bound, with the account's own limits before the plan's", async () => {
    const { store, catalogue, setAccount } = await openMetering();
    await setAccount({ limits: { streams: 7 } });
    const computed: unknown[] = [];
    const ports = {
      store,
      catalogue,
      computeUse: (...asked: unknown[]) => {
        computed.push(asked);
        return { computeSecondsLeft: 1.26, jobsInFlight: 3 };
      },
      openStreams: (id: string) => (id === "key_one" ? 2 : 0),
      useLimits: noUseLimits,
    };
    const { plan, bounds, windows, server } = await boundsReport(ports, caller("read"));
    const tier = catalogue.tiers.find(({ id }) => id === "team");
    expect(plan).toBe("team");
    expect(bounds).toMatchObject({
      storageBytes: { limit: tier?.bounds.storageBytes, used: expect.any(Number) },
      documents: { limit: tier?.bounds.documents, used: 0 },
      computeSecondsPerMinute: {
        limit: tier?.bounds.computeSecondsPerMinute,
        used: Math.round(10 * ((tier?.bounds.computeSecondsPerMinute ?? 0) - 1.26)) / 10,
      },
      jobsInFlight: { limit: tier?.bounds.jobsInFlight, used: 3 },
      streams: { limit: 7, used: 2 },
    });
    expect(computed).toEqual([[ACCOUNT, { ...tier?.bounds, planName: tier?.name, streams: 7 }]]);
    expect(windows.map(({ name, limit, remaining }) => [name, limit, remaining])).toEqual([
      ["minute", tier?.limits.requestsPerMinute, windows[0]?.capacity],
      ["hour", tier?.limits.requestsPerHour, windows[1]?.capacity],
      ["day", tier?.limits.requestsPerDay, windows[2]?.capacity],
    ]);
    expect(server).toEqual({ takesMore: true });
  });

  it("counts the account's storage, and reports no compute use if nothing was computed", async () => {
    const { api, store } = await openMetering();
    const { body } = await api.showBounds({});
    expect(body.bounds).toMatchObject({
      computeSecondsPerMinute: { used: 0 },
      jobsInFlight: { used: 0 },
      streams: { used: 0 },
    });
    const { documents, bytes } = await store.storageOf(ACCOUNT);
    expect(body.bounds).toMatchObject({ documents: { used: documents }, storageBytes: { used: bytes } });
    await store.transact((tx) => tx.increment("calls", SPACE, "day", 1));
    expect((await api.showBounds({})).body.bounds.storageBytes.used).toBeGreaterThan(bytes);
  });

  it("reports the server's memory only to the operator", async () => {
    const { store, catalogue } = await openMetering();
    const full: Store = {
      ...store,
      headroom: {
        ...store.headroom,
        canGrow: () => false,
        describe: () => ({ bound: "server memory", usedBytes: 5, limitBytes: 9 }),
      },
    };
    const ports = {
      store: full,
      catalogue,
      computeUse: nothingUsed,
      openStreams: () => 0,
      useLimits: noUseLimits,
    };
    expect((await boundsReport(ports, caller("operator"))).server).toEqual({
      takesMore: false,
      memory: { usedBytes: 5, limitBytes: 9 },
    });
    expect((await boundsReport(ports, caller("read"))).server).toEqual({ takesMore: false });
    const unbounded = { ...full, headroom: { ...full.headroom, describe: () => undefined } };
    const { server } = await boundsReport({ ...ports, store: unbounded }, caller("operator"));
    expect(server).toEqual({ takesMore: false });
  });

  it("fails with invalid_token if the account was deleted", async () => {
    const { store, catalogue } = await openMetering();
    const ports = { store, catalogue, computeUse: nothingUsed, openStreams: () => 0, useLimits: noUseLimits };
    const gone = boundsReport(ports, { ...caller("read"), accountId: "acc_gone" });
    await expect(gone).rejects.toMatchObject({ error: "invalid_token" });
  });
});
