import fc from "fast-check";
import { expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import type { Direction } from "../../../../src/tools/knowledge-graph/contract.ts";
import { Graph } from "../../../../src/tools/knowledge-graph/graph/graph.ts";
import { pathTo, reach, shortestPath } from "../../../../src/tools/knowledge-graph/graph/reach.ts";
import { runs } from "../../../support/runs.ts";

interface Edge {
  from: string;
  to: string;
  type: string;
}

const IDS = ["a", "b", "c", "d", "e", "f"];
const edges = fc.uniqueArray(
  fc.record({
    from: fc.constantFrom(...IDS),
    to: fc.constantFrom(...IDS),
    type: fc.constantFrom("knows", "uses"),
  }),
  { selector: ({ from, to, type }) => `${from} ${type} ${to}`, maxLength: 14 },
);
const direction = fc.constantFrom<Direction>("out", "in", "both");
const type = fc.constantFrom(undefined, "knows", "uses");

/** Builds a graph in the order of the lists. */
function graphOf(nodes: readonly string[], all: readonly Edge[]): Graph {
  const graph = new Graph();
  for (const node of nodes) graph.addNode(node);
  for (const each of all) graph.addEdge(`${each.from} ${each.type} ${each.to}`, each);
  return graph;
}

/** Returns the steps that may be taken, with their ends. */
function stepsOf(all: readonly Edge[], direction: Direction, type: string | undefined) {
  const wanted = all.filter((each) => type === undefined || each.type === type);
  return wanted.flatMap((edge) => [
    ...(direction === "in" ? [] : [{ edge, at: edge.from, next: edge.to }]),
    ...(direction === "out" ? [] : [{ edge, at: edge.to, next: edge.from }]),
  ]);
}

/** Models distances by repeated relaxation, and paths from their ends: by the previous id, the type and the way. */
function model(all: readonly Edge[], start: string, direction: Direction, type: string | undefined) {
  const steps = stepsOf(all, direction, type);
  const distance = new Map([[start, 0]]);
  for (let hops = 1; hops <= IDS.length; hops++) {
    const ends = steps.filter(({ at }) => distance.get(at) === hops - 1).map(({ next }) => next);
    for (const end of ends) if (!distance.has(end)) distance.set(end, hops);
  }
  const pathTo = (id: string): Edge[] => {
    const hops = distance.get(id) as number;
    if (hops === 0) return [];
    const last = steps.filter(({ at, next }) => next === id && distance.get(at) === hops - 1);
    const rank = ({ edge, at }: (typeof steps)[number]) => `${at} ${edge.type} ${edge.to === id ? 0 : 1}`;
    const [best] = last.sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
    return best ? [...pathTo(best.at), best.edge] : [];
  };
  return { distance, pathTo };
}

it("reach() orders by distance and id, with the same paths as shortestPath() and a model", () => {
  const written = fc.shuffledSubarray(IDS, { minLength: IDS.length });
  fc.assert(
    fc.property(written, edges, direction, type, fc.integer({ min: 1, max: 6 }), (nodes, all, ...rest) => {
      const [direction, type, depth] = rest;
      const graph = graphOf(nodes, all);
      const known = model(all, "a", direction, type);
      const expected = [...known.distance]
        .filter(([, distance]) => distance > 0 && distance <= depth)
        .sort(([a, one], [b, other]) => one - other || (a < b ? -1 : 1));
      const reached = finish(reach(graph, "a", { direction, type }, depth));
      expect(reached.map(({ id, distance }) => [id, distance])).toEqual(expected);
      for (const each of reached) expect(pathTo(each)).toEqual(known.pathTo(each.id));
      for (const id of IDS.slice(1)) {
        const path = known.distance.has(id) ? known.pathTo(id) : undefined;
        expect(finish(shortestPath(graph, "a", id, { direction, type }))).toEqual(path);
      }
    }),
    { numRuns: runs(150) },
  );
});

it("reach() and shortestPath() find nothing for unknown ids or types, and an empty path to the start", () => {
  const graph = graphOf(IDS, [{ from: "a", to: "b", type: "knows" }]);
  const ways = { direction: "both" as const };
  expect(finish(reach(graph, "z", ways, 3))).toEqual([]);
  expect(finish(reach(graph, "a", { ...ways, type: "sees" }, 3))).toEqual([]);
  expect(finish(shortestPath(graph, "z", "a", ways))).toBeUndefined();
  expect(finish(shortestPath(graph, "a", "z", ways))).toBeUndefined();
  expect(finish(shortestPath(graph, "a", "b", { ...ways, type: "sees" }))).toBeUndefined();
  expect(finish(shortestPath(graph, "a", "c", ways))).toBeUndefined();
  expect(finish(shortestPath(graph, "a", "a", ways))).toEqual([]);
});
