import { describe, expect, it } from "vitest";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { openGraph } from "./graph.ts";

describe("several servers on one PostgreSQL database", () => {
  async function openTwo() {
    const databaseUrl = await createDatabase();
    return [await openGraph({}, { databaseUrl }), await openGraph({}, { databaseUrl })] as const;
  }

  it("give the same answers immediately after a write to either", async () => {
    const [one, two] = await openTwo();
    expect(await two.found("billing")).toEqual([]);
    await one.relate("web calls billing", "billing uses disk");
    expect(await two.found("bililng")).toEqual(["billing"]);
    expect((await two.impact("web")).counts).toEqual({ 1: 1, 2: 1 });
    expect((await two.send("DELETE", "/entity/billing")).body.deleted).toEqual({
      entities: 1,
      relationships: 2,
    });
    expect(await one.found("billing")).toEqual([]);
    expect((await one.impact("web")).entities).toEqual([]);
    expect((await one.send("GET", "/path?from=web&to=disk")).body.path).toBeNull();
    expect(await one.show()).toEqual(await two.show());
  });

  it("import thousands in one call, all or nothing", async () => {
    const [one, two] = await openTwo();
    const entities = Array.from({ length: 3000 }, (_, index) => ({
      id: `e${index}`,
      type: "node",
      name: `e${index}`,
    }));
    const relationships = entities
      .slice(1)
      .map(({ id }, index) => ({ from: `e${index}`, to: id, type: "next" }));
    const dangling = { from: "e0", to: "nobody", type: "next" };
    const refused = await one.send("POST", "/import", {
      body: { entities, relationships: [...relationships, dangling] },
    });
    expect(refused.status).toBe(422);
    expect((await two.show()).counts.entities).toBe(0);
    const imported = await one.send("POST", "/import", { body: { entities, relationships } });
    expect(imported.body.relationships).toEqual({ created: 2999, updated: 0 });
    expect((await two.show()).counts).toEqual({ entities: 3000, relationships: 2999 });
    expect((await two.send("GET", "/path?from=e0&to=e2999")).body.distance).toBe(2999);
  });

  it("lose no write of 20 writers through both, and leave no relationship without an end", async () => {
    const graphs = await openTwo();
    await graphs[0].entities("hub", "doomed");
    const writer = async (index: number) => {
      const { send } = graphs[index % 2] as (typeof graphs)[0];
      for (let round = 0; round < 5; round++) {
        const id = `w${index}-${round}`;
        expect((await send("POST", "/entity", { body: { id, type: "node", name: id } })).status).toBe(201);
        expect(
          (await send("POST", "/relationship", { body: { from: id, to: "hub", type: "t" } })).status,
        ).toBe(201);
        const late = await send("POST", "/relationship", { body: { from: id, to: "doomed", type: "t" } });
        expect([201, 422]).toContain(late.status);
      }
    };
    const writers = Promise.all(Array.from({ length: 20 }, (_, index) => writer(index)));
    const deletion = await graphs[1].send("DELETE", "/entity/doomed");
    await writers;
    expect(deletion.status).toBe(200);
    for (const { show, impact } of graphs) {
      expect((await show()).counts).toEqual({ entities: 101, relationships: 100 });
      expect((await impact("hub", "depth=1")).counts).toEqual({ 1: 100 });
    }
  });
});
