import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../support/runs.ts";
import { type Edge, edges, edgeType, node, openGraph } from "./graph.ts";

const lineOf = ({ from, type, to }: Edge) => `${from} ${type} ${to}`;

describe("POST /knowledge-graph/delete", () => {
  it("deletes what is there of what it names, like a model, and the same again changes nothing", async () => {
    const { send, show } = await openGraph();
    const named = fc.record({
      entities: fc.array(node, { maxLength: 6 }),
      relationships: fc.array(fc.record({ from: node, to: node, type: edgeType }), { maxLength: 8 }),
    });
    let project = 0;
    await fc.assert(
      fc.asyncProperty(edges, named, async (all, body) => {
        const options = { headers: { "X-Project-Id": `many-${project++}` } };
        const ids = [...new Set(all.flatMap(({ from, to }) => [from, to]))];
        const entities = ids.map((id) => ({ id, type: "t", name: id }));
        await send("POST", "/import", { ...options, body: { entities, relationships: all } });
        const gone = new Set(body.relationships.map(lineOf));
        const stays = (edge: Edge) =>
          !gone.has(lineOf(edge)) && ![edge.from, edge.to].some((id) => body.entities.includes(id));
        const left = {
          entities: ids.filter((id) => !body.entities.includes(id)),
          relationships: all.filter(stays),
        };
        const deleted = {
          entities: ids.length - left.entities.length,
          relationships: all.length - left.relationships.length,
        };
        expect((await send("POST", "/delete", { ...options, body })).body).toEqual({ deleted });
        const graph = await show(options);
        expect(graph.entities.map(({ id }) => id)).toEqual(left.entities.toSorted());
        expect(graph.relationships.map(lineOf).toSorted()).toEqual(left.relationships.map(lineOf).toSorted());
        const again = await send("POST", "/delete", { ...options, body });
        expect(again.body).toEqual({ deleted: { entities: 0, relationships: 0 } });
      }),
      { numRuns: runs(25) },
    );
  });

  it("deletes more entities and relationships than one transaction may", async () => {
    const { send, show, impact } = await openGraph();
    const ids = Array.from({ length: 2500 }, (_, index) => `e${index}`);
    const entities = ["hub", "last", ...ids].map((id) => ({ id, type: "node", name: id }));
    const around = ids.flatMap((id) => [
      { from: "hub", to: id, type: "t" },
      { from: id, to: "last", type: "t" },
    ]);
    await send("POST", "/import", { body: { entities, relationships: around } });
    const body = { entities: ["hub", ...ids], relationships: around.slice(0, 2400) };
    expect((await send("POST", "/delete", { body })).body.deleted).toEqual({
      entities: 2501,
      relationships: 5000,
    });
    expect((await show()).counts).toEqual({ entities: 1, relationships: 0 });
    expect((await impact("last")).entities).toEqual([]);
  });

  it("leaves no relationship without an end if some are added concurrently", async () => {
    const { entities, send, show } = await openGraph();
    await entities("hub", "other", ...Array.from({ length: 40 }, (_, index) => `e${index}`));
    const adding = Array.from({ length: 40 }, (_, index) =>
      send("POST", "/relationship", { body: { from: `e${index}`, to: "hub", type: "t" } }),
    );
    const deletion = await send("POST", "/delete", { body: { entities: ["hub", "other"] } });
    const added = (await Promise.all(adding)).filter(({ status }) => status === 201).length;
    expect(deletion.body.deleted).toEqual({ entities: 2, relationships: added });
    expect((await show()).counts).toEqual({ entities: 40, relationships: 0 });
  });

  it("refuses more than 10,000, and what names nothing, before it deletes anything", async () => {
    const { entities, send, show } = await openGraph();
    await entities("a");
    const many = Array.from({ length: 10_001 }, () => "a");
    for (const [body, path] of [
      [{ entities: many }, "entities"],
      [{ entities: ["a", ""] }, "entities.1"],
      [{ entities: ["a"], relationships: [{ from: "a", to: "b" }] }, "relationships.0.type"],
      [{ entities: ["a"], ids: [] }, "ids"],
    ] as const) {
      const refused = await send("POST", "/delete", { body });
      expect([refused.status, refused.body.errors[0].path]).toEqual([400, path]);
    }
    expect((await show()).counts.entities).toBe(1);
  });
});
