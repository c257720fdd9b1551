import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish } from "../../../src/store/projection.ts";
import { Graph } from "../../../src/tools/knowledge-graph/graph/graph.ts";
import * as steps from "../../../src/tools/knowledge-graph/graph/reach.ts";
import { type Edge, edges, expectPath, hopsFrom, node, openGraph, ways } from "./graph.ts";

const { pathTo } = steps;
const reach = (...given: Parameters<typeof steps.reach>) => finish(steps.reach(...given));
const shortestPath = (...given: Parameters<typeof steps.shortestPath>) =>
  finish(steps.shortestPath(...given));
const keyOf = ({ from, type, to }: Edge) => `${from} ${type} ${to}`;

function graphOf(all: readonly Edge[]): Graph {
  const graph = new Graph();
  for (const { from, to } of all) for (const id of [from, to]) graph.addNode(id);
  for (const edge of all) graph.addEdge(keyOf(edge), edge);
  return graph;
}

describe("GET /knowledge-graph/impact/{entityId}", () => {
  it("finds all entities within two hops in both directions, nearest first, with a path to each", async () => {
    const { relate, impact } = await openGraph();
    await relate("api calls db", "web calls api", "db uses disk", "disk uses power");
    const answer = await impact("api");
    expect(answer).toMatchObject({ entity: { id: "api", name: "api" }, depth: 2, direction: "both" });
    expect(answer.entities).toEqual([
      { id: "db", distance: 1, path: [{ type: "calls", from: "api", to: "db" }] },
      { id: "web", distance: 1, path: [{ type: "calls", from: "web", to: "api" }] },
      {
        id: "disk",
        distance: 2,
        path: [
          { type: "calls", from: "api", to: "db" },
          { type: "uses", from: "db", to: "disk" },
        ],
      },
    ]);
    expect(answer.counts).toEqual({ 1: 2, 2: 1 });
  });

  it("follows only the given direction and type", async () => {
    const { relate, impact } = await openGraph();
    await relate("api calls db", "web calls api", "api owns table", "table uses disk");
    const ids = async (query: string) => (await impact("api", query)).entities.map(({ id }) => id);
    expect(await ids("direction=out&depth=3")).toEqual(["db", "table", "disk"]);
    expect(await ids("direction=in&depth=3")).toEqual(["web"]);
    expect(await ids("type=calls&depth=3")).toEqual(["db", "web"]);
    expect(await ids("type=unheard-of")).toEqual([]);
  });

  it("ends in a cycle, and never finds the start", async () => {
    const { relate, impact } = await openGraph();
    await relate("a to b", "b to c", "c to a", "a to a");
    const { entities, counts } = await impact("a", "direction=out&depth=20");
    expect(entities.map(({ id, distance }) => [id, distance])).toEqual([
      ["b", 1],
      ["c", 2],
    ]);
    expect(Object.keys(counts)).toHaveLength(20);
    expect(counts).toMatchObject({ 1: 1, 2: 1, 3: 0, 20: 0 });
  });

  it("returns all 10,000 neighbours of a hub and the entity behind them", async () => {
    const { send, impact } = await openGraph();
    const spokes = Array.from({ length: 10_000 }, (_, index) => `spoke-${index}`);
    const entities = ["hub", "end", ...spokes].map((id) => ({ id, type: "node", name: id }));
    const relationships = spokes.flatMap((id) => [
      { from: "hub", to: id, type: "t" },
      { from: id, to: "end", type: "t" },
    ]);
    expect((await send("POST", "/import", { body: { entities, relationships } })).status).toBe(200);
    const answer = await impact("hub");
    expect(answer.counts).toEqual({ 1: 10_000, 2: 1 });
    expect(answer.entities.at(-1)).toMatchObject({
      id: "end",
      path: [{ to: "spoke-0" }, { from: "spoke-0" }],
    });
  });

  it("accepts an id with any characters in the path", async () => {
    const { relate, impact } = await openGraph();
    for (const id of ["node_modules/@scope/name", "a%2Fb", "ä ö", "?q=1#x", "日本", "😀"]) {
      await relate(`${id.replaceAll(" ", "_")} t other`);
      expect((await impact(id.replaceAll(" ", "_"), "depth=1")).counts).toEqual({ 1: 1 });
    }
  });

  it("returns 404 for an unknown entity", async () => {
    const { send } = await openGraph();
    const response = await send("GET", "/impact/nobody");
    expect([response.status, response.body.detail]).toEqual([
      404,
      'There is no entity "nobody" in this project.',
    ]);
  });

  it.each(["depth=0", "depth=21", "depth=x", "depth=1.5", "direction=up", "type=", "limit=5"])(
    "refuses %s",
    async (query) => {
      const { send, entities } = await openGraph();
      await entities("a");
      const response = await send("GET", `/impact/a?${query}`);
      expect([response.status, response.body.errors[0].path]).toEqual([400, query.split("=")[0]]);
    },
  );

  it("reaches the entities of a textbook algorithm in as many hops, along existing relationships", () => {
    fc.assert(
      fc.property(edges, node, ways, fc.integer({ min: 1, max: 8 }), (all, start, way, depth) => {
        const graph = graphOf(all);
        const reached = reach(graph, start, way, depth);
        const hops = [...hopsFrom(all, start, way)].filter(([, count]) => count > 0 && count <= depth);
        expect(new Map(reached.map(({ id, distance }) => [id, distance]))).toEqual(new Map(hops));
        for (const each of reached) {
          expect(pathTo(each)).toHaveLength(each.distance);
          expectPath(all, pathTo(each), [start, each.id], way);
        }
        const order = reached.map(({ distance, id }) => `${distance} ${id}`);
        expect(order).toEqual([...order].sort());
      }),
    );
  });

  it("answers the same for any order of writing and any relationships deleted before", () => {
    const shuffled = edges.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, edges, node, ways, ([all, other], extra, start, way) => {
        const graph = graphOf([...extra, ...other]);
        for (const edge of extra) graph.removeEdge(keyOf(edge));
        for (const edge of other) graph.addEdge(keyOf(edge), edge);
        const answer = (of: Graph) => reach(of, start, way, 8).map((each) => [each.id, pathTo(each)]);
        expect(answer(graph)).toEqual(answer(graphOf(all)));
      }),
    );
  });
});

