import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import type { MemoryDocument } from "../../../../src/tools/agent-memory/documents.ts";
import { list } from "../../../../src/tools/agent-memory/searching/list.ts";
import { MemoryProjection } from "../../../../src/tools/agent-memory/searching/memory-projection.ts";
import { placeIn, textOf } from "../../../../src/tools/agent-memory/searching/place.ts";

const NOW = 1_000_000;

interface Given extends Partial<MemoryDocument> {
  uses?: number;
}

/** Stores memories by their ids, in alphabetical order. */
function listing(given: Record<string, Given>) {
  const projection = new MemoryProjection();
  for (const [id, { uses, ...more }] of Object.entries(given)) {
    const document: MemoryDocument = {
      ...{ content: id, kind: "fact", tags: [], keywords: [], importance: 0.5, importanceReasons: [] },
      ...{ at: 0, createdAt: 0, updatedAt: 0, merges: 0 },
      ...more,
    };
    finish(projection.put(id, document, 10));
    if (uses !== undefined) projection.use(id, { count: uses, lastAt: 0 });
  }
  const page = (input: object, after?: { value: number; id: string }) =>
    finish(list(projection, { sort: "createdAt", limit: 9, ...input } as never, { after, now: NOW }));
  const ids = (input: object) =>
    page(input)
      .items.map(({ id }) => id)
      .join("");
  return { projection, page, ids };
}

const MIXED = listing({
  a: { at: 3, importance: 0.2, uses: 9 },
  b: { at: 1, importance: 0.9 },
  c: { at: 2, importance: 0.2, uses: 4 },
  d: { at: 3, importance: 0.5, uses: 4 },
});

const SORTED = [
  ["createdAt", "abcd"],
  ["-createdAt", "dcba"],
  ["at", "bcad"],
  ["-at", "dacb"],
  ["importance", "acdb"],
  ["-importance", "bdca"],
  ["uses", "bcda"],
  ["-uses", "adcb"],
] as const;

describe("a list of memories", () => {
  it.each(SORTED)("sorted by %s is %s", (sort, expected) => expect(MIXED.ids({ sort })).toBe(expected));

  it.each(SORTED)("sorted by %s is the same in pages of any length", (sort, expected) => {
    for (let limit = 1; limit <= 5; limit++) {
      const pages: string[] = [];
      let after: { value: number; id: string } | undefined;
      do {
        const { items, next } = MIXED.page({ sort, limit }, after);
        pages.push(items.map(({ id }) => id).join(""));
        after = next && placeIn(textOf(next));
      } while (after);
      expect(pages.join("")).toBe(expected);
      expect(pages.map(({ length }) => length)).toEqual(
        Array.from({ length: Math.ceil(4 / limit) }, (_, at) => Math.min(limit, 4 - at * limit)),
      );
    }
  });

  it("continues after a memory that was removed", () => {
    const { projection, page } = listing({ a: {}, b: {}, c: {} });
    const { next } = page({ limit: 2 });
    projection.remove("b");
    expect(page({ limit: 2 }, next).items.map(({ id }) => id)).toEqual(["c"]);
    expect(page({ limit: 2 }, next)).not.toHaveProperty("next");
  });

  it("has only memories that match the filters, with the ids of superseding ones", () => {
    const { ids, page } = listing({
      a: { agent: "ann", kind: "event", tags: ["x"] },
      b: { thread: "t", importance: 0.7 },
      c: { expiresAt: NOW, tags: ["x"] },
      d: { expiresAt: NOW + 1, agent: "ann", thread: "t", supersedes: ["a"] },
    });
    expect(ids({})).toBe("abd");
    expect(ids({ agent: "ann" })).toBe("ad");
    expect(ids({ thread: "t" })).toBe("bd");
    expect(ids({ agent: "ann", thread: "t" })).toBe("d");
    expect(ids({ agent: "" })).toBe("");
    expect(ids({ kind: "event" })).toBe("a");
    expect(ids({ tag: "x" })).toBe("a");
    expect(ids({ minImportance: 0.7 })).toBe("b");
    expect(page({ limit: 1 }).items).toEqual([{ id: "a", supersededBy: "d", size: 10 }]);
  });
});

describe("a cursor", () => {
  it("is read as the same place that it was written from", () => {
    for (const place of [
      { value: 0, id: "mem_1" },
      { value: -0.25, id: "with a blank" },
      { value: 1e21, id: "x" },
    ])
      expect(placeIn(textOf(place))).toEqual(place);
    expect(placeIn(undefined)).toBeUndefined();
  });

  it.each(["", "x", "1", "1 ", " 1", "x mem_1", "Infinity mem_1"])("is refused if it is %j", (cursor) => {
    const errors = [{ path: "cursor", message: "is no cursor of this list" }];
    expect(() => placeIn(cursor)).toThrow(
      expect.objectContaining({ error: "invalid_request", extras: { errors } }),
    );
  });
});
