import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import { GraphProjection, type Part } from "../../../../src/tools/knowledge-graph/graph/graph-projection.ts";
import { layout } from "../../../../src/tools/knowledge-graph/graph/layout/layout.ts";
import { runs } from "../../../support/runs.ts";

const times = { createdAt: 0, updatedAt: 0 };

interface Named {
  name?: string;
  type?: string;
  text?: string;
  size?: number;
}

function put(
  projection: GraphProjection,
  id: string,
  { name = "", type = "t", text = "", size = 10 }: Named = {},
) {
  finish(projection.putEntity(id, { type, name, properties: { text }, ...times }, size));
}

function relate(projection: GraphProjection, from: string, to: string, size = 10) {
  finish(projection.putRelationship(`${from} ${to}`, { from, to, type: "t", ...times }, size));
}

const page = (projection: GraphProjection, part: Part, after: string | undefined, most: number) =>
  finish(projection.page(part, after, most));

function found(projection: GraphProjection, q: string, type?: string): string[] {
  const hits = finish(projection.search({ q, type, limit: 200 }));
  return hits.map(({ document }) => projection.graph.nodes.nameOf(document));
}

describe("the memory use of a graph", () => {
  const id = fc.constantFrom("a", "ab", "abc", "abcd");
  const step = fc.oneof(
    fc.record({ put: id, name: fc.constantFrom("a", "ab ab", "abc abcd a") }),
    fc.record({ remove: id }),
    fc.record({ from: id, to: id, isThere: fc.boolean() }),
  );

  it("is the same for equal graphs with different histories", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const [changed, fresh] = [new GraphProjection(), new GraphProjection()];
        const names = new Map<string, string>();
        const related = new Set<string>();
        for (const projection of [changed, fresh]) {
          put(projection, "all", { name: "a b c d" });
          for (const part of ["entities", "relationships"] as const) page(projection, part, undefined, 1);
        }
        for (const step of steps) {
          if ("put" in step) {
            put(changed, step.put, { name: step.name });
            names.set(step.put, step.name);
          } else if ("remove" in step) {
            const gone = [...related].filter((line) => line.split(" ").includes(step.remove));
            for (const line of gone) {
              changed.removeRelationship(line);
              related.delete(line);
            }
            finish(changed.removeEntity(step.remove));
            names.delete(step.remove);
          } else if (!step.isThere) {
            changed.removeRelationship(`${step.from} ${step.to}`);
            related.delete(`${step.from} ${step.to}`);
          } else {
            relate(changed, step.from, step.to);
            if (names.has(step.from) && names.has(step.to)) related.add(`${step.from} ${step.to}`);
          }
        }
        for (const [id, name] of names) put(fresh, id, { name });
        for (const line of related) relate(fresh, ...(line.split(" ") as [string, string]));
        expect(changed.bytes).toBe(fresh.bytes);
      }),
      { numRuns: runs(100) },
    );
  });

  it("grows by the same amount for each further item of a kind", () => {
    const projection = new GraphProjection();
    const grown = (change: () => unknown) => {
      const before = projection.bytes;
      change();
      return projection.bytes - before;
    };
    put(projection, "a", { name: "b c d e f" });
    const entity = grown(() => put(projection, "b"));
    expect(entity).toBeGreaterThan(0);
    expect(grown(() => put(projection, "c"))).toBe(entity);
    const longer = grown(() => put(projection, "cc")) - entity;
    expect(longer).toBeGreaterThan(0);
    expect(grown(() => put(projection, "ccccc"))).toBe(entity + 4 * longer);
    expect(grown(() => put(projection, "d", { name: "!" })) - entity).toBeGreaterThan(0);
    const named = grown(() => put(projection, "e", { name: "!" })) - entity;
    expect(grown(() => put(projection, "f", { name: "!!!" }))).toBe(entity + 3 * named);
    const relationship = grown(() => relate(projection, "a", "b"));
    expect(relationship).toBeGreaterThan(0);
    expect(grown(() => relate(projection, "b", "a"))).toBe(relationship);
    expect(grown(() => relate(projection, "b", "nobody"))).toBe(0);
    const sorted = grown(() => page(projection, "relationships", undefined, 1)) / 2;
    expect(sorted).toBeGreaterThan(0);
    expect(grown(() => relate(projection, "b", "c"))).toBe(relationship + sorted);
    expect(grown(() => page(projection, "entities", undefined, 1))).toBe(8 * sorted);
    const drawn = grown(() => finish(layout(projection, { depth: 1, limit: 1 })));
    expect(drawn).toBeGreaterThan(sorted);
    expect(grown(() => finish(layout(projection, { depth: 1, limit: 8 })))).toBe(8 * drawn);
    expect(new GraphProjection().bytes).toBe(0);
  });
});

