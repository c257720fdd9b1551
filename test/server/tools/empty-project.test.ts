import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptySpace, toolsNamed } from "../../../src/server/tools/empty-project.ts";
import { collection } from "../../../src/store/store.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openTestStore } from "../../support/store.ts";

const TOOLS = "/api/v1/tools";

/** Stores something with every tool that keeps data. */
async function fill(app: TestApp, key: string, project: string): Promise<void> {
  const ask = async (path: string, body: unknown) => {
    const { status } = await app.request("POST", `${TOOLS}/${path}`, {
      key,
      body,
      headers: { "X-Project-Id": project },
    });
    expect(status, path).toBeLessThan(300);
  };
  await ask("self-healing/diagnose", { log: "error TS2304: Cannot find name 'x'." });
  await ask("anomalies/analyze", { metrics: { builds: [...Array(20).keys(), 1000] } });
  await ask("pair/session", {
    participants: [{ id: "ann", role: "driver" }],
    files: [{ path: "a", content: "a" }],
  });
  await ask("agent-memory/store", { content: "The build fails at midnight." });
  await ask("knowledge-graph/import", {
    entities: ["a", "b"].map((id) => ({ id, type: "t", name: id })),
    relationships: [{ from: "a", to: "b", type: "uses" }],
  });
}

async function contentsOf(app: TestApp, key: string, project: string) {
  const read = async (path: string) =>
    (await app.request("GET", `${TOOLS}/${path}`, { key, headers: { "X-Project-Id": project } })).body;
  const graph = await read("knowledge-graph");
  return {
    diagnoses: (await read("self-healing/history")).items.length,
    anomalies: (await read("anomalies/history")).items.length,
    memories: (await read("agent-memory/recall?q=build")).items.length,
    entities: graph.entities.length,
    relationships: graph.relationships.length,
  };
}

const FULL = { diagnoses: 1, anomalies: 1, memories: 1, entities: 2, relationships: 1 };
const NONE = { diagnoses: 0, anomalies: 0, memories: 0, entities: 0, relationships: 0 };

describe("DELETE /api/v1/projects/{projectId}/data", () => {
  it("deletes the data of one tool or of all in a project, and nothing of another project", async () => {
    const app = await startApp();
    const { token } = await app.account("enterprise");
    for (const project of ["shop", "web"]) await fill(app, token, project);
    await app.request("POST", "/api/v1/track", {
      key: token,
      body: { type: "api_calls" },
      headers: { "X-Project-Id": "shop" },
    });
    const empty = (query = "") => app.request("DELETE", `/api/v1/projects/shop/data${query}`, { key: token });
    const one = await empty("?tool=self-healing");
    expect([one.status, one.body.more]).toEqual([200, false]);
    expect(one.body.deleted).toBeGreaterThan(1);
    expect(await contentsOf(app, token, "shop")).toEqual({ ...FULL, diagnoses: 0 });
    expect((await empty("?tool=self-healing")).body).toEqual({ deleted: 0, more: false });
    expect((await empty()).body.deleted).toBeGreaterThan(7);
    expect((await empty()).body).toEqual({ deleted: 0, more: false });
    expect(await contentsOf(app, token, "shop")).toEqual(NONE);
    expect(await contentsOf(app, token, "web")).toEqual(FULL);
    const usage = await app.request("GET", "/api/v1/usage", {
      key: token,
      headers: { "X-Project-Id": "shop" },
    });
    expect(usage.body.totals.api_calls).toBe(1);
    await fill(app, token, "shop");
    expect(await contentsOf(app, token, "shop")).toEqual(FULL);
  });

  it("works beyond every bound and limit, and frees the documents that were full", async () => {
    const app = await startApp();
    const { accountId, token } = await app.account("enterprise");
    const used = async (): Promise<number> => {
      const { body } = await app.request("GET", "/api/v1/usage/bounds", { key: token });
      return body.bounds.documents.used;
    };
    const documents = (await used()) + 3;
    await fill(app, token, "default");
    const full = await used();
    const limit = (limits: object) =>
      app.request("PATCH", `/api/v1/accounts/${accountId}`, { body: { limits } });
    await limit({ documents, storageBytes: 1 });
    const store = () =>
      app.request("POST", `${TOOLS}/agent-memory/store`, { key: token, body: { content: "more" } });
    const refused = await store();
    expect(refused.status).toBe(507);
    expect(refused.body.detail).toContain("DELETE /api/v1/projects/{projectId}/data");
    await limit({ documents, requestsPerMinute: 1, burst: 1, requestsPerHour: 1, requestsPerDay: 1 });
    expect((await store()).status).toBe(429);
    const emptied = await app.request("DELETE", "/api/v1/projects/default/data", { key: token });
    expect([emptied.status, emptied.body.more]).toEqual([200, false]);
    // `used` also includes the stored alerts about reached limits.
    const left = await used();
    expect(left).toBeLessThan(full);
    await limit({ documents: left + 3 });
    expect((await store()).status).toBe(201);
  });

  it("requires admin, keeps a bound key to its project, and lists the tools for an unknown one", async () => {
    const app = await startApp();
    await app.request("PUT", "/api/v1/projects/shop", { body: {} });
    const empty = async (key: string, project: string, query = "") => {
      const { status, body } = await app.request("DELETE", `/api/v1/projects/${project}/data${query}`, {
        key,
      });
      return [status, body.error];
    };
    expect(await empty(await app.key(["read", "write"]), "shop")).toEqual([403, "insufficient_scope"]);
    const bound = await app.key(["read", "write", "admin"], { projectId: "shop" });
    expect(await empty(bound, "web")).toEqual([403, "forbidden"]);
    expect(await empty(bound, "shop")).toEqual([200, undefined]);
    const { body } = await app.request("DELETE", "/api/v1/projects/shop/data?tool=scheduler");
    expect([body.status, body.errors[0].path]).toEqual([400, "tool"]);
    expect(body.detail + body.errors[0].message).toContain("self-healing");
  });
});

