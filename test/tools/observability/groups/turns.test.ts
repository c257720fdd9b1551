import { describe, expect, it } from "vitest";
import { GLOBAL } from "../../../../src/store/store.ts";
import {
  type ErrorGroupDocument,
  errorDetails,
  errorGroups,
  errorReleases,
  fingerprintIn,
  observabilityCollections,
  timeId,
} from "../../../../src/tools/observability/documents.ts";
import {
  type Decision,
  stateChangeOf,
  stateOf,
} from "../../../../src/tools/observability/groups/decision.ts";
import { listErrors } from "../../../../src/tools/observability/list.ts";
import type { Occurrence } from "../../../../src/tools/observability/occurrence.ts";
import { knownAt, putGroup, record } from "../../../../src/tools/observability/record.ts";
import { fakeClock } from "../../../support/clock.ts";
import { openTestStore } from "../../../support/store.ts";

const decided = (more: Partial<Decision>): Decision => ({ state: "ignored", by: "usr", at: 100, ...more });

describe("stateOf()", () => {
  it.each<[Decision | undefined, string]>([
    [undefined, "open"],
    [decided({}), "ignored"],
    [decided({ state: "resolved" }), "resolved"],
    [decided({ until: 50 }), "open"],
    [decided({ until: 49 }), "open"],
    [decided({ until: 51 }), "ignored"],
  ])("maps the decision %j to %s", (decision, state) => {
    expect(stateOf({ count: 1, ...(decision && { decision }) }, 50)).toBe(state);
  });
});

describe("stateChangeOf()", () => {
  it.each<
    [string, Decision | undefined, { at?: number; count?: number; known?: number }, string | undefined]
  >([
    ["of what nobody decided on", undefined, {}, undefined],
    ["of what is ignored for good", decided({}), { at: 1e15, count: 1e9 }, undefined],
    ["below the count", decided({ untilCount: 5 }), { count: 4 }, undefined],
    ["at the count", decided({ untilCount: 5 }), { count: 5 }, "unignored"],
    ["before the time", decided({ until: 200 }), { at: 199 }, undefined],
    ["at the time", decided({ until: 200 }), { at: 200 }, "unignored"],
    [
      "after the time, below the count",
      decided({ until: 200, untilCount: 5 }),
      { at: 300, count: 1 },
      "unignored",
    ],
    ["before what is resolved was", decided({ state: "resolved" }), { at: 100 }, undefined],
    ["after that", decided({ state: "resolved" }), { at: 101 }, "regressed"],
    ["without a release", decided({ state: "resolved", inNextRelease: true }), { at: 101 }, undefined],
    [
      "of a release known then",
      decided({ state: "resolved", inNextRelease: true }),
      { at: 101, known: 100 },
      undefined,
    ],
    [
      "of a later release",
      decided({ state: "resolved", inNextRelease: true }),
      { at: 101, known: 101 },
      "regressed",
    ],
    [
      "of a later release, of before",
      decided({ state: "resolved", inNextRelease: true }),
      { at: 99, known: 101 },
      undefined,
    ],
  ])("for an occurrence %s returns %4$s", (_, decision, { at = 150, count = 1, known }, turn) => {
    const group = { count, ...(decision && { decision }) };
    expect(stateChangeOf(group, { at, releaseKnownAt: known })).toBe(turn);
  });
});

async function open() {
  const store = await openTestStore({ clock: fakeClock(), collections: observabilityCollections });
  const now = fakeClock().now();
  const seen = (at: number, more: Partial<Occurrence> = {}, space: string = GLOBAL) =>
    store.transact((tx) =>
      record(tx, space, {
        ...{ fingerprint: "e", source: "client", type: "Error", message: "broken", count: 1 },
        ...{ firstAt: now + at, lastAt: now + at },
        ...more,
      }),
    );
  const kept = () =>
    store.transact(async (tx) => {
      const [group, details] = [
        await tx.get(errorGroups, GLOBAL, "e"),
        await tx.get(errorDetails, GLOBAL, "e"),
      ];
      return { group: group as ErrorGroupDocument, details: details as NonNullable<typeof details> };
    });
  const decide = async (decision: Omit<Decision, "by">) => {
    const { group } = await kept();
    const changed = { ...group, decision: { by: "usr", ...decision, at: now + decision.at } };
    await store.transact((tx) => putGroup(tx, GLOBAL, "e", changed, group.lastSeenAt));
  };
  const list = async (query: Partial<Parameters<typeof listErrors>[2]> = {}, spaces = [GLOBAL]) =>
    listErrors(store, spaces, { limit: 100, ...query }, now);
  return { store, now, seen, kept, decide, list };
}

