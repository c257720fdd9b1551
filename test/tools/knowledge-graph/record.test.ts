import { describe, expect, it } from "vitest";
import { knowledgeGraphContract } from "../../../src/tools/knowledge-graph/contract.ts";
import { openGraph, ROOT } from "./graph.ts";

const SERVICE = { id: "svc", type: "service", name: "Billing", properties: { lang: "Go", ports: [80, 443] } };

describe("POST /knowledge-graph/entity", () => {
  it("adds an entity with 201, and replaces the entity with 200, keeping createdAt", async () => {
    const { send } = await openGraph();
    const first = await send("POST", "/entity", { body: SERVICE });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ entity: SERVICE, created: true });
    const second = await send("POST", "/entity", { body: { id: "svc", type: "service", name: "Invoices" } });
    expect(second.status).toBe(200);
    expect(second.body).toMatchObject({ entity: { name: "Invoices", properties: {} }, created: false });
    expect(second.body.entity.createdAt).toBe(first.body.entity.createdAt);
    expect(second.body.entity.updatedAt >= first.body.entity.updatedAt).toBe(true);
  });

  it("generates an id if none is given", async () => {
    const { send } = await openGraph();
    const body = { type: "service", name: "Billing" };
    const ids = [await send("POST", "/entity", { body }), await send("POST", "/entity", { body })].map(
      (response) => response.body.entity.id,
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^ent_[0-9a-z]{26}$/);
  });

  it.each([
    [{ type: "service" }, "name"],
    [{ name: "Billing" }, "type"],
    [{ type: "service", name: "" }, "name"],
    [{ type: "service", name: " \t " }, "name"],
    [{ type: "service", name: "x".repeat(257) }, "name"],
    [{ type: "service", name: "a\u0000b" }, "name"],
    [{ type: 7, name: "Billing" }, "type"],
    [{ type: "service", name: "Billing", id: "" }, "id"],
    [{ type: "service", name: "Billing", id: "a\nb" }, "id"],
    [{ type: "service", name: "Billing", properties: [] }, "properties"],
    [{ type: "service", name: "Billing", properties: { text: "x".repeat(17_000) } }, "properties"],
    [{ type: "service", name: "Billing", colour: "red" }, "colour"],
  ])("refuses %j, naming %s", async (body, path) => {
    const { send } = await openGraph();
    const response = await send("POST", "/entity", { body });
    expect([response.status, response.body.error]).toEqual([400, "invalid_request"]);
    expect(response.body.errors.map((fault: { path: string }) => fault.path)).toEqual([path]);
  });

  it("trims ids and names, and stores __proto__ as an ordinary key", async () => {
    const { send, show } = await openGraph();
    const raw =
      '{"id":" a ","type":" t ","name":" A b ","properties":{"__proto__":{"polluted":1}," k ":" v "}}';
    const { body } = await send("POST", "/entity", { raw, headers: { "Content-Type": "application/json" } });
    expect(body.entity).toMatchObject({ id: "a", type: "t", name: "A b" });
    expect(Object.entries(body.entity.properties)).toEqual([
      ["__proto__", { polluted: 1 }],
      [" k ", " v "],
    ]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((await show()).entities.map(({ id }) => id)).toEqual(["a"]);
  });

  it("records a request once if it is repeated with its Idempotency-Key", async () => {
    const { send, show } = await openGraph();
    const headers = { "Idempotency-Key": "one" };
    const body = { type: "service", name: "Billing" };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => send("POST", "/entity", { body, headers })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await show()).counts.entities).toBe(1);
    const other = await send("POST", "/entity", { body: { ...body, name: "Other" }, headers });
    expect([other.status, other.body.error]).toEqual([422, "idempotency_mismatch"]);
  });
});

