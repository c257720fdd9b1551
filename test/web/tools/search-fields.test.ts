import { expect, it } from "vitest";
import { openToolPages } from "../support/tool-pages.ts";

it("whatever fits into a search field can be searched for", async () => {
  const { app, browser, call } = await openToolPages();
  await app.request("POST", "/api/v1/keys", { body: { name: "ci", scopes: ["write"] } });
  await call("POST", "/agent-memory/store", { content: "We deploy on Tuesdays." });
  await call("POST", "/knowledge-graph/entity", { id: "shop", name: "Shop", type: "service" });
  for (const path of ["/keys", "/memories", "/graph", "/projects", "/people", "/audit", "/server/accounts"]) {
    const { html } = await browser.get(path);
    const [field = ""] = /<input [^>]*name="query"[^>]*>/.exec(html) ?? [];
    const [, most] = / maxLength="(\d+)"/i.exec(field) ?? [];
    expect(Number(most), path).toBeGreaterThan(0);
    const asked = new URLSearchParams({ query: "漢".repeat(Number(most)) });
    expect((await browser.get(`${path}?${asked}`)).status, path).toBe(200);
  }
});