describe("record()", () => {
  it("returns new, regressed or unignored when the state changes, and otherwise nothing", async () => {
    const { seen, kept, decide, now } = await open();
    expect(await seen(0)).toMatchObject({ turn: "new", fingerprint: "e", group: { count: 1 } });
    expect(await seen(1)).toBeUndefined();
    await decide({ state: "resolved", at: 10 });
    expect(await seen(5)).toBeUndefined();
    expect((await kept()).group.decision).toBeDefined();
    expect(await seen(20)).toMatchObject({ turn: "regressed", group: { count: 4, regressedAt: now + 20 } });
    expect((await kept()).group).not.toHaveProperty("decision");
    await seen(30);
    expect((await kept()).group.regressedAt).toBe(now + 20);
    await decide({ state: "ignored", at: 30, untilCount: 6 });
    expect(await seen(40)).toMatchObject({ turn: "unignored", group: { regressedAt: now + 20 } });
  });

  it("keeps the fields of the newest occurrence, the first and last times and the total count", async () => {
    const { seen, kept, now } = await open();
    await seen(50, { message: "two", route: "r2", traceId: "t2", stack: "s2", places: [] });
    await seen(10, { message: "one", route: "r1", stack: "s1", count: 4 });
    expect(await kept()).toMatchObject({
      group: {
        message: "two",
        route: "r2",
        traceId: "t2",
        count: 5,
        firstSeenAt: now + 10,
        lastSeenAt: now + 50,
      },
      details: { stack: "s2", places: [] },
    });
    await seen(50, { message: "three", firstAt: now + 5 });
    const { group, details } = await kept();
    expect(group).toMatchObject({ message: "three", firstSeenAt: now + 5, count: 6 });
    for (const name of ["route", "traceId"]) expect(group).not.toHaveProperty(name);
    for (const name of ["stack", "places"]) expect(details).not.toHaveProperty(name);
  });

  it("keeps the ten latest occurrences, newest first, in any order of arrival", async () => {
    const { seen, kept, now } = await open();
    for (const at of [5, 3, 9, 1, 12, 7, 11, 2, 4, 8, 10, 6]) await seen(at, { eventId: `e${at}` });
    const { occurrences } = (await kept()).details;
    expect(occurrences.map(({ at, eventId }) => [at - now, eventId])).toEqual(
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((at) => [at, `e${at}`]),
    );
    await seen(20, { release: "r", environment: "env", traceId: "t", tags: { a: "b" } });
    expect((await kept()).details.occurrences[0]).toEqual({
      ...{ at: now + 20, release: "r", environment: "env", traceId: "t", tags: { a: "b" } },
    });
  });

  it("keeps the first release and the nine that were seen last", async () => {
    const { seen, kept, now } = await open();
    await seen(0);
    expect((await kept()).group).not.toHaveProperty("releases");
    for (let release = 0; release < 10; release++) await seen(release + 1, { release: `r${release}` });
    const names = async () => (await kept()).group.releases?.map(({ name }) => name);
    expect(await names()).toHaveLength(10);
    await seen(50, { release: "r1", count: 2 });
    await seen(60);
    await seen(70, { release: "new" });
    expect(await names()).toEqual(["r0", "r1", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "new"]);
    const [, known] = (await kept()).group.releases ?? [];
    expect(known).toEqual({ name: "r1", count: 3, firstSeenAt: now + 2, lastSeenAt: now + 50 });
    await seen(1.5, { release: "r1" });
    expect((await kept()).group.releases?.[1]).toMatchObject({
      count: 4,
      firstSeenAt: now + 1.5,
      lastSeenAt: now + 50,
    });
  });

  it("keeps the ten newest environments, each once", async () => {
    const { seen, kept } = await open();
    await seen(0);
    expect((await kept()).group).not.toHaveProperty("environments");
    for (let at = 0; at < 11; at++) await seen(at, { environment: `e${at}` });
    await seen(20, { environment: "e5" });
    await seen(30);
    expect((await kept()).group.environments).toEqual(Array.from({ length: 10 }, (_, at) => `e${at + 1}`));
  });
});

it("knownAt() evicts the release known longest when a project has 100", async () => {
  const { store } = await open();
  const known = (name: string, at: number) => store.transact((tx) => knownAt(tx, GLOBAL, name, at));
  for (let at = 0; at < 100; at++) expect(await known(`r${(at * 7) % 100}`, at)).toBe(at);
  expect(await known("r7", 500)).toBe(1);
  expect(await known("new", 600)).toBe(600);
  const names = await store.transact((tx) => tx.ids(errorReleases, GLOBAL));
  expect(names).toHaveLength(100);
  expect([names.includes("r0"), names.includes("r7"), names.includes("new")]).toEqual([false, true, true]);
  expect(await known("r0", 700)).toBe(700);
});