describe("POST /knowledge-graph/relationship", () => {
  it("adds a relationship with 201, and replaces one with the same ends and type with 200", async () => {
    const { send, entities, show } = await openGraph();
    await entities("a", "b");
    const body = { from: "a", to: "b", type: "calls", weight: 2, properties: { via: "http" } };
    const first = await send("POST", "/relationship", { body });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ relationship: body, created: true });
    const second = await send("POST", "/relationship", { body: { from: "a", to: "b", type: "calls" } });
    expect(second.status).toBe(200);
    expect(second.body.relationship).not.toHaveProperty("weight");
    for (const other of [
      { from: "b", to: "a", type: "calls" },
      { from: "a", to: "b", type: "owns" },
      { from: "a", to: "a", type: "calls" },
    ]) {
      expect((await send("POST", "/relationship", { body: other })).status).toBe(201);
    }
    expect((await show()).counts).toEqual({ entities: 2, relationships: 4 });
  });

  it("distinguishes relationships whose ids contain commas", async () => {
    const { send, entities, show } = await openGraph();
    await entities("a", "a,b", "b,c", "c");
    await send("POST", "/relationship", { body: { from: "a", to: "b,c", type: "t" } });
    await send("POST", "/relationship", { body: { from: "a,b", to: "c", type: "t" } });
    expect((await show()).counts.relationships).toBe(2);
  });

  it.each([
    [{ from: "a", to: "nobody", type: "calls" }, ["to"]],
    [{ from: "nobody", to: "a", type: "calls" }, ["from"]],
    [{ from: "no-one", to: "nobody", type: "calls" }, ["from", "to"]],
  ])("refuses %j with 422, naming the end that does not exist", async (body, paths) => {
    const { send, entities, show } = await openGraph();
    await entities("a");
    const response = await send("POST", "/relationship", { body });
    expect([response.status, response.body.error]).toEqual([422, "unprocessable"]);
    expect(response.body.errors.map((fault: { path: string }) => fault.path)).toEqual(paths);
    expect(response.body.detail).toMatch(/there is no entity "(nobody|no-one)"/);
    expect((await show()).counts.relationships).toBe(0);
  });

  it.each([
    [{ from: "a", to: "b" }, "type"],
    [{ from: "a", type: "t" }, "to"],
    [{ from: "a", to: "b", type: "t", weight: "heavy" }, "weight"],
    [{ from: 1, to: "b", type: "t" }, "from"],
  ])("refuses %j, naming %s", async (body, path) => {
    const { send } = await openGraph();
    const response = await send("POST", "/relationship", { body });
    expect([response.status, response.body.errors[0].path]).toEqual([400, path]);
  });
});

