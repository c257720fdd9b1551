import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import { GraphProjection } from "../../../../src/tools/knowledge-graph/graph/graph-projection.ts";
import { inOrder } from "../../../../src/tools/knowledge-graph/graph/in-order.ts";

const times = { createdAt: 0, updatedAt: 0 };

function put(projection: GraphProjection, id: string, text: string): void {
  const entity = { type: "node", name: id, properties: { text }, ...times };
  finish(projection.putEntity(id, entity, text.length));
}

function relate(projection: GraphProjection, key: string, from: string, to: string): void {
  finish(projection.putRelationship(key, { from, to, type: "t", ...times }, 100));
}

/** Returns a word for which no typo is tolerated. */
function number(index: number): string {
  return String(100_000 + index);
}

function found(projection: GraphProjection, q: string): string[] {
  return finish(projection.search({ q, limit: 200 })).map(({ document }) =>
    projection.graph.nodes.nameOf(document),
  );
}

describe("the index of a graph", () => {
  it("leaves out the words of the oldest entities to stay within its limit, but no relationship", () => {
    const projection = new GraphProjection(100_000);
    for (let index = 0; index < 100; index++) {
      const words = Array.from({ length: 20 }, (_, word) => number(100 * index + word));
      put(projection, `e${index}`, words.join(" "));
      if (index > 0) relate(projection, `k${index}`, `e${index - 1}`, `e${index}`);
    }
    expect(projection.bytes).toBeLessThanOrEqual(100_000);
    expect(projection.isPartial).toBe(true);
    expect(found(projection, number(9907))).toEqual(["e99"]);
    expect(found(projection, number(7))).toEqual([]);
    expect(projection.graph.edgeCount).toBe(99);
    expect(() => projection.requireWhole()).not.toThrow();
  });

  it("refuses with their numbers if entities and relationships alone exceed the limit", () => {
    const projection = new GraphProjection(20_000);
    for (let index = 0; index < 100; index++) put(projection, `e${index}`, "");
    expect(() => projection.requireWhole()).toThrow(/100 entities and 0 relationships/);
    for (let index = 0; index < 90; index++) finish(projection.removeEntity(`e${index}`));
    put(projection, "e99", "found again");
    expect(found(projection, "again")).toEqual(["e99"]);
    expect(() => projection.requireWhole()).not.toThrow();
  });

  it("finds an entity by its first 2,000 words", () => {
    const projection = new GraphProjection();
    put(projection, "long", Array.from({ length: 3000 }, (_, index) => number(index)).join(" "));
    expect(found(projection, number(1900))).toEqual(["long"]);
    expect(found(projection, number(2900))).toEqual([]);
  });

  it("looks up the first 2,000 words with a prefix, and names 100 matched words per hit", () => {
    const projection = new GraphProjection();
    for (let index = 0; index < 3; index++) {
      put(projection, `e${index}`, Array.from({ length: 1500 }, (_, word) => `q${index}x${word}`).join(" "));
    }
    const hits = finish(projection.search({ q: "q", limit: 10 }));
    // In order, the words of the first entity come first, and 500 of the second one's.
    const names = hits.map(({ document }) => projection.graph.nodes.nameOf(document));
    expect(names.toSorted()).toEqual(["e0", "e1"]);
    for (const { matched } of hits) expect(matched).toHaveLength(100);
  });

  it("pages through all ids in the order of their bytes after additions and removals", () => {
    const id = fc.string({
      unit: fc.constantFrom("a", "b", "\uffee", "\u{10400}"),
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.uniqueArray(id), fc.array(id), fc.array(id), (first, removed, added) => {
        const projection = new GraphProjection();
        for (const each of first) put(projection, each, "x".repeat(10));
        finish(projection.page("entities", undefined, 1));
        for (const each of removed) finish(projection.removeEntity(each));
        for (const each of added) put(projection, each, "x".repeat(10));
        const pages: string[] = [];
        let after: string | undefined;
        for (;;) {
          const page = finish(projection.page("entities", after, 25));
          if (page.length === 0) break;
          expect(page.length).toBeLessThanOrEqual(3);
          pages.push(...page);
          after = page.at(-1);
        }
        const left = new Set([...first.filter((each) => !removed.includes(each)), ...added]);
        const inBytes = [...left].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
        expect(pages).toEqual(inBytes);
      }),
    );
  });
});

describe("inOrder()", () => {
  it("sorts numbers like toSorted()", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { maxLength: 5000, size: "max" }), (numbers) => {
        expect(finish(inOrder(numbers, (one, other) => one < other))).toEqual(
          numbers.toSorted((one, other) => one - other),
        );
      }),
      { numRuns: 20 },
    );
  });
});
