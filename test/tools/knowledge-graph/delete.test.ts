import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edges, node, openGraph } from "./graph.ts";

describe("DELETE /knowledge-graph/entity/{entityId}", () => {
  it("deletes the entity's relationships in both directions, and those to itself", async () => {
    const { relate, send, show } = await openGraph();
    await relate("a to b", "b to c", "c to a", "a to a", "b to d");
    const { status, body } = await send("DELETE", "/entity/a");
    expect([status, body]).toEqual([200, { deleted: { entities: 1, relationships: 3 } }]);
    const { entities, relationships } = await show();
    expect(entities.map(({ id }) => id)).toEqual(["b", "c", "d"]);
    expect(relationships.map(({ from, to }) => from + to).sort()).toEqual(["bc", "bd"]);
  });

  it("returns 404 for an entity that never existed or is already deleted", async () => {
    const { entities, send } = await openGraph();
    expect((await send("DELETE", "/entity/a")).status).toBe(404);
    await entities("a");
    expect((await send("DELETE", "/entity/a")).status).toBe(200);
    expect((await send("DELETE", "/entity/a")).status).toBe(404);
  });

  it("leaves no relationship behind for a new entity with the same id", async () => {
    const { relate, entities, send, impact } = await openGraph();
    await relate("a to b");
    await impact("a");
    await send("DELETE", "/entity/a");
    await entities("a");
    expect((await impact("a")).entities).toEqual([]);
    expect((await impact("b")).entities).toEqual([]);
  });

  it("deletes thousands of relationships in both directions", async () => {
    const { send, show } = await openGraph();
    const ids = Array.from({ length: 1300 }, (_, index) => `e${index}`);
    const entities = ["hub", ...ids].map((id) => ({ id, type: "node", name: id }));
    const relationships = ids.flatMap((id) => [
      { from: id, to: "hub", type: "t" },
      { from: "hub", to: id, type: "t" },
    ]);
    await send("POST", "/import", { body: { entities, relationships } });
    const { body } = await send("DELETE", "/entity/hub");
    expect(body.deleted).toEqual({ entities: 1, relationships: 2600 });
    expect((await show()).counts).toEqual({ entities: 1300, relationships: 0 });
  });

  it("leaves no relationship without an end if some are added concurrently", async () => {
    const { entities, send, show } = await openGraph();
    await entities("hub", ...Array.from({ length: 40 }, (_, index) => `e${index}`));
    const add = (index: number) =>
      send("POST", "/relationship", { body: { from: `e${index}`, to: "hub", type: "t" } });
    const requests = Array.from({ length: 40 }, (_, index) => add(index));
    const deletion = await send("DELETE", "/entity/hub");
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    const added = statuses.filter((status) => status === 201).length;
    expect(statuses.every((status) => status === 201 || status === 422)).toBe(true);
    expect(deletion.body.deleted).toEqual({ entities: 1, relationships: added });
    expect((await show()).counts).toEqual({ entities: 40, relationships: 0 });
  });
});

describe("DELETE /knowledge-graph/relationship", () => {
  it("deletes only the relationship with the given ends and type", async () => {
    const { relate, send, show } = await openGraph();
    await relate("a calls b", "a owns b", "b calls a");
    const { status, body } = await send("DELETE", "/relationship?from=a&to=b&type=calls");
    expect([status, body]).toEqual([200, { deleted: { entities: 0, relationships: 1 } }]);
    const { relationships } = await show();
    expect(relationships.map(({ from, type, to }) => `${from} ${type} ${to}`).sort()).toEqual([
      "a owns b",
      "b calls a",
    ]);
    expect((await send("DELETE", "/relationship?from=a&to=b&type=calls")).status).toBe(404);
  });

  it("requires from, to and type", async () => {
    const { send } = await openGraph();
    const { status, body } = await send("DELETE", "/relationship?from=a");
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(["to", "type"]);
  });
});

describe("a graph after any history", () => {
  it("holds the same entities and relationships as a model", async () => {
    const { send, show } = await openGraph();
    let project = 0;
    const step = fc.oneof(
      fc.record({ add: edges }),
      fc.record({ entity: node }),
      fc.record({ unrelate: fc.record({ from: node, to: node, type: fc.constantFrom("x", "y") }) }),
      fc.record({ look: node }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const options = { headers: { "X-Project-Id": `history-${project++}` } };
        const entities = new Set<string>();
        const relationships = new Set<string>();
        for (const each of steps) {
          if ("add" in each) {
            for (const { from, to, type } of each.add) {
              for (const id of [from, to]) entities.add(id);
              relationships.add(`${from} ${type} ${to}`);
            }
            const ids = [...new Set(each.add.flatMap(({ from, to }) => [from, to]))];
            const body = {
              entities: ids.map((id) => ({ id, type: "t", name: id })),
              relationships: each.add,
            };
            expect((await send("POST", "/import", { ...options, body })).status).toBe(200);
          } else if ("entity" in each) {
            const { status } = await send("DELETE", `/entity/${each.entity}`, options);
            expect(status).toBe(entities.delete(each.entity) ? 200 : 404);
            for (const line of relationships) {
              const [from, , to] = line.split(" ");
              if (from === each.entity || to === each.entity) relationships.delete(line);
            }
          } else if ("unrelate" in each) {
            const { from, to, type } = each.unrelate;
            const { status } = await send(
              "DELETE",
              `/relationship?from=${from}&to=${to}&type=${type}`,
              options,
            );
            expect(status).toBe(relationships.delete(`${from} ${type} ${to}`) ? 200 : 404);
          } else {
            const { status } = await send("GET", `/impact/${each.look}`, options);
            expect(status).toBe(entities.has(each.look) ? 200 : 404);
          }
        }
        const graph = await show(options);
        expect(new Set(graph.entities.map(({ id }) => id))).toEqual(entities);
        expect(new Set(graph.relationships.map(({ from, type, to }) => `${from} ${type} ${to}`))).toEqual(
          relationships,
        );
        for (const id of entities) {
          const { body } = await send("GET", `/impact/${id}?depth=1`, options);
          const neighbours = [...relationships].flatMap((line) => {
            const [from, , to] = line.split(" ");
            return from === id ? [to] : to === id ? [from] : [];
          });
          const others = new Set(neighbours.filter((other) => other !== id));
          expect(new Set(body.entities.map((each: { id: string }) => each.id))).toEqual(others);
        }
      }),
      { numRuns: 40 },
    );
  });
});
