import { expect, it } from "vitest";
import { projectSpace } from "../../../src/store/store.ts";
import type { Analysed } from "../../../src/tools/agent-memory/analyse.ts";
import type { Verdict } from "../../../src/tools/agent-memory/compare.ts";
import { type MemoryDocument, memories } from "../../../src/tools/agent-memory/documents.ts";
import { readReplaced } from "../../../src/tools/agent-memory/searching/read-listed.ts";
import { storeMemories } from "../../../src/tools/agent-memory/store-memories.ts";
import { openTestStore } from "../../support/store.ts";

const SPACE = projectSpace("acc", "one");

function memory(content: string, more: Partial<MemoryDocument> = {}): MemoryDocument {
  return {
    ...{ content, kind: "fact", tags: [], keywords: [], importance: 0.3, importanceReasons: [] },
    ...{ at: 0, createdAt: 0, updatedAt: 0, merges: 0 },
    ...more,
  };
}

async function keeping(documents: Record<string, MemoryDocument>) {
  const store = await openTestStore({ collections: [memories] });
  await store.transact(async (tx) => {
    for (const [id, document] of Object.entries(documents)) await tx.put(memories, SPACE, id, document);
  });
  return store;
}

it("readReplaced() returns up to five superseded memories that exist, with shortened contents", async () => {
  const store = await keeping({ a: memory("first"), b: memory("🙂".repeat(5000)) });
  const replacedBy = (supersedes?: string[]) =>
    store.transact((tx) => readReplaced(tx, SPACE, memory("later", supersedes ? { supersedes } : {})));
  expect(await replacedBy()).toEqual({});
  expect(await replacedBy(["gone"])).toEqual({});
  const told = { id: "a", content: "first", at: "1970-01-01T00:00:00.000Z" };
  expect(await replacedBy(["gone", "a"])).toEqual({ replaced: [told] });
  const [long] = (await replacedBy(["b"])).replaced ?? [];
  expect(long?.content).toBe("🙂".repeat(400));
  const many = (await replacedBy(["a", "a", "gone", "a", "a", "b"])).replaced ?? [];
  expect(many.map(({ id }) => id)).toEqual(["a", "a", "a", "a"]);
});

it.each([
  ["a memory that has no count of its words", undefined, 6, 5, false],
  ["and which says less", undefined, 4, 5, true],
  ["one that has", 6, 4, 5, false],
  ["and which says less than the text", 4, 6, 5, true],
  ["one that says as much", 5, 5, 5, false],
])("storeMemories() keeps the text that says more: %s", async (_, words, told, given, isReplaced) => {
  const store = await keeping({ a: memory("known", words === undefined ? {} : { words }) });
  const { at: _at, createdAt: _c, updatedAt: _u, merges: _m, ...document } = memory("said");
  const item: Analysed & { id: string } = {
    ...{ id: "new", at: undefined, masked: [] },
    document: { ...document, digest: "d", words: given },
  };
  const verdict: Verdict = { outcome: "same", id: "a", words: told };
  const slice = { items: [item], verdicts: [verdict], fresh: new Map<string, string>() };
  const [stored] = await store.transact((tx) => storeMemories(tx, SPACE, slice, 7));
  expect(stored).toMatchObject({ id: "a", outcome: "merged", document: { merges: 1, updatedAt: 7 } });
  expect(stored?.document.content).toBe(isReplaced ? "said" : "known");
  expect(stored?.document.words).toBe(isReplaced ? given : (words ?? told));
});