describe("listErrors()", () => {
  const many = async () => {
    const opened = await open();
    const { seen } = opened;
    await seen(10, { fingerprint: "a", count: 3, route: "GET /Cart", release: "r1", environment: "eu" });
    await seen(20, { fingerprint: "b", count: 1, type: "TypeError", release: "r2" }, "acc/one");
    await seen(30, { fingerprint: "c", count: 3, message: "no cart" });
    await seen(5, { fingerprint: "d", count: 7 }, "acc/one");
    const spaces = [GLOBAL, "acc/one"];
    const found = async (query: Partial<Parameters<typeof listErrors>[2]> = {}, of = spaces) =>
      (await opened.list(query, of)).items.map(({ fingerprint }) => fingerprint).join("");
    return { ...opened, spaces, found };
  };

  it("merges all given spaces in one order", async () => {
    const { found } = await many();
    expect([await found(), await found({}, [GLOBAL]), await found({}, [])]).toEqual(["cbad", "ca", ""]);
    expect(await found({ sort: "count" })).toBe("dcab");
    expect(await found({ sort: "firstSeen" })).toBe("cbad");
  });

  it("filters by time, words, release, environment and state", async () => {
    const { found, now } = await many();
    expect([await found({ since: now + 10 }), await found({ since: now + 11 })]).toEqual(["cba", "cb"]);
    expect(await found({ sort: "count", since: now + 10 })).toBe("cab");
    expect(await found({ query: "CART" })).toBe("ca");
    expect(await found({ query: " typeerror  broken " })).toBe("b");
    expect(await found({ query: "get cart" })).toBe("a");
    expect(await found({ release: "r1" })).toBe("a");
    expect(await found({ environment: "eu" })).toBe("a");
    expect([await found({ state: "open" }), await found({ state: "ignored" })]).toEqual(["cbad", ""]);
  });

  it("pages without gaps or repeats in each sort order", async () => {
    const { list, spaces } = await many();
    for (const sort of ["lastSeen", "firstSeen", "count"] as const) {
      for (let limit = 1; limit <= 4; limit++) {
        const all = (await list({ sort }, spaces)).items.map(({ fingerprint }) => fingerprint);
        const pages: string[][] = [];
        let cursor: string | undefined;
        do {
          const { items, nextCursor } = await list({ sort, limit, ...(cursor && { cursor }) }, spaces);
          pages.push(items.map(({ fingerprint }) => fingerprint));
          cursor = nextCursor;
        } while (cursor !== undefined);
        expect(pages.flat()).toEqual(all);
        expect(pages).toHaveLength(Math.ceil(4 / limit));
      }
    }
  });

  it("pages without gaps where two spaces have the same error, seen as often and at the same time", async () => {
    const { seen, list } = await open();
    const spaces = [GLOBAL, "acc/one", "acc/two"];
    for (const [index, space] of spaces.entries()) {
      await seen(10, { fingerprint: "same", message: `of ${index}` }, space);
      await seen(10 + index, { fingerprint: "other", message: `other of ${index}` }, space);
    }
    for (const sort of ["lastSeen", "firstSeen", "count"] as const) {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const { items, nextCursor } = await list({ sort, limit: 1, ...(cursor && { cursor }) }, spaces);
        found.push(...items.map(({ message }) => message));
        cursor = nextCursor;
      } while (cursor !== undefined);
      expect(found.sort()).toEqual([0, 1, 2].flatMap((index) => [`of ${index}`, `other of ${index}`]).sort());
    }
  });

  it.each([99, 100, 199])("pages %i at a time through more errors than are read at once", async (limit) => {
    const { seen, list } = await open();
    for (let at = 0; at < 305; at++) await seen(at, { fingerprint: `f${at}` });
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await list({ limit, ...(cursor && { cursor }) });
      found.push(...items.map(({ fingerprint }) => fingerprint));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(Array.from({ length: 305 }, (_, at) => `f${304 - at}`));
  });

  it("finds a match among more than 200 errors", async () => {
    const { seen, list } = await open();
    for (let at = 0; at < 205; at++)
      await seen(at, { fingerprint: `f${1000 + at}`, message: at === 3 ? "rare" : "usual" });
    expect((await list({ query: "rare" })).items.map(({ fingerprint }) => fingerprint)).toEqual(["f1003"]);
    expect((await list({ sort: "count", limit: 300 })).items).toHaveLength(205);
    expect((await list({ limit: 204 })).nextCursor).toBeDefined();
    expect((await list({ limit: 205 })).nextCursor).toBeUndefined();
  });
});

it("timeId() pads the time to sixteen digits, followed by the fingerprint", () => {
  expect(timeId(12, "e")).toBe("0000000000000012/e");
  expect([timeId(-5), fingerprintIn(timeId(12, "err_1"))]).toEqual(["0000000000000000/", "err_1"]);
});