describe("emptySpace()", () => {
  const parents = collection<number>("parents");
  const children = collection<number>("children");
  const tool = { name: "family", collections: [parents, children] };
  const SPACE = "acc/web";

  it("deletes in slices, children only after their parents, at most 10,000 documents at once", async () => {
    const store = await openTestStore({ collections: tool.collections });
    const add = (from: number, to: number) =>
      store.transact(async (tx) => {
        for (let id = from; id < to; id++) {
          await tx.put(parents, SPACE, `${id}`, id);
          await tx.put(children, SPACE, `${id}`, id);
        }
      });
    const count = () =>
      store.transact(async (tx) => [
        (await tx.ids(parents, SPACE)).length,
        (await tx.ids(children, SPACE)).length,
      ]);
    await add(0, 5500);
    let slices = 0;
    const watched = {
      transact: async (work: Parameters<typeof store.transact>[0], ...more: []) => {
        const result = await store.transact(work, ...more);
        // Another writer continues meanwhile.
        if (++slices < 20) await add(10_000 + slices, 10_001 + slices);
        const [some = 0, other = 0] = await count();
        expect(some === 0 || other >= some).toBe(true);
        return result;
      },
    } as Pick<typeof store, "transact">;
    const first = await emptySpace(watched, SPACE, [tool]);
    expect(first).toEqual({ deleted: 10_000, more: true });
    expect(await emptySpace(watched, SPACE, [tool])).toEqual({ deleted: 1038, more: false });
    expect(await count()).toEqual([0, 0]);
    expect(slices).toBeGreaterThanOrEqual(11_038 / 200);
  });

  it("deletes the counters of a tool after its documents, and of no other tool", async () => {
    const store = await openTestStore({ collections: [] });
    for (const counter of ["read", "usage"])
      await store.transact((tx) => tx.increment(counter, SPACE, "a", 7));
    expect(await emptySpace(store, SPACE, [{ counters: ["read"] }])).toEqual({ deleted: 0, more: false });
    const left = (counter: string) =>
      store.transact((tx) => tx.counts(counter, SPACE, { from: "", to: "~" }));
    expect(await left("read")).toEqual([]);
    expect(await left("usage")).toEqual([{ id: "a", count: 7 }]);
  });

  it("leaves other spaces alone", async () => {
    const name = fc.constantFrom("acc", "acc/web", "acc/web2", "acc2/web", "global");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, fc.nat(30))), async (documents) => {
        const store = await openTestStore({ collections: tool.collections });
        await store.transact(async (tx) => {
          for (const [space, id] of documents) await tx.put(id % 2 ? parents : children, space, `${id}`, id);
        });
        await emptySpace(store, SPACE, [tool]);
        for (const [space, id] of documents) {
          const left = await store.transact((tx) => tx.has(id % 2 ? parents : children, space, `${id}`));
          expect(left).toBe(space !== SPACE);
        }
      }),
      { numRuns: 10 },
    );
  });

  it("toolsNamed() finds tools by name, and only those with collections or counters", () => {
    const other = { name: "stateless", collections: [] };
    const counting = { name: "counting", counters: ["read"] };
    expect(toolsNamed([tool, other, counting], undefined)).toEqual([tool, counting]);
    expect(toolsNamed([tool, other], "family")).toEqual([tool]);
    expect(() => toolsNamed([tool, other], "stateless")).toThrow(
      expect.objectContaining({ error: "invalid_request" }),
    );
  });
});
