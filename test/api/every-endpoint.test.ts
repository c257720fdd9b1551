import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/api.ts";
import { allows, SCOPES, type Scope } from "../../src/contract/caller.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { startApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";

const FOUR = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-policy"];
const secured = endpoints.filter(({ scope }) => scope !== "public");

/** Returns an endpoint's path with its parameters filled in. */
function pathOf({ path }: Endpoint, value = "example"): string {
  return path.replace(/\{\w+\}/g, value);
}

function takesBody({ method }: Endpoint): boolean {
  return method !== "GET" && method !== "DELETE";
}

describe("every endpoint", () => {
  it("has a unique name, and a unique method and path", () => {
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length);
    expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(endpoints.length);
  });

  it("answers 401 without a valid credential, before it reads the request", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    for (const endpoint of secured) {
      for (const key of [null, "tak_wrong"]) {
        // Requests without a valid credential are limited to 60 a minute.
        clock.advance(1000);
        const { status, body, headers } = await app.request(endpoint.method, pathOf(endpoint), { key });
        expect([endpoint.name, status, body.error]).toEqual([endpoint.name, 401, "invalid_token"]);
        for (const name of FOUR) expect(headers.get(name)).toMatch(/^\d/);
      }
    }
  });

  it("answers 403 without the required scope and names it", async () => {
    const app = await startApp();
    const keys = new Map<Scope, string>();
    for (const scope of SCOPES) keys.set(scope, await app.key([scope]));
    for (const endpoint of secured) {
      for (const [scope, key] of keys) {
        if (allows([scope], endpoint.scope as Scope)) continue;
        const response = await app.request(endpoint.method, pathOf(endpoint), { key });
        expect([endpoint.name, scope, response.status]).toEqual([endpoint.name, scope, 403]);
        expect(response.body).toMatchObject({ error: "insufficient_scope", scope: endpoint.scope });
      }
    }
  });

  it("answers 405 with Allow for another method", async () => {
    const app = await startApp();
    for (const endpoint of endpoints) {
      const allowed = endpoints.filter(({ path }) => pathOf({ path } as Endpoint) === pathOf(endpoint));
      const lacking = ["GET", "POST", "PUT", "PATCH", "DELETE"].find(
        (method) => !allowed.some((other) => other.method === method),
      );
      const response = await app.request(lacking as string, pathOf(endpoint));
      expect([endpoint.name, response.status]).toEqual([endpoint.name, 405]);
      const allow = response.headers.get("allow")?.split(", ") ?? [];
      expect(allow).toEqual(expect.arrayContaining(allowed.map(({ method }) => method)));
    }
  });

  it("refuses an unknown member with 400 and names it", async () => {
    const app = await startApp();
    for (const endpoint of endpoints) {
      const response = takesBody(endpoint)
        ? await app.request(endpoint.method, pathOf(endpoint), { body: { noSuchMember: 1 } })
        : await app.request(endpoint.method, `${pathOf(endpoint)}?noSuchMember=1`);
      expect([endpoint.name, response.status]).toEqual([endpoint.name, 400]);
      expect(response.body.errors.map(({ path }: { path: string }) => path)).toContain("noSuchMember");
    }
  });

  it("refuses whatever a query says beside a body, a token among them, with 400 and names it", async () => {
    const app = await startApp();
    for (const endpoint of endpoints.filter(takesBody)) {
      const path = `${pathOf(endpoint)}?access_token=tat_1&again=1&again=2`;
      const { status, body } = await app.request(endpoint.method, path, { body: {} });
      expect([endpoint.name, status]).toEqual([endpoint.name, 400]);
      expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(["access_token", "again"]);
    }
  });

  it("refuses malformed JSON with 400 and another media type with 415 if it takes a body", async () => {
    const app = await startApp();
    for (const endpoint of endpoints.filter(takesBody)) {
      const json = { "Content-Type": "application/json" };
      const broken = await app.request(endpoint.method, pathOf(endpoint), { raw: '{"a":', headers: json });
      expect([endpoint.name, broken.status, broken.body.error]).toEqual([endpoint.name, 400, "invalid_json"]);
      const text = await app.request(endpoint.method, pathOf(endpoint), {
        raw: "hello",
        headers: { "Content-Type": "text/plain" },
      });
      expect([endpoint.name, text.status]).toEqual([endpoint.name, 415]);
    }
  });

  it("answers 429 with Retry-After once the burst is used up, except in the control lane", async () => {
    const app = await startApp({ plan: "free", clock: fakeClock() });
    for (let count = 0; count < 40; count++) await app.request("GET", "/api/v1/entitlements/resolve");
    for (const endpoint of secured) {
      const response = await app.request(endpoint.method, pathOf(endpoint));
      if (endpoint.lane === "control") {
        expect([endpoint.name, response.status]).not.toEqual([endpoint.name, 429]);
        continue;
      }
      expect([endpoint.name, response.status, response.body.error]).toEqual([
        endpoint.name,
        429,
        "rate_limited",
      ]);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  it("appears in the OpenAPI document with its scope", async () => {
    const app = await startApp();
    const { body } = await app.request("GET", "/openapi.json");
    for (const endpoint of endpoints) {
      const operation = body.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
      expect(operation?.operationId, endpoint.name).toBe(endpoint.name.replace(/[.-]/g, "_"));
      if (endpoint.scope !== "public") expect(operation["x-scope"]).toBe(endpoint.scope);
    }
  });
});
