import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import { GraphProjection } from "../../../../src/tools/knowledge-graph/graph/graph-projection.ts";
import { communitiesOf } from "../../../../src/tools/knowledge-graph/graph/layout/communities.ts";
import {
  type KeptLayout,
  KeptLayouts,
} from "../../../../src/tools/knowledge-graph/graph/layout/kept-layouts.ts";
import { type LayoutInput, layout } from "../../../../src/tools/knowledge-graph/graph/layout/layout.ts";
import { runs } from "../../../support/runs.ts";

const times = { createdAt: 0, updatedAt: 0 };

/** Makes a graph of lines `from to`. An entity's type is its first letter. */
function drawn(...lines: string[]) {
  const projection = new GraphProjection();
  const add = (id: string) =>
    finish(projection.putEntity(id, { type: id.slice(0, 1), name: `Name of ${id}`, ...times }, 10));
  const relate = (line: string) => {
    const [from = "", to] = line.split(" ");
    for (const id of [from, to ?? from]) if (projection.graph.nodes.find(id) === undefined) add(id);
    if (to !== undefined) finish(projection.putRelationship(line, { from, to, type: "t", ...times }, 10));
  };
  for (const line of lines) relate(line);
  const draw = (input: Partial<LayoutInput> = {}) =>
    finish(layout(projection, { depth: 1, limit: 2000, ...input }));
  return { projection, relate, draw };
}

const idsOf = ({ nodes }: { nodes: { id: string }[] }) => nodes.map(({ id }) => id);

/** Relates each entity to every other. */
function clique(...ids: string[]): string[] {
  return ids.flatMap((from, at) => ids.slice(at + 1).map((to) => `${from} ${to}`));
}

const TWO_CLIQUES = [...clique("a1", "a2", "a3", "a4"), ...clique("b1", "b2", "b3"), "a1 b1", "lonely"];

describe("the content of a drawing", () => {
  it("has the entities with most relationships first, then those whose ids come first", () => {
    const { draw } = drawn("d a", "c a", "b e", "b c", "z");
    expect(idsOf(draw())).toEqual(["a", "b", "c", "d", "e", "z"]);
    expect(idsOf(draw({ limit: 4 }))).toEqual(["a", "b", "c", "d"]);
    expect(draw().nodes.map(({ degree }) => degree)).toEqual([2, 2, 2, 1, 1, 0]);
    expect(idsOf(draw({ type: "c" }))).toEqual(["c"]);
  });

  it("consists of an entity and those near it, nearest first, up to the limit", () => {
    const { draw } = drawn("m z", "a m", "z y", "y x", "b c");
    expect(idsOf(draw({ entityId: "m" }))).toEqual(["m", "a", "z"]);
    expect(idsOf(draw({ entityId: "m", depth: 2 }))).toEqual(["m", "a", "z", "y"]);
    expect(idsOf(draw({ entityId: "m", depth: 2, limit: 2 }))).toEqual(["m", "a"]);
    expect(idsOf(draw({ entityId: "m", limit: 1 }))).toEqual(["m"]);
    expect(idsOf(draw({ entityId: "none" }))).toEqual([]);
  });

  it("consists of the community of an entity, or of the entity alone if it has none", () => {
    const { draw } = drawn(...TWO_CLIQUES, "alone");
    expect(idsOf(draw({ community: "a3" }))).toEqual(["a1", "a2", "a3", "a4"]);
    expect(idsOf(draw({ community: "b3" }))).toEqual(["b1", "b2", "b3"]);
    expect(draw({ community: "b3" }).edges).toHaveLength(3);
    expect(draw({ community: "b3" }).communities).toEqual([
      { leader: "b1", name: "Name of b1", entities: 3 },
    ]);
    expect(idsOf(draw({ community: "lonely" }))).toEqual(["lonely"]);
    expect(idsOf(draw({ community: "lonely", limit: 3 }))).toEqual([]);
  });

  it("has only relationships with both ends drawn, and at most 10,000", () => {
    const { draw } = drawn("a b", "b c", "c a", "a a");
    expect(draw().edges).toEqual([
      { from: 0, to: 1, type: "t" },
      { from: 0, to: 0, type: "t" },
      { from: 1, to: 2, type: "t" },
      { from: 2, to: 0, type: "t" },
    ]);
    const many = drawn("a");
    for (let at = 0; at <= 10_000; at++) {
      const loop = { from: "a", to: "a", type: `t${at}`, ...times };
      finish(many.projection.putRelationship(`${at}`, loop, 10));
    }
    expect(many.draw().edges).toHaveLength(10_000);
  });

  it("names each community by its entity with most relationships, largest community first", () => {
    const { draw } = drawn(...TWO_CLIQUES, "b2 b9", "b2 b8", "b2 b7", "lonely");
    expect(draw().communities).toEqual([
      { leader: "b2", name: "Name of b2", entities: 6 },
      { leader: "a1", name: "Name of a1", entities: 4 },
    ]);
    const { nodes, types, counts } = draw();
    for (const { id, name, type, community } of nodes) {
      expect([name, type]).toEqual([`Name of ${id}`, id[0]]);
      expect(community).toBe(type === "b" ? 0 : type === "a" ? 1 : -1);
    }
    expect(types).toEqual([
      { type: "b", count: 6 },
      { type: "a", count: 4 },
      { type: "l", count: 1 },
    ]);
    expect(counts).toEqual({ entities: 11, relationships: 13 });
  });
});