describe("a graph beyond its memory limit", () => {
  const word = (index: number) => String(100_000 + index);
  const sizeOf = (count: number) => {
    const projection = new GraphProjection();
    for (let index = 0; index < count; index++) put(projection, `e${10 + index}`, { text: word(index) });
    return projection.bytes;
  };

  it("is searched by all words up to the limit, and beyond it without those of the oldest entities", () => {
    const most = sizeOf(10);
    const projection = new GraphProjection(most);
    for (let index = 0; index < 10; index++) put(projection, `e${10 + index}`, { text: word(index) });
    expect(projection.isPartial).toBe(false);
    expect(found(projection, word(0))).toEqual(["e10"]);
    put(projection, "e20", { text: word(10) });
    expect([projection.isPartial, projection.bytes <= most]).toEqual([true, true]);
    const words = Array.from({ length: 11 }, (_, index) => found(projection, word(index)).length);
    expect(words).toEqual(words.toSorted());
    expect([words[0], words[10]]).toEqual([0, 1]);
    const left = words.filter((count) => count > 0).length;
    expect(left).toBeGreaterThan(5);
  });

  it("leaves out the words of the least recently written entities, also to add relationships", () => {
    const projection = new GraphProjection(sizeOf(10));
    for (let index = 0; index < 10; index++) put(projection, `e${10 + index}`, { text: word(index) });
    put(projection, "e10", { text: word(0) });
    relate(projection, "e10", "e11");
    const first = Array.from({ length: 10 }, (_, index) => found(projection, word(index)).length);
    expect([first[0], first[1], first[9]]).toEqual([1, 0, 1]);
    for (let round = 0; round < 12; round++) {
      put(projection, "e10", { text: word(0) });
      relate(projection, "e11", `e${10 + (round % 3)}`);
    }
    expect(found(projection, word(0))).toEqual(["e10"]);
    expect(() => projection.requireWhole()).not.toThrow();
  });

  it("is refused only if it exceeds the limit without any words", () => {
    const full = new GraphProjection(sizeOf(2));
    for (const id of ["e10", "e11"]) put(full, id, { text: word(0) });
    expect(() => full.requireWhole()).not.toThrow();
    const over = new GraphProjection(600);
    put(over, "e10");
    put(over, "e11");
    const refusal = { error: "quota_exceeded", members: { bound: "indexMemory", limit: 600 } };
    try {
      over.requireWhole();
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ error: "quota_exceeded" });
      expect(JSON.stringify(error)).toContain(JSON.stringify(refusal.members).slice(1, -1));
    }
    expect(new GraphProjection(0).requireWhole()).toBeUndefined();
  });
});

