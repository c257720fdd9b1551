import { compactVerify, createRemoteJWKSet } from "jose";
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";

const TRACK = "/api/v1/track";
const BATCH = "/api/v1/events/batch";
const RESOLVE = "/api/v1/entitlements/resolve";
const EVENT = { type: "api_calls" };
const EVENTS = { events: [{ event: "api.call" }] };

describe("usage over HTTP", () => {
  it.each([
    [TRACK, EVENT, 200],
    [BATCH, EVENTS, 202],
  ])("POST %s accepts an API key with write scope in either header", async (path, body, status) => {
    const app = await startApp();
    const secret = await app.key(["write"]);
    for (const [name, value] of [
      ["Authorization", `Bearer ${secret}`],
      ["X-API-Key", secret],
    ] as const) {
      const answer = await app.request("POST", path, { body, key: null, headers: { [name]: value } });
      expect(answer.status, name).toBe(status);
    }
    const readOnly = await app.request("POST", path, { body, key: await app.key(["read"]) });
    expect([readOnly.status, readOnly.body.error]).toEqual([403, "insufficient_scope"]);
    expect((await app.request("POST", path, { body, key: null })).status).toBe(401);
  });

  it("is attributed to the project of X-Project-Id, and to default without it", async () => {
    const app = await startApp();
    const headers = { "X-Project-Id": "web" };
    expect((await app.request("POST", TRACK, { body: EVENT, headers })).body.projectId).toBe("web");
    expect((await app.request("POST", TRACK, { body: EVENT })).body.projectId).toBe("default");
    const { body } = await app.request("GET", "/api/v1/usage", { headers });
    expect(body.totals.api_calls).toBe(1);
    const listed = await app.request("GET", "/api/v1/projects");
    expect(listed.body.items.map(({ id }: { id: string }) => id).sort()).toEqual(["default", "web"]);
  });

  it.each([
    ["an unknown type", { type: "clicks" }, "type"],
    ["no type", { count: 1 }, "type"],
    ["a count that is no number", { type: "api_calls", count: "1" }, "count"],
    ["metadata that is no object", { type: "api_calls", metadata: 1 }, "metadata"],
    ["a free-form event", { type: "api_calls", event: "click" }, "event"],
    ["free-form properties", { type: "api_calls", properties: {} }, "properties"],
  ])("is refused with 400 for %s on track, and the member is named", async (_, body, path) => {
    const app = await startApp();
    const refused = await app.request("POST", TRACK, { body });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ error: "invalid_request", errors: [{ path }] });
  });

  it("is refused with 400 for a malformed batch, and with 422 for another body under a batch.id", async () => {
    const app = await startApp();
    expect((await app.request("POST", BATCH, { body: { events: "none" } })).status).toBe(400);
    const batch = { id: "b1" };
    const first = await app.request("POST", BATCH, { body: { batch, ...EVENTS } });
    const again = await app.request("POST", BATCH, { body: { batch, ...EVENTS } });
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const other = await app.request("POST", BATCH, { body: { batch, events: [{ event: "mcp.call" }] } });
    expect([other.status, other.body.error]).toEqual([422, "idempotency_mismatch"]);
  });

  it("is counted once under a repeated Idempotency-Key, on track and batch", async () => {
    const app = await startApp();
    const headers = { "Idempotency-Key": "k1" };
    for (const [path, body] of [
      [TRACK, EVENT],
      [BATCH, EVENTS],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => app.request("POST", path, { body, headers })),
      );
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
    expect((await app.request("GET", "/api/v1/usage")).body.totals.api_calls).toBe(2);
  });

  it("has no route that lists events", async () => {
    const app = await startApp();
    for (const path of ["/v1/track/events", "/api/v1/track/events", "/api/v1/events", "/v1/track"]) {
      expect((await app.request("GET", path)).status, path).toBe(404);
    }
  });
});

describe("entitlements over HTTP", () => {
  it("are resolved with read scope, by GET and by POST with a project in the body", async () => {
    const app = await startApp();
    const key = await app.key(["read"]);
    const byGet = await app.request("GET", RESOLVE, { key, headers: { "X-Project-Id": "web" } });
    const body = { projectId: "web", context: { anything: true } };
    const byPost = await app.request("POST", RESOLVE, { key, body });
    expect([byGet.status, byPost.status]).toEqual([200, 200]);
    expect(byPost.text).toBe(byGet.text);
    expect(byGet.body.project).toEqual({ id: "web" });
    expect((await app.request("GET", RESOLVE, { key })).body.project).toBeNull();
    expect((await app.request("POST", RESOLVE, { key })).body.project).toBeNull();
    expect((await app.request("GET", RESOLVE, { key: null })).status).toBe(401);
  });

  it("refuse a projectId that differs from the header (400) or from a bound key's project (403)", async () => {
    const app = await startApp();
    const headers = { "X-Project-Id": "web" };
    const body = { projectId: "other" };
    expect((await app.request("POST", RESOLVE, { body, headers })).status).toBe(400);
    const key = await app.key(["read"], { projectId: "web" });
    expect((await app.request("POST", RESOLVE, { body, key })).status).toBe(403);
    expect((await app.request("GET", RESOLVE, { key })).body.project).toEqual({ id: "web" });
  });

  it("answer 304 without a body to the ETag that the client holds", async () => {
    const app = await startApp();
    const first = await app.request("GET", RESOLVE);
    expect(first.headers.get("cache-control")).toMatch(/^private, max-age=\d+$/);
    const etag = first.headers.get("etag") as string;
    const same = await app.request("GET", RESOLVE, { headers: { "If-None-Match": `"old", W/${etag}` } });
    expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", etag]);
    const other = await app.request("GET", RESOLVE, { headers: { "If-None-Match": '"old"' } });
    expect([other.status, other.text]).toEqual([200, first.text]);
  });

  it("are signed by a key of /.well-known/jwks.json, in the name of the base URL", async () => {
    const app = await startApp();
    const { body } = await app.request("GET", RESOLVE);
    const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", app.url));
    const { payload } = await compactVerify(body.signature, keys);
    const { signature: _, ...rest } = body;
    const { body: account } = await app.request("GET", "/api/v1/account");
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      iss: app.url,
      credential: { id: account.credential.id },
      ...rest,
    });
  });

  it("change at once with the account's plan and limits", async () => {
    const app = await startApp();
    const { accountId, token } = await app.account("free");
    expect((await app.request("GET", RESOLVE, { key: token })).body.tier).toBe("free");
    const body = { plan: "pro", limits: { requestsPerMinute: 70 } };
    expect((await app.request("PATCH", `/api/v1/accounts/${accountId}`, { body })).status).toBe(200);
    const after = await app.request("GET", RESOLVE, { key: token });
    expect(after.body).toMatchObject({ tier: "pro", limits: { requestsPerMinute: 70, burst: 140 } });
  });

  it("have no other routes", async () => {
    const app = await startApp();
    for (const path of ["/api/v1/entitlements", "/api/v1/entitlements/telemetry", "/v1/entitlements"]) {
      expect((await app.request("GET", path)).status, path).toBe(404);
    }
  });
});

describe("endpoint limits over HTTP", () => {
  it.each([
    ["POST", TRACK, 1000, EVENT],
    ["GET", "/api/v1/agents", 100, undefined],
  ])("limit %s %s to %i requests a minute in addition to the plan", async (method, path, limit, body) => {
    const app = await startApp();
    const { headers } = await app.request(method, path, { body });
    expect(headers.get("ratelimit-policy")).toContain(`q=${limit};w=60`);
  });
});