describe("the positions in a drawing", () => {
  it("start at 0, span 1000 along the longer side, and are rounded to a tenth", () => {
    const { draw } = drawn(...TWO_CLIQUES);
    const { nodes, width, height } = draw();
    const [xs, ys] = [nodes.map(({ x }) => x), nodes.map(({ y }) => y)];
    expect([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]).toEqual([
      0,
      0,
      width,
      height,
    ]);
    expect(Math.max(width, height)).toBe(1000);
    for (const each of [...xs, ...ys]) expect(each).toBeCloseTo(Math.round(each * 10) / 10, 9);
    expect([...xs, ...ys].some((each) => !Number.isInteger(each))).toBe(true);
  });

  it("span 1000 in height or in width, depending on the graph", () => {
    expect(drawn("a b", "b c").draw()).toMatchObject({ height: 1000 });
    expect(drawn("a b").draw()).toMatchObject({ width: 1000 });
  });

  it("are 0 for a single entity, and missing for an empty graph", () => {
    expect(drawn("a").draw()).toMatchObject({ width: 0, height: 0, nodes: [{ id: "a", x: 0, y: 0 }] });
    expect(drawn().draw()).toMatchObject({ width: 0, height: 0, nodes: [], communities: [], types: [] });
  });

  it("move with each request until they are at rest, separately for each kind of drawing", () => {
    const ring = Array.from({ length: 200 }, (_, at) => `n${at} n${(at + 1) % 200}`);
    const { draw } = drawn(...ring);
    const first = draw();
    draw({ limit: 10 });
    const second = draw();
    expect(second.nodes).not.toEqual(first.nodes);
    for (let asked = 0; asked < 2; asked++) draw();
    expect(draw()).toEqual(draw());
    expect(drawn(...ring).draw()).toEqual(first);
  });

  it("come to rest sooner after a change if they were at rest before", () => {
    const { draw, relate } = drawn(...Array.from({ length: 160 }, (_, at) => `n${at} n${(at + 1) % 160}`));
    expect(draw()).not.toEqual(draw());
    expect(draw()).toEqual(draw());
    relate("n0 n80");
    expect(draw()).toEqual(draw());
  });

  it("continue from the earlier ones when the graph changes", () => {
    const { draw, relate } = drawn(...TWO_CLIQUES);
    for (let asked = 0; asked < 3; asked++) draw();
    const before = draw();
    relate("b3 new");
    const after = draw();
    expect(idsOf(after)).toContain("new");
    const order = ({ nodes }: typeof before) =>
      nodes
        .filter(({ id }) => id !== "new" && id !== "lonely")
        .toSorted((one, other) => one.x - other.x)
        .map(({ id }) => id[0]);
    expect(order(after)).toEqual(order(before));
  });
});

describe("kept layouts", () => {
  const kept = (count: number) => ({ nodes: Array.from({ length: count }, (_, at) => at) }) as KeptLayout;

  it("are the three that were put last", () => {
    const layouts = new KeptLayouts();
    for (const [at, key] of ["a", "b", "c"].entries()) layouts.put(key, kept(10 ** at));
    expect(layouts.nodes).toBe(111);
    layouts.put("a", kept(5));
    expect(layouts.nodes).toBe(115);
    layouts.put("d", kept(1000));
    expect(["a", "b", "c", "d"].map((key) => layouts.get(key)?.nodes.length)).toEqual([
      5,
      undefined,
      100,
      1000,
    ]);
    expect(layouts.nodes).toBe(1105);
    expect(new KeptLayouts().nodes).toBe(0);
  });
});

describe("communities", () => {
  it("are the components of a graph of cliques, largest first", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 6 }), (sizes) => {
        const first = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0));
        const edges = sizes.flatMap((size, at) =>
          Array.from({ length: size }, (_, from) =>
            Array.from({ length: from + 1 }, (_, to) => ({
              from: (first[at] as number) + from,
              to: (first[at] as number) + to,
            })),
          ).flat(),
        );
        const nodes = sizes.reduce((sum, size) => sum + size, 0);
        const { group, count } = communitiesOf(nodes, edges);
        const related = sizes.filter((size) => size > 1);
        expect(count).toBe(related.length);
        const groups = sizes.map((size, at) => [...group.slice(first[at], (first[at] as number) + size)]);
        for (const members of groups) expect(new Set(members).size).toBe(1);
        expect(groups.filter(({ length }) => length === 1).flat()).toEqual(
          sizes.filter((size) => size === 1).map(() => -1),
        );
        const ranked = groups
          .filter(({ length }) => length > 1)
          .toSorted(([one = 0], [other = 0]) => one - other)
          .map(({ length }) => length);
        expect(ranked).toEqual(related.toSorted((one, other) => other - one));
        expect(new Set(groups.filter(({ length }) => length > 1).map(([first]) => first)).size).toBe(count);
      }),
      { numRuns: runs(50) },
    );
  });

  it("are ordered by their first node if they have equal size", () => {
    const pairs = Array.from({ length: 12 }, (_, at) => ({ from: 2 * at, to: 2 * at + 1 }));
    expect([...communitiesOf(24, pairs).group]).toEqual(pairs.flatMap((_, at) => [at, at]));
  });

  it("are empty if no node is related to another", () => {
    expect(communitiesOf(2, [{ from: 0, to: 0 }])).toEqual({ group: Int32Array.of(-1, -1), count: 0 });
    expect(communitiesOf(0, [])).toEqual({ group: new Int32Array(0), count: 0 });
  });
});
