import { describe, expect, it } from "vitest";
import { openGraph, ROOT } from "./graph.ts";

describe("a graph", () => {
  it("is not visible to another account in any way", async () => {
    const { app, relate, show } = await openGraph();
    await relate("a calls b");
    const { token } = await app.account("team");
    const ask = (method: string, path: string, body?: unknown) =>
      app.request(method, ROOT + path, { key: token, ...(body !== undefined && { body }) });
    expect((await ask("GET", "")).body.counts).toEqual({ entities: 0, relationships: 0 });
    expect((await ask("GET", "/search?q=a")).body.items).toEqual([]);
    for (const path of ["/impact/a", "/path?from=a&to=b"]) {
      const [theirs, nobodys] = [await ask("GET", path), await ask("GET", path.replaceAll(/\ba\b/g, "z"))];
      expect([theirs.status, nobodys.status]).toEqual([404, 404]);
      expect(theirs.body.detail.replace('"a"', '"z"')).toBe(nobodys.body.detail);
    }
    expect((await ask("DELETE", "/entity/a")).status).toBe(404);
    expect((await ask("DELETE", "/relationship?from=a&to=b&type=calls")).status).toBe(404);
    expect((await ask("POST", "/relationship", { from: "a", to: "b", type: "calls" })).status).toBe(422);
    expect((await ask("POST", "/entity", { id: "a", type: "t", name: "mine" })).status).toBe(201);
    expect((await show()).entities.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("belongs to one project of its account", async () => {
    const { app, relate, show, send } = await openGraph({ headers: { "X-Project-Id": "one" } });
    await relate("a calls b");
    const other = { headers: { "X-Project-Id": "two" } };
    expect((await show(other)).counts.entities).toBe(0);
    expect((await send("GET", "/impact/a", other)).status).toBe(404);
    expect((await show()).counts.entities).toBe(2);
    const projects = await app.request("GET", "/api/v1/projects");
    expect(projects.body.items.map(({ id }: { id: string }) => id)).toEqual(["one"]);
  });
});
