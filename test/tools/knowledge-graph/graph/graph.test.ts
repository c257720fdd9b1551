import fc from "fast-check";
import { expect, it } from "vitest";
import { Graph } from "../../../../src/tools/knowledge-graph/graph/graph.ts";

interface Related {
  from: string;
  to: string;
  type: string;
}

const id = fc.constantFrom("a", "b", "c", "d");
const steps = fc.oneof(
  fc.record({ do: fc.constant("addNode" as const), id }),
  fc.record({ do: fc.constant("removeNode" as const), id }),
  fc.record({ do: fc.constantFrom("addEdge" as const, "removeEdge" as const), from: id, to: id, type: id }),
);

it("a graph holds the same nodes and edges as a model after additions and removals", () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), (all) => {
      const graph = new Graph();
      const nodes = new Set<string>();
      const edges = new Map<string, Related>();
      for (const step of all) {
        if (step.do === "addNode") {
          graph.addNode(step.id);
          nodes.add(step.id);
        } else if (step.do === "removeNode") {
          for (const _ of graph.removeNode(step.id));
          nodes.delete(step.id);
          for (const [key, { from, to }] of edges) if (from === step.id || to === step.id) edges.delete(key);
        } else {
          const { from, to, type } = step;
          const key = `${from} ${type} ${to}`;
          if (step.do === "removeEdge") {
            graph.removeEdge(key);
            edges.delete(key);
          } else {
            const isThere = nodes.has(from) && nodes.has(to);
            expect(graph.addEdge(key, { from, to, type }) !== undefined).toBe(isThere);
            if (isThere) edges.set(key, { from, to, type });
          }
        }
      }
      expect([...graph.nodes.names()].sort()).toEqual([...nodes].sort());
      expect([...graph.keys()].sort()).toEqual([...edges.keys()].sort());
      expect(graph.edgeCount).toBe(edges.size);
      expect(graph.keysAt(["nowhere"], 99)).toEqual([]);
      expect(graph.keysAt([...nodes], 99).sort()).toEqual([...edges.keys()].sort());
      for (const each of nodes) {
        const number = graph.nodes.find(each) as number;
        const nameOf = (edge: number) =>
          `${graph.nodes.nameOf(graph.from(edge))} ${graph.types.nameOf(graph.typeOf(edge))} ${graph.nodes.nameOf(graph.to(edge))}`;
        const keysOf = (end: "from" | "to") =>
          [...edges].flatMap(([key, related]) => (related[end] === each ? [key] : [])).sort();
        expect(graph.out(number).map(nameOf).sort()).toEqual(keysOf("from"));
        expect(graph.in(number).map(nameOf).sort()).toEqual(keysOf("to"));
        const around = [...new Set([...keysOf("from"), ...keysOf("to")])].sort();
        expect(graph.keysAt([each, "nowhere"], 99).sort()).toEqual(around);
        expect(graph.keysAt([each], 1)).toHaveLength(Math.min(1, around.length));
      }
    }),
  );
});