describe("POST /knowledge-graph/import", () => {
  const entity = (id: string) => ({ id, type: "node", name: id });

  it("imports the answer of GET /knowledge-graph, and sets new times", async () => {
    const { send, show, relate } = await openGraph();
    await relate("a knows b", "b knows c");
    const shown = (await send("GET", "")).body;
    for (const { id } of shown.entities) await send("DELETE", `/entity/${id}`);
    expect((await show()).counts).toEqual({ entities: 0, relationships: 0 });
    const old = { createdAt: "2001-01-01T00:00:00.000Z", updatedAt: "2001-01-01T00:00:00.000Z" };
    const entities = shown.entities.map((entity: object) => ({ ...entity, ...old }));
    const imported = await send("POST", "/import", { body: { ...shown, entities } });
    expect(imported.body.entities).toEqual({ created: 3, updated: 0 });
    const again = (await send("GET", "")).body;
    const withoutTimes = ({ entities, relationships }: typeof again) =>
      [...entities, ...relationships].map(({ createdAt: _, updatedAt: __, ...rest }) => rest);
    expect(withoutTimes(again)).toEqual(withoutTimes(shown));
    expect(again.entities[0].createdAt > "2002").toBe(true);
  });

  it("records entities and the relationships between them in one call", async () => {
    const { send, impact } = await openGraph();
    const first = await send("POST", "/import", {
      body: { entities: [entity("a"), entity("b")], relationships: [{ from: "a", to: "b", type: "t" }] },
    });
    expect([first.status, first.body]).toEqual([
      200,
      { entities: { created: 2, updated: 0 }, relationships: { created: 1, updated: 0 } },
    ]);
    const second = await send("POST", "/import", {
      body: {
        entities: [entity("b"), entity("c"), entity("c"), { type: "node", name: "unnamed" }],
        relationships: [
          { from: "a", to: "b", type: "t" },
          { from: "b", to: "c", type: "t", weight: 1 },
          { from: "b", to: "c", type: "t", weight: 2 },
        ],
      },
    });
    expect(second.body).toEqual({
      entities: { created: 2, updated: 1 },
      relationships: { created: 1, updated: 1 },
    });
    expect((await impact("a")).counts).toEqual({ 1: 1, 2: 1 });
  });

  it("keeps the last of two entities with the same id", async () => {
    const { send, show } = await openGraph();
    const named = (name: string) => ({ id: "a", type: "node", name });
    await send("POST", "/import", { body: { entities: [named("first"), named("last")] } });
    expect((await show()).entities.map(({ name }) => name)).toEqual(["last"]);
  });

  it("records nothing if an end does not exist, naming the end and its path", async () => {
    const { send, show } = await openGraph();
    const response = await send("POST", "/import", {
      body: {
        entities: [entity("a"), entity("b")],
        relationships: [
          { from: "a", to: "b", type: "t" },
          { from: "a", to: "nobody", type: "t" },
        ],
      },
    });
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual([
      { path: "relationships.1.to", message: 'there is no entity "nobody"' },
    ]);
    expect((await show()).counts).toEqual({ entities: 0, relationships: 0 });
  });

  it("names the fault of one entity among many", async () => {
    const { send } = await openGraph();
    const entities = Array.from({ length: 100 }, (_, index) => entity(`e${index}`));
    const response = await send("POST", "/import", {
      body: { entities: [...entities, { id: "x", type: "t" }] },
    });
    expect([response.status, response.body.errors[0].path]).toEqual([400, "entities.100.name"]);
  });

  it("accepts at most 50,000 entities and relationships together", async () => {
    const { send } = await openGraph();
    const entities = Array.from({ length: 50_000 }, (_, index) => entity(`e${index}`));
    const most = await send("POST", "/import", { body: { entities } });
    expect(most.body.entities).toEqual({ created: 50_000, updated: 0 });
    const relationships = [{ from: "e1", to: "e2", type: "t" }];
    const more = await send("POST", "/import", { body: { entities, relationships } });
    expect(more.status).toBe(400);
    expect(more.body.detail).toContain("at most 50000 entities and relationships together");
  });

  it("does nothing with an empty import", async () => {
    const { send } = await openGraph();
    const response = await send("POST", "/import", { body: {} });
    expect(response.body).toEqual({
      entities: { created: 0, updated: 0 },
      relationships: { created: 0, updated: 0 },
    });
  });
});

describe("20 concurrent writers", () => {
  it("lose no write, neither to a shared entity nor to their own", async () => {
    const { send, show, impact } = await openGraph();
    const writer = async (name: string) => {
      for (let round = 0; round < 10; round++) {
        const id = `${name}-${round}`;
        const made = await send("POST", "/entity", { body: { id, type: "node", name: id } });
        const shared = await send("POST", "/entity", { body: { id: "hub", type: "hub", name: "hub" } });
        const related = await send("POST", "/relationship", { body: { from: id, to: "hub", type: "uses" } });
        expect([made.status, [200, 201].includes(shared.status), related.status]).toEqual([201, true, 201]);
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => writer(`writer-${index}`)));
    const { counts } = await show();
    expect(counts).toEqual({ entities: 201, relationships: 200 });
    expect((await impact("hub", "depth=1")).counts).toEqual({ 1: 200 });
  });

  it("create an entity only once if all add the same one concurrently", async () => {
    const { send } = await openGraph();
    const body = { id: "one", type: "node", name: "one" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send("POST", "/entity", { body })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  });
});

describe("a credential with read scope", () => {
  it("may call all reading endpoints, and gets 403 from all others", async () => {
    const { app, send, entities } = await openGraph();
    await entities("a", "b");
    const key = await app.key(["read"]);
    for (const { method, path, scope } of Object.values(knowledgeGraphContract)) {
      const target = path.replace(ROOT, "").replace("{entityId}", "a");
      const query = method === "DELETE" && target === "/relationship" ? "?from=a&to=b&type=t" : "";
      const asked = target === "/search" ? "?q=a" : target === "/path" ? "?from=a&to=b" : query;
      const body = method === "POST" ? { body: {} } : {};
      const response = await send(method, target + asked, { key, ...body });
      expect([path, response.status]).toEqual([path, scope === "read" ? 200 : 403]);
    }
  });
});
