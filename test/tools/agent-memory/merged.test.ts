import { describe, expect, it } from "vitest";
import { projectSpace } from "../../../src/store/store.ts";
import type { Analysed } from "../../../src/tools/agent-memory/analyse.ts";
import type { Verdict } from "../../../src/tools/agent-memory/compare.ts";
import { COUNTER, type MemoryDocument, memories, uses } from "../../../src/tools/agent-memory/documents.ts";
import { forgetMemory, storeMemories, writtenSince } from "../../../src/tools/agent-memory/store-memories.ts";
import { openTestStore } from "../../support/store.ts";

const SPACE = projectSpace("acc", "one");
const NOW = 1000;

function memory(content: string, more: Partial<MemoryDocument> = {}): MemoryDocument {
  return {
    ...{ content, kind: "fact", tags: [], keywords: [], importance: 0.3, importanceReasons: [] },
    ...{ at: 0, createdAt: 0, updatedAt: 0, merges: 0, words: 2, digest: `digest of ${content}` },
    ...more,
  };
}

function item(id: string, content: string, more: Partial<MemoryDocument> = {}): Analysed & { id: string } {
  const { at: _at, createdAt: _c, updatedAt: _u, merges: _m, ...document } = memory(content, more);
  return { id, at: more.at, masked: [], document: document as Analysed["document"] };
}

const NEW: Verdict = { outcome: "new" };

async function open(documents: Record<string, MemoryDocument> = {}) {
  const store = await openTestStore({ collections: [memories, uses] });
  await store.transact(async (tx) => {
    for (const [id, document] of Object.entries(documents)) await tx.put(memories, SPACE, id, document);
  });
  const keep = (
    given: [item: Analysed & { id: string }, verdict: Verdict][],
    fresh: Record<string, string> = {},
  ) =>
    store.transact((tx) =>
      storeMemories(
        tx,
        SPACE,
        {
          items: given.map(([item]) => item),
          verdicts: given.map(([, verdict]) => verdict),
          fresh: new Map(Object.entries(fresh)),
        },
        NOW,
      ),
    );
  const kept = async () => {
    const found = await store.transact((tx) => tx.list(memories, SPACE));
    return Object.fromEntries(found.map(({ id, value }) => [id, value]));
  };
  const counted = async () => {
    const counts = await store.transact((tx) => tx.counts(COUNTER, SPACE, { from: "", to: "~" }));
    return Object.fromEntries(counts.map(({ id, count }) => [id, count]));
  };
  return { store, keep, kept, counted };
}

describe("storeMemories()", () => {
  it("stores a new memory at its own time or now", async () => {
    const { keep, kept, counted } = await open();
    const stored = await keep([
      [item("a", "one", { at: 7 }), NEW],
      [item("b", "two"), NEW],
    ]);
    expect(stored.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["a", "stored"],
      ["b", "stored"],
    ]);
    expect((await kept()).a).toEqual(memory("one", { at: 7, createdAt: NOW, updatedAt: NOW }));
    expect((await kept()).b).toEqual(memory("two", { at: NOW, createdAt: NOW, updatedAt: NOW }));
    expect(await counted()).toEqual({});
  });

  it("merges a text into the same one in a memory, in the call or written meanwhile", async () => {
    const { keep, kept, counted } = await open({ old: memory("one"), fresh: memory("two") });
    const stored = await keep(
      [
        [item("a", "one"), { outcome: "same", id: "old", words: 2 }],
        [item("b", "two"), NEW],
        [item("c", "three"), NEW],
        [item("d", "three"), { outcome: "same", item: 2 }],
      ],
      { "digest of two": "fresh" },
    );
    expect(stored.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["old", "merged"],
      ["fresh", "merged"],
      ["c", "stored"],
      ["c", "merged"],
    ]);
    expect(Object.keys(await kept())).toEqual(["c", "fresh", "old"]);
    expect((await kept()).c).toMatchObject({ merges: 1, createdAt: NOW });
    expect(await counted()).toEqual({ merged: 3 });
  });

  it("stores a text once if the memory to merge into was forgotten meanwhile", async () => {
    const { keep, kept, counted } = await open();
    const same: Verdict = { outcome: "same", id: "gone", words: 2 };
    const stored = await keep([
      [item("a", "one"), same],
      [item("b", "one"), same],
      [item("c", "one"), { outcome: "echo", id: "gone" }],
    ]);
    expect(stored.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["a", "stored"],
      ["a", "merged"],
      ["a", "echo"],
    ]);
    expect(Object.keys(await kept())).toEqual(["a"]);
    expect(await counted()).toEqual({ merged: 1, echoes: 1 });
  });

  it("stores nothing for an echo of an existing memory, but counts the echo", async () => {
    const { keep, kept, counted } = await open({ old: memory("one") });
    const [echo] = await keep([[item("a", "one"), { outcome: "echo", id: "old" }]]);
    expect(echo).toEqual({ id: "old", document: memory("one"), outcome: "echo" });
    expect(await kept()).toEqual({ old: memory("one") });
    expect(await counted()).toEqual({ echoes: 1 });
  });

  it("records which existing memories a text supersedes", async () => {
    const { keep } = await open({ old: memory("one") });
    const [, later, last] = await keep([
      [item("a", "two"), NEW],
      [item("b", "three"), { outcome: "new", supersedes: [{ id: "old" }, { id: "gone" }, { item: 0 }] }],
      [item("c", "four"), { outcome: "new", supersedes: [{ id: "gone" }] }],
    ]);
    expect(later?.document.supersedes).toEqual(["old", "a"]);
    expect(last?.document).not.toHaveProperty("supersedes");
  });
});

