import { expect, it } from "vitest";
import { StoreUnavailable } from "../../../src/store/store.ts";
import { startOnFailingStore } from "../../hardness/app-on-store.ts";
import { startApp } from "../../support/app.ts";

it("/metrics answers locally while the store is unavailable, and 503 to other requests", async () => {
  const app = await startOnFailingStore();
  app.failWith(() => new StoreUnavailable("away"));
  const ask = (headers: Record<string, string> = {}) => fetch(`${app.url}/metrics`, { headers });
  const shown = await ask();
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("toolplane_build_info")]);
  expect((await ask({ "X-Forwarded-For": "203.0.113.5" })).status).toBe(503);
  expect((await ask({ Authorization: "Bearer sk_unknown" })).status).toBe(503);
  app.failWith(undefined);
  expect((await ask({ "X-Forwarded-For": "203.0.113.5" })).status).toBe(404);
});

it("/metrics answers 400 to a request with two credentials, as every route does", async () => {
  const app = await startApp();
  for (const path of ["/metrics", "/api/v1/account"]) {
    const answer = await app.request("GET", path, { headers: { "X-API-Key": "tak_another" } });
    expect([path, answer.status, answer.body.error]).toEqual([path, 400, "invalid_request"]);
    expect(answer.headers.get("x-ratelimit-limit")).not.toBeNull();
  }
});
