import fc from "fast-check";
import { expect } from "vitest";
import type { z } from "zod";
import { knowledgeGraphContract } from "../../../src/tools/knowledge-graph/contract.ts";
import { type RequestOptions, startApp, type TestApp, type TestResponse } from "../../support/app.ts";

export const ROOT = "/api/v1/tools/knowledge-graph";

type Contract = typeof knowledgeGraphContract;

export interface TestGraph {
  app: TestApp;
  send(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Adds entities of type `node`, named like their ids. */
  entities(...ids: string[]): Promise<void>;
  /** Adds relationships `from type to`, and their entities if these are new. */
  relate(...relationships: string[]): Promise<void>;
  impact(id: string, query?: string): Promise<z.infer<Contract["impact"]["output"]>>;
  search(q: string, query?: string): Promise<z.infer<Contract["search"]["output"]>["items"]>;
  /** Returns the ids in the order of the answer. */
  found(q: string, query?: string): Promise<string[]>;
  show(options?: RequestOptions): Promise<z.infer<Contract["show"]["output"]>>;
}

/** Starts a server, and returns access to the graph of one project. Streamed answers are validated as well. */
export async function openGraph(
  options: RequestOptions = {},
  server: Parameters<typeof startApp>[0] = {},
): Promise<TestGraph> {
  const app = await startApp(server);
  const send: TestGraph["send"] = (method, path, more = {}) =>
    app.request(method, ROOT + path, { ...options, ...more });
  const done = async (method: string, path: string, body?: unknown, more: RequestOptions = {}) => {
    const response = await send(method, path, { ...more, ...(body !== undefined && { body }) });
    expect(response.status, response.text).toBeLessThan(300);
    return response.body;
  };
  const graph: TestGraph = {
    app,
    send,
    async entities(...ids) {
      await done("POST", "/import", { entities: ids.map((id) => ({ id, type: "node", name: id })) });
    },
    async relate(...lines) {
      const relationships = lines.map((line) => {
        const [from, type, to] = line.split(" ");
        return { from, type, to };
      });
      const ids = new Set(relationships.flatMap(({ from, to }) => [from, to]));
      const entities = [...ids].map((id) => ({ id, type: "node", name: id }));
      await done("POST", "/import", { entities, relationships });
    },
    impact: async (id, query = "") =>
      knowledgeGraphContract.impact.output.parse(
        await done("GET", `/impact/${encodeURIComponent(id)}${query && `?${query}`}`),
      ),
    search: async (q, query = "") =>
      (await done("GET", `/search?q=${encodeURIComponent(q)}${query && `&${query}`}`)).items,
    found: async (q, query) => (await graph.search(q, query)).map(({ entity }) => entity.id),
    show: async (more = {}) =>
      knowledgeGraphContract.show.output.parse(await done("GET", "", undefined, more)),
  };
  return graph;
}

export interface Edge {
  from: string;
  to: string;
  type: string;
}

const NODES = ["a", "b", "c", "d", "e", "f", "g", "h"];
export const node = fc.constantFrom(...NODES);
export const edgeType = fc.constantFrom("x", "y");
export const edges = fc.uniqueArray(fc.record({ from: node, to: node, type: edgeType }), {
  maxLength: 20,
  selector: ({ from, to, type }) => `${from} ${type} ${to}`,
});
export const ways = fc.record({
  direction: fc.constantFrom("both", "in", "out"),
  type: fc.option(edgeType, { nil: undefined }),
});

/** Computes the hops from a start to everything that it reaches, by repeated relaxation (Bellman and Ford). */
export function hopsFrom(
  all: readonly Edge[],
  start: string,
  { direction, type }: { direction: string; type: string | undefined },
): Map<string, number> {
  const hops = new Map([[start, 0]]);
  for (let changed = true; changed; ) {
    changed = false;
    for (const edge of all) {
      if (type !== undefined && edge.type !== type) continue;
      const ways = [
        ...(direction === "in" ? [] : [[edge.from, edge.to]]),
        ...(direction === "out" ? [] : [[edge.to, edge.from]]),
      ] as [string, string][];
      for (const [near, far] of ways) {
        const through = (hops.get(near) ?? Number.POSITIVE_INFINITY) + 1;
        if (through >= (hops.get(far) ?? Number.POSITIVE_INFINITY)) continue;
        hops.set(far, through);
        changed = true;
      }
    }
  }
  return hops;
}

/** Asserts that a path goes along existing relationships. */
export function expectPath(
  all: readonly Edge[],
  path: readonly Edge[],
  [start, end]: [string, string],
  { direction, type }: { direction: string; type: string | undefined },
): void {
  let at = start;
  for (const step of path) {
    expect(all).toContainEqual(step);
    if (type !== undefined) expect(step.type).toBe(type);
    const forwards = step.from === at && direction !== "in";
    expect(forwards || (step.to === at && direction !== "out")).toBe(true);
    at = forwards ? step.to : step.from;
  }
  expect(at).toBe(end);
}