describe("GET /knowledge-graph/path", () => {
  it("returns a shortest path, also against the direction of a relationship", async () => {
    const { relate, send } = await openGraph();
    await relate("web calls api", "api calls db", "job reads db", "web calls cdn");
    const { body } = await send("GET", "/path?from=web&to=job");
    expect(body).toEqual({
      from: "web",
      to: "job",
      direction: "both",
      distance: 3,
      path: [
        { type: "calls", from: "web", to: "api" },
        { type: "calls", from: "api", to: "db" },
        { type: "reads", from: "job", to: "db" },
      ],
    });
    const out = await send("GET", "/path?from=web&to=job&direction=out");
    expect(out.body).toMatchObject({ distance: null, path: null });
    const calls = await send("GET", "/path?from=web&to=db&direction=out&type=calls");
    expect(calls.body.distance).toBe(2);
  });

  it("returns an empty path from an entity to itself, and 404 if either does not exist", async () => {
    const { relate, send } = await openGraph();
    await relate("a t b");
    expect((await send("GET", "/path?from=a&to=a")).body).toMatchObject({ distance: 0, path: [] });
    expect((await send("GET", "/path?from=a&to=nobody")).status).toBe(404);
    expect((await send("GET", "/path?from=nobody&to=nobody")).status).toBe(404);
    expect((await send("GET", "/path?from=a")).body.errors[0].path).toBe("to");
  });

  it("returns the same path as impact", () => {
    fc.assert(
      fc.property(edges, node, node, ways, (all, from, to, way) => {
        fc.pre(from !== to);
        const graph = graphOf(all);
        const reached = reach(graph, from, way, 8).find(({ id }) => id === to);
        expect(shortestPath(graph, from, to, way)).toEqual(reached && pathTo(reached));
      }),
    );
  });
});