describe("a page", () => {
  const projection = new GraphProjection();
  for (let index = 0; index < 5; index++) put(projection, `e${index}`, { size: 10 });
  for (let index = 0; index < 4; index++) relate(projection, `e${index}`, `e${index + 1}`, 10);

  it.each<[Part, string | undefined, number, string[]]>([
    ["entities", undefined, 1, ["e0"]],
    ["entities", undefined, 10, ["e0"]],
    ["entities", undefined, 11, ["e0", "e1"]],
    ["entities", "e1", 20, ["e2", "e3"]],
    ["entities", "e11", 1000, ["e2", "e3", "e4"]],
    ["entities", "e4", 1000, []],
    ["relationships", undefined, 20, ["e0 e1", "e1 e2"]],
    ["relationships", undefined, 21, ["e0 e1", "e1 e2", "e2 e3"]],
    ["relationships", "e2 e3", 1, ["e3 e4"]],
  ])("lists %s after %s until %i characters are reached", (part, after, most, names) => {
    expect(page(projection, part, after, most)).toEqual(names);
  });

  it("holds at most 1,000 items", () => {
    const many = new GraphProjection();
    const ids = Array.from({ length: 1001 }, (_, index) => String(10_000 + index));
    for (const id of ids) put(many, id, { size: 0 });
    expect(page(many, "entities", undefined, 1)).toEqual(ids.slice(0, 1000));
    expect(page(many, "entities", ids[999], 1)).toEqual(ids.slice(1000));
  });

  it("includes added relationships, and omits removed ones, also if an end was removed before them", () => {
    const some = new GraphProjection();
    for (const id of ["a", "b", "c"]) put(some, id);
    relate(some, "a", "b");
    expect(page(some, "relationships", undefined, 99)).toEqual(["a b"]);
    relate(some, "b", "c");
    some.removeRelationship("a b");
    expect(page(some, "relationships", undefined, 99)).toEqual(["b c"]);
    relate(some, "c", "a");
    const { bytes } = some;
    // The order in which the projection hears of a deleted entity.
    put(some, "d");
    for (const key of ["d a", "b d", "d d"]) relate(some, ...(key.split(" ") as [string, string]));
    finish(some.removeEntity("d"));
    for (const key of ["d a", "b d", "d d"]) some.removeRelationship(key);
    expect(page(some, "relationships", undefined, 99)).toEqual(["b c", "c a"]);
    expect(some.bytes).toBe(bytes);
  });
});

describe("an entity", () => {
  it("is found best by its name, then by its type and by nested strings and numbers", () => {
    const projection = new GraphProjection();
    const properties = { word: true, deep: [{ list: ["cherry", 12, null, false] }], none: null };
    finish(projection.putEntity("a", { type: "banana", name: "apple", properties, ...times }, 1));
    put(projection, "b", { name: "banana", type: "apple" });
    put(projection, "c", { text: "apple x" });
    expect(found(projection, "apple")).toEqual(["a", "b", "c"]);
    expect(found(projection, "banana")).toEqual(["b", "a"]);
    expect(found(projection, "apple", "apple")).toEqual(["b"]);
    expect(found(projection, "apple", "cherry")).toEqual([]);
    for (const q of ["cherry", "12"]) expect(found(projection, q)).toEqual(["a"]);
    for (const q of ["word", "deep", "list", "none", "true", "null"])
      expect(found(projection, q)).toEqual([]);
  });

  it("has the fields that were written last, and the degree of its current relationships", () => {
    const projection = new GraphProjection();
    put(projection, "a", { name: "First", size: 5 });
    const node = projection.graph.nodes.find("a") as number;
    put(projection, "a", { name: "Last", type: "other", size: 7 });
    put(projection, "b");
    relate(projection, "a", "b");
    relate(projection, "a", "a");
    expect(projection.entityAt(node)).toEqual({ id: "a", name: "Last", type: "other" });
    expect([projection.sizeOf(node), projection.degreeOf(node)]).toEqual([7, 3]);
    expect(projection.isOfType(node, projection.typeNumber("other"))).toBe(true);
    expect(projection.isOfType(node, projection.typeNumber("t"))).toBe(false);
    expect(projection.isOfType(node, projection.typeNumber("unheard-of"))).toBe(false);
    finish(projection.removeEntity("a"));
    finish(projection.removeEntity("nobody"));
    expect(found(projection, "last")).toEqual([]);
    expect(finish(projection.typeCounts())).toEqual([{ type: "t", count: 1 }]);
  });

  it("changes the version of the graph when written or removed, like a relationship", () => {
    const projection = new GraphProjection();
    const isChanged = (change: () => unknown) => {
      const before = projection.version;
      change();
      return projection.version !== before;
    };
    expect(isChanged(() => put(projection, "a"))).toBe(true);
    expect(isChanged(() => put(projection, "b"))).toBe(true);
    expect(isChanged(() => relate(projection, "a", "b"))).toBe(true);
    expect(isChanged(() => relate(projection, "a", "nobody"))).toBe(false);
    expect(isChanged(() => projection.removeRelationship("a b"))).toBe(true);
    expect(isChanged(() => finish(projection.removeEntity("a")))).toBe(true);
    expect(isChanged(() => finish(projection.removeEntity("nobody")))).toBe(false);
  });
});
