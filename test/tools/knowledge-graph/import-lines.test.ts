import { describe, expect, it } from "vitest";
import { OWNER_KEY } from "../../support/app.ts";
import { openGraph, ROOT, type TestGraph } from "./graph.ts";

const entity = (id: string, more: object = {}) => ({ entity: { id, type: "node", name: id, ...more } });
const relationship = (from: string, to: string) => ({ relationship: { from, to, type: "t" } });

function importing({ app }: TestGraph, key = OWNER_KEY) {
  return async (text: string, type = "application/x-ndjson") => {
    const response = await fetch(`${app.url}${ROOT}/import`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": type },
      body: text,
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers without their types
    const body: any = await response.json();
    return { status: response.status, body };
  };
}

const lines = (...items: object[]) => items.map((item) => JSON.stringify(item)).join("\n");

describe("POST /knowledge-graph/import of lines", () => {
  it("records lines in any order, skips empty ones, and keeps the last of duplicates", async () => {
    const graph = await openGraph();
    const send = importing(graph);
    const text = `${lines(relationship("a", "b"), entity("b"), entity("a", { name: "first" }))}\r\n\n${lines(
      entity("a", { name: "last" }),
      { entity: { type: "node", name: "nameless" } },
      { entity: { type: "node", name: "nameless, too" } },
    )}\n`;
    const { status, body } = await send(text, "application/x-ndjson; charset=utf-8");
    expect([status, body]).toEqual([
      200,
      { entities: { created: 4, updated: 0 }, relationships: { created: 1, updated: 0 } },
    ]);
    expect((await graph.impact("a")).entities.map(({ id }) => id)).toEqual(["b"]);
    expect(await graph.found("last")).toEqual(["a"]);
    const again = await send(lines(relationship("b", "a"), entity("b")));
    expect(again.body).toEqual({
      entities: { created: 0, updated: 1 },
      relationships: { created: 1, updated: 0 },
    });
  });

  it("accepts existing entities as ends, and writes nothing if an end does not exist", async () => {
    const graph = await openGraph();
    const send = importing(graph);
    await graph.entities("there");
    const refused = await send(
      lines(entity("new"), relationship("new", "there"), relationship("gone", "new")),
    );
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ path: "lines.2.relationship.from", message: 'there is no entity "gone"' }],
    ]);
    expect((await graph.show()).counts).toEqual({ entities: 1, relationships: 0 });
  });

  it.each([
    [lines(entity("a"), { entity: { id: "b", type: "node" } }), ["lines.1.entity.name"]],
    [lines(entity("a"), { thing: {} }), ["lines.1.thing", "lines.1"]],
    [lines({ ...entity("a"), ...relationship("a", "a") }), ["lines.0"]],
    [
      lines({}, entity("a"), { entity: { id: "", type: "", name: "a" } }),
      ["lines.0", "lines.2.entity.id", "lines.2.entity.type"],
    ],
    [
      lines(entity("a"), entity("b", { properties: { text: "x".repeat(17_000) } })),
      ["lines.1.entity.properties"],
    ],
    ["[1]", ["lines.0"]],
  ])("refuses the whole import for a faulty line: %.60s", async (text, paths) => {
    const graph = await openGraph();
    const { status, body } = await importing(graph)(text);
    expect([status, body.error]).toEqual([400, "invalid_request"]);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect((await graph.show()).counts.entities).toBe(0);
  });

  it("names the line that is not JSON, and at most 100 faults", async () => {
    const send = importing(await openGraph());
    const broken = await send(`${lines(entity("a"))}\n{"entity":`);
    expect([broken.status, broken.body.error]).toEqual([400, "invalid_json"]);
    expect(broken.body.detail).toMatch(/^Line 2: /);
    const faulty = await send(lines(...Array.from({ length: 300 }, () => ({ entity: {} }))));
    expect(faulty.body.errors).toHaveLength(100);
    expect((await send("a", "text/plain")).status).toBe(415);
  });

  it("imports more than a single JSON object may hold", async () => {
    const graph = await openGraph();
    const entities = Array.from({ length: 60_000 }, (_, index) => entity(`e${index}`));
    const relationships = Array.from({ length: 3000 }, (_, index) =>
      relationship(`e${index}`, `e${index + 1}`),
    );
    const { body } = await importing(graph)(lines(...relationships, ...entities));
    expect(body).toEqual({
      entities: { created: 60_000, updated: 0 },
      relationships: { created: 3000, updated: 0 },
    });
    expect((await graph.send("GET", "/path?from=e0&to=e3000")).body.distance).toBe(3000);
  });

  it("keeps what it wrote before it met a bound of the account, and goes on if sent again unchanged", async () => {
    const graph = await openGraph();
    const { accountId, token: key } = await graph.app.account("enterprise");
    const allow = (documents: number) =>
      graph.app.request("PATCH", `/api/v1/accounts/${accountId}`, { body: { limits: { documents } } });
    const counts = async () => (await graph.show({ key })).counts;
    const send = importing(graph, key);
    const ids = Array.from({ length: 1000 }, (_, index) => `e${index}`);
    const text = lines(...ids.map((id) => relationship(id, "e0")), ...ids.map((id) => entity(id)));
    await allow(700);
    const refused = await send(text);
    expect([refused.status, refused.body.bound]).toEqual([507, "documents"]);
    const before = await counts();
    expect(before).toEqual({ entities: expect.any(Number), relationships: 0 });
    expect(before.entities).toBeGreaterThan(0);
    await allow(5000);
    expect((await send(text)).body).toEqual({
      entities: { created: 1000 - before.entities, updated: before.entities },
      relationships: { created: 1000, updated: 0 },
    });
    expect(await counts()).toEqual({ entities: 1000, relationships: 1000 });
  });

  it("does nothing for an empty body", async () => {
    const { status, body } = await importing(await openGraph())("");
    expect([status, body.entities]).toEqual([200, { created: 0, updated: 0 }]);
  });
});