describe("a merged memory", () => {
  const merged = async (before: Partial<MemoryDocument>, given: Partial<MemoryDocument>) => {
    const { keep, store } = await open({ old: memory("known", before) });
    const [stored] = await keep([[item("a", "said", given), { outcome: "same", id: "old", words: 2 }]]);
    const there = await store.transact((tx) => tx.get(memories, SPACE, "old"));
    expect(there).toEqual(stored?.document);
    return stored?.document as MemoryDocument;
  };

  it("has the text with more words, with the keywords of that text", async () => {
    const more = { words: 3, keywords: ["k"], agent: "ann", kind: "event" as const };
    expect(await merged({ keywords: ["old"] }, more)).toEqual(
      memory("said", { words: 3, keywords: ["k"], updatedAt: NOW, merges: 1 }),
    );
    expect(await merged({ keywords: ["old"] }, { words: 2, keywords: ["k"] })).toEqual(
      memory("known", { keywords: ["old"], updatedAt: NOW, merges: 1 }),
    );
  });

  it("has the higher importance of the two", async () => {
    const [low, high] = [
      { importance: 0.2, importanceReasons: ["low"] },
      { importance: 0.8, importanceReasons: ["high"] },
    ];
    expect(await merged(low, high)).toMatchObject(high);
    expect(await merged(high, low)).toMatchObject(high);
    expect(await merged(low, { ...low, importanceReasons: ["other"] })).toMatchObject(low);
  });

  it("has the later expiry of the two, or none if one has none", async () => {
    expect((await merged({ expiresAt: 5e15 }, { expiresAt: 6e15 })).expiresAt).toBe(6e15);
    expect((await merged({ expiresAt: 6e15 }, { expiresAt: 5e15 })).expiresAt).toBe(6e15);
    expect(await merged({ expiresAt: 6e15 }, {})).not.toHaveProperty("expiresAt");
    expect(await merged({}, { expiresAt: 6e15 })).not.toHaveProperty("expiresAt");
  });

  it("has the tags and metadata of both, with the later value of a shared key", async () => {
    const { tags, metadata } = await merged(
      { tags: ["a", "b"], metadata: { a: 1, b: 1 } },
      { tags: ["b", "c"], metadata: { b: 2, c: 2 } },
    );
    expect([tags, metadata]).toEqual([["a", "b", "c"], { a: 1, b: 2, c: 2 }]);
    expect(await merged({}, {})).not.toHaveProperty("metadata");
  });

  it("keeps the earlier metadata if both together exceed the bound", async () => {
    const text = "x".repeat(16 * 1024 - '{"a":"","b":1}'.length);
    expect((await merged({ metadata: { a: text } }, { metadata: { b: 1 } })).metadata).toHaveProperty("b");
    expect((await merged({ metadata: { a: `${text}x` } }, { metadata: { b: 1 } })).metadata).toEqual({
      a: `${text}x`,
    });
  });
});

describe("writtenSince()", () => {
  it("returns later memories with words by digest, or undefined if there are too many", async () => {
    const { store, keep } = await open({ old: memory("one") });
    const changes = await store.transact((tx) => tx.changes(memories, SPACE));
    const { version } = changes as Exclude<typeof changes, "reset">;
    await keep([
      [item("a", "two"), NEW],
      [item("b", "", { words: 0 }), NEW],
    ]);
    await store.transact((tx) =>
      tx.put(memories, SPACE, "c", { ...memory("three"), digest: undefined as never }),
    );
    await store.transact((tx) => tx.delete(memories, SPACE, "old"));
    const since = (from: string | undefined) => store.transact((tx) => writtenSince(tx, SPACE, from));
    expect(await since(version)).toEqual(new Map([["digest of two", "a"]]));
    await keep(Array.from({ length: 9 }, (_, at) => [item(`m${at}`, `${at}${"x".repeat(9000)}`), NEW]));
    expect(await since(version)).toBeUndefined();
  });
});

it("forgetMemory() deletes a memory with its uses, once", async () => {
  const { store } = await open({ old: memory("one") });
  await store.transact((tx) => tx.put(uses, SPACE, "old", { count: 3, lastAt: 1 }));
  const forget = () => store.transact((tx) => forgetMemory(tx, SPACE, "old"));
  expect([await forget(), await forget()]).toEqual([true, false]);
  const left = await store.transact(async (tx) => [await tx.ids(memories, SPACE), await tx.ids(uses, SPACE)]);
  expect(left).toEqual([[], []]);
});
