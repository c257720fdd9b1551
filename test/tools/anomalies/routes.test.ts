import { describe, expect, it } from "vitest";
import { openAnomalies, ROOT } from "./anomalies.ts";

describe("the history of anomalies", () => {
  it("lists the newest first in pages, filtered by state and metric", async () => {
    const { spike, dismiss, history } = await openAnomalies();
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) ids.unshift((await spike(`m${index}`)).id);
    expect((await history()).items.map(({ id }) => id)).toEqual(ids);
    for (const id of ids.filter((_, index) => index % 2 === 0)) await dismiss(id, { reason: "known" });
    const open = ids.filter((_, index) => index % 2 === 1);
    const paged: string[] = [];
    for (let query = "?state=open&limit=2"; query !== ""; ) {
      const { items, nextCursor } = await history(query);
      expect(items.length).toBeLessThanOrEqual(2);
      paged.push(...items.map(({ id }) => id));
      query = nextCursor === undefined ? "" : `?state=open&limit=2&cursor=${nextCursor}`;
    }
    expect(paged).toEqual(open);
    expect((await history("?metric=m4&state=dismissed")).items).toMatchObject([
      { metric: "m4", reason: "known" },
    ]);
    expect((await history("?metric=unknown")).items).toEqual([]);
  });

  it("lists them with the points around each, as they are shown one by one, where it is asked to", async () => {
    const { spike, history, send } = await openAnomalies();
    const { id } = await spike();
    const shown = (await send("GET", `/${id}`)).body;
    expect((await history("?include=around")).items).toEqual([{ ...shown.anomaly, around: shown.around }]);
    expect((await history()).items).toEqual([shown.anomaly]);
  });

  it("refuses unknown and invalid query parameters", async () => {
    const { send } = await openAnomalies();
    for (const query of ["state=closed", "limit=0", "limit=201", "kind=spike", "metric="])
      expect((await send("GET", `/history?${query}`)).status, query).toBe(400);
  });
});

describe("the routes of anomalies", () => {
  it("hide anomalies from other accounts, which cannot dismiss or apply them either", async () => {
    const { app, spike, history } = await openAnomalies();
    const { id } = await spike();
    const { token } = await app.account("team");
    const ask = (method: string, path: string, body?: unknown) =>
      app.request(method, ROOT + path, { key: token, ...(body !== undefined && { body }) });
    expect((await ask("GET", "/history")).body.items).toEqual([]);
    for (const verb of ["dismiss", "apply"]) {
      const [theirs, nobodys] = [
        await ask("POST", `/${verb}/${id}`, {}),
        await ask("POST", `/${verb}/ano_0`, {}),
      ];
      expect([theirs.status, nobodys.status]).toEqual([404, 404]);
      expect(theirs.body.detail.replace(id, "ano_0")).toBe(nobodys.body.detail);
    }
    const { series } = (await ask("POST", "/analyze", { metrics: { build_seconds: [400] } })).body;
    expect(series.build_seconds.verdict).toBe("insufficient_data");
    expect((await history()).items).toMatchObject([{ id, state: "open" }]);
  });

  it("keep the projects of an account apart", async () => {
    const { app, spike, apply } = await openAnomalies({ headers: { "X-Project-Id": "one" } });
    const { id } = await spike();
    const other = { headers: { "X-Project-Id": "two" }, body: {} };
    for (const verb of ["dismiss", "apply"])
      expect((await app.request("POST", `${ROOT}/${verb}/${id}`, other)).status).toBe(404);
    const { headers } = other;
    expect((await app.request("GET", `${ROOT}/history`, { headers })).body.items).toEqual([]);
    expect((await apply(id)).status).toBe(200);
    expect((await app.request("GET", `${ROOT}/settings`, { headers })).body.items).toEqual([]);
  });

  it("require the scope write to analyse and decide, and the scope read to list", async () => {
    const { app, send } = await openAnomalies();
    const key = await app.key(["read"]);
    for (const path of ["/history", "/settings"]) {
      expect((await send("GET", path, { key })).status).toBe(200);
      expect((await send("GET", path, { key: null })).status).toBe(401);
    }
    for (const path of ["/analyze", "/dismiss/ano_0", "/apply/ano_0", "/settings"]) {
      expect((await send("POST", path, { key, body: {} })).body.error).toBe("insufficient_scope");
      expect((await send("POST", path, { key: null, body: {} })).status).toBe(401);
    }
  });

  it("refuse an invalid body of a decision", async () => {
    const { spike, send } = await openAnomalies();
    const { id } = await spike();
    for (const [verb, body] of [
      ["dismiss", { reason: 1 }],
      ["dismiss", { reason: "x".repeat(1001) }],
      ["dismiss", { why: "x" }],
      ["apply", { reason: "x" }],
    ] as const) {
      const answer = await send("POST", `/${verb}/${id}`, { body });
      expect([answer.status, answer.body.error]).toEqual([400, "invalid_request"]);
    }
    expect((await send("POST", `/dismiss/${id}`)).status).toBe(200);
  });
});
