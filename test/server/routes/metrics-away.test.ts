import { expect, it } from "vitest";
import { StoreUnavailable } from "../../../src/store/store.ts";
import { startOnFailingStore } from "../../hardness/app-on-store.ts";

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
