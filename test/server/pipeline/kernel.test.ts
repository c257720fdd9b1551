import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, startApp, type TestResponse } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";

const FOUR = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-policy"];

function expectFour(response: TestResponse): void {
  for (const name of FOUR) expect(response.headers.get(name), name).toMatch(/^\d+(;w=\d+)?$/);
  expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{26}$/);
}

describe("every response", () => {
  it("has the four rate limit headers and a request id", async () => {
    const app = await startApp();
    const responses = await Promise.all([
      app.request("GET", "/health", { key: null }),
      app.request("GET", "/ready", { key: null }),
      app.request("GET", "/", { key: null }),
      app.request("GET", "/device", { key: null }),
      app.request("GET", "/nothing-here", { key: null }),
      app.request("GET", "/api/v1/nothing-here"),
      app.request("DELETE", "/api/v1/track"),
      app.request("GET", "/api/v1/account"),
      app.request("GET", "/api/v1/account", { key: "tak_wrong" }),
      app.request("POST", "/api/v1/track", { raw: "{", headers: { "Content-Type": "application/json" } }),
      app.request("POST", "/auth/device/code", { key: null, raw: "", headers: {} }),
      app.request("GET", "/.well-known/jwks.json", { key: null }),
      app.request("GET", "/openapi.json", { key: null }),
      app.request("GET", "/docs", { key: null }),
      app.request("GET", "/docs/problems", { key: null }),
      app.request("GET", "/metrics", { key: null }),
    ]);
    for (const response of responses) expectFour(response);
  });

  it("has the four headers on 304 and on assets, which are not counted", async () => {
    const app = await startApp();
    const first = await app.request("GET", "/api/v1/entitlements/resolve");
    const again = await app.request("GET", "/api/v1/entitlements/resolve", {
      headers: { "If-None-Match": first.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
    expect(again.text).toBe("");
    expectFour(again);
    const page = await app.request("GET", "/", { key: null });
    const path = /href="(\/assets\/[^"]+\.css)"/.exec(page.text)?.[1] ?? "";
    const left = [];
    for (let count = 0; count < 3; count++) {
      const asset = await app.request("GET", path, { key: null });
      expect(asset.status).toBe(200);
      expectFour(asset);
      left.push(asset.headers.get("x-ratelimit-remaining"));
    }
    expect(new Set(left).size).toBe(1);
  });

  it("has the four headers even if Node's parser refuses the request", async () => {
    const app = await startApp();
    const answers = await Promise.all([
      speak(app.url, "NONSENSE\r\n\r\n"),
      speak(app.url, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`),
    ]);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 400 /);
    expect(answers[1]).toMatch(/^HTTP\/1\.1 431 /);
    for (const answer of answers) {
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      for (const name of FOUR) expect(head.toLowerCase()).toContain(`${name}: `);
      expect(head).toContain("application/problem+json");
      expect(JSON.parse(body)).toMatchObject({ status: expect.any(Number), error: expect.any(String) });
    }
  });
});

describe("limits", () => {
  it("let a free key burst 40 requests and refuse the 41st, naming the window", async () => {
    const app = await startApp({ plan: "free", clock: fakeClock() });
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++) {
      const response = await app.request("GET", "/api/v1/entitlements/resolve");
      statuses.push(response.status);
      expect(response.headers.get("x-ratelimit-limit")).toBe("20");
      expect(response.headers.get("x-ratelimit-policy")).toBe("20;w=60");
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await app.request("GET", "/api/v1/entitlements/resolve");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("3");
    expect(refused.body).toMatchObject({ error: "rate_limited", window: "minute" });
    expectFour(refused);
  });

  it("count unauthenticated requests by address, 60 a minute, wrong credentials included", async () => {
    const app = await startApp({ clock: fakeClock() });
    for (let count = 0; count < 60; count++) {
      const response = await app.request("GET", "/api/v1/account", { key: count % 2 ? null : "tak_wrong" });
      expect(response.status).toBe(401);
    }
    expect((await app.request("GET", "/api/v1/account", { key: null })).status).toBe(429);
    expect((await app.request("GET", "/api/v1/account")).status).toBe(200);
  });

  it("allow /auth/device/code 5 times a minute by address, and then answer slow_down", async () => {
    const app = await startApp({ clock: fakeClock() });
    for (let count = 0; count < 5; count++) {
      expect(
        (await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } })).status,
      ).toBe(200);
    }
    const refused = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: "slow_down" });
    expect(refused.headers.get("x-ratelimit-policy")).toBe("5;w=60");
  });

  it("count the token endpoint by device code, not by address", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const codes = await Promise.all(
      [1, 2, 3, 4, 5].map(
        async () =>
          (await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } })).body
            .device_code,
      ),
    );
    for (let round = 0; round < 24; round++) {
      clock.advance(5000);
      for (const device_code of codes) {
        const poll = await app.request("POST", "/auth/device/token", { key: null, body: { device_code } });
        expect(poll.body.error).toBe("authorization_pending");
      }
    }
  });
});

describe("credentials", () => {
  it("are taken from either header, and refused if the two differ", async () => {
    const app = await startApp();
    expect(
      (await app.request("GET", "/api/v1/account", { key: null, headers: { "X-API-Key": OWNER_KEY } }))
        .status,
    ).toBe(200);
    expect(
      (await app.request("GET", "/api/v1/account", { headers: { "X-API-Key": OWNER_KEY } })).status,
    ).toBe(200);
    const both = await app.request("GET", "/api/v1/account", { headers: { "X-API-Key": "tak_other" } });
    expect(both.status).toBe(400);
    expect(both.body.error).toBe("invalid_request");
  });

  it.each([
    ["Authorization", `Bearer ${OWNER_KEY}`],
    ["X-API-Key", OWNER_KEY],
    ["X-Project-Id", "web"],
    ["Idempotency-Key", "one"],
  ])("and related headers are refused if %s is given twice, equal or not", async (name, value) => {
    const app = await startApp();
    for (const [first, second] of [
      [value, value],
      [value, `${value}2`],
      ["", value],
    ]) {
      const head = `POST /api/v1/track HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n`;
      const twice = `${name}: ${first}\r\n${name.toUpperCase()}: ${second}\r\n`;
      const other = name === "Authorization" ? "" : `Authorization: Bearer ${OWNER_KEY}\r\n`;
      const answer = await speak(app.url, `${head}${other}${twice}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain(`${name} is given more than once.`);
      for (const header of FOUR) expect(answer.toLowerCase()).toContain(`${header}: `);
    }
  });

  it("get WWW-Authenticate with an error only if a token was sent", async () => {
    const app = await startApp();
    const none = await app.request("GET", "/api/v1/account", { key: null });
    expect(none.headers.get("www-authenticate")).toMatch(
      /^Bearer resource_metadata="http.*\/oauth-protected-resource"$/,
    );
    const wrong = await app.request("GET", "/api/v1/account", { key: "tak_wrong" });
    expect(wrong.headers.get("www-authenticate")).toMatch(
      /^Bearer error="invalid_token", resource_metadata=/,
    );
    const basic = await app.request("GET", "/api/v1/account", {
      key: null,
      headers: { Authorization: "Basic abc" },
    });
    expect(basic.status).toBe(401);
  });

  it("without a scope get 403 with the name of the scope", async () => {
    const app = await startApp();
    const key = await app.key(["read"]);
    const refused = await app.request("POST", "/api/v1/track", { key, body: { type: "api_calls" } });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ error: "insufficient_scope", scope: "write" });
    expect(refused.headers.get("www-authenticate")).toContain('scope="write"');
  });
});

describe("bodies", () => {
  const send = async (raw: string, headers: Record<string, string>) => {
    const app = await startApp();
    return app.request("POST", "/api/v1/track", { raw, headers });
  };

  it.each(["application/json", "application/x-www-form-urlencoded"])(
    "may be left out where nothing is needed under Content-Type %s, which many clients send with each request",
    async (type) => {
      const app = await startApp();
      const headers = { "Content-Type": type };
      const given = { raw: "", headers };
      expect((await app.request("POST", "/api/v1/entitlements/resolve", given)).status).toBe(200);
      const tested = await app.request("POST", "/api/v1/webhooks/whk_none/test", given);
      expect(tested.body.detail).toContain("whk_none");
      const needed = type === "application/json" ? [400, "The body is empty."] : [415, expect.any(String)];
      const { status, body } = await app.request("POST", "/api/v1/track", given);
      expect([status, body.detail]).toEqual(needed);
    },
  );

  it("must be well-formed JSON of the right type, encoding and size", async () => {
    expect(await send("{", { "Content-Type": "application/json" })).toMatchObject({
      status: 400,
      body: { error: "invalid_json" },
    });
    expect(await send("{}", { "Content-Type": "text/plain" })).toMatchObject({
      status: 415,
      body: { error: "unsupported_media_type" },
    });
    expect(await send("[]", { "Content-Type": "application/json" })).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
    expect(await send("{}", { "Content-Type": "application/json; charset=latin1" })).toMatchObject({
      status: 415,
    });
    expect(
      await send('{"type":"api_calls"}', { "Content-Type": "Application/JSON; Charset=UTF-8" }),
    ).toMatchObject({ status: 200 });
    const json = { "Content-Type": "application/json" };
    expect(
      await send('{"type":"api_calls"}', { "Content-Type": "application/json; charset=utf8" }),
    ).toMatchObject({ status: 200 });
    expect(await send('\ufeff{"type":"api_calls"}', json)).toMatchObject({ status: 200 });
    // One mark alone is ignored: with each more that is, the whole body would be read once more.
    const marks = ["\ufeff", "\ufeff{", '\ufeff\ufeff{"type":"api_calls"}', '{"type":"api_calls"}\ufeff'];
    for (const marked of [...marks, "\ufeff".repeat(20_000)]) {
      expect(await send(marked, json)).toMatchObject({ status: 400, body: { error: "invalid_json" } });
    }
    for (const encoding of ["gzip", "br", "identity, gzip", "x"]) {
      expect(await send('{"type":"api_calls"}', { ...json, "Content-Encoding": encoding })).toMatchObject({
        status: 415,
        body: { error: "unsupported_media_type", detail: expect.stringContaining(`"${encoding}"`) },
      });
    }
    expect(await send('{"type":"api_calls"}', { ...json, "Content-Encoding": "Identity" })).toMatchObject({
      status: 200,
    });
    const long = JSON.stringify({ type: "api_calls", metadata: { text: "a".repeat(2 * 1024 * 1024) } });
    expect(await send(long, { "Content-Type": "application/json" })).toMatchObject({
      status: 413,
      body: { error: "payload_too_large" },
    });
  });

  it("are refused with the name of each unknown member", async () => {
    const { status, body } = await send('{"event":"x","properties":{},"type":"api_calls"}', {
      "Content-Type": "application/json",
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(["event", "properties"]);
  });

  it("of unauthenticated requests are refused with 401, even if they are long", async () => {
    const app = await startApp();
    const long = "a".repeat(200_000);
    const refused = await app.request("POST", "/api/v1/track", {
      key: null,
      raw: long,
      headers: { "Content-Type": "application/json" },
    });
    expect(refused.status).toBe(401);
  });
});

describe("routes", () => {
  it("answer another method with 405 and Allow, other paths with 404", async () => {
    const app = await startApp();
    const wrong = await app.request("PUT", "/api/v1/track");
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    for (const path of [
      "/api/v1/entitlements",
      "/api/v1/entitlements/agents",
      "/api/v1/track/events",
      "/v1/track",
      "/v1/entitlements",
      "/v1/track/events",
      "/api/v2/track",
    ]) {
      expect([path, (await app.request("GET", path)).status]).toEqual([path, 404]);
    }
  });

  it("answer HEAD as GET without the body", async () => {
    const app = await startApp();
    const head = await app.request("HEAD", "/api/v1/account");
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("answer an unknown path with a page to a browser and a problem to a program", async () => {
    const app = await startApp();
    const page = await app.request("GET", "/nothing", { key: null, headers: { Accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const problem = await app.request("GET", "/nothing", { key: null });
    expect(problem.headers.get("content-type")).toBe("application/problem+json");
  });
});

describe("projects", () => {
  it("are named by X-Project-Id, and a key bound to one is refused another", async () => {
    const app = await startApp();
    const tracked = await app.request("POST", "/api/v1/track", {
      body: { type: "api_calls" },
      headers: { "X-Project-Id": "site" },
    });
    expect(tracked.body.projectId).toBe("site");
    const key = await app.key(["read", "write"], { projectId: "site" });
    const bound = await app.request("POST", "/api/v1/track", { key, body: { type: "api_calls" } });
    expect(bound.body).toMatchObject({ projectId: "site", total: { day: 2 } });
    const other = await app.request("POST", "/api/v1/track", {
      key,
      body: { type: "api_calls" },
      headers: { "X-Project-Id": "other" },
    });
    expect(other).toMatchObject({ status: 403, body: { error: "forbidden" } });
    const wrong = await app.request("GET", "/api/v1/usage", { headers: { "X-Project-Id": "a".repeat(257) } });
    expect(wrong.status).toBe(400);
  });

  it("in the body may not differ from the header", async () => {
    const app = await startApp();
    const differs = await app.request("POST", "/api/v1/entitlements/resolve", {
      body: { projectId: "a" },
      headers: { "X-Project-Id": "b" },
    });
    expect(differs).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });
});

describe("Idempotency-Key", () => {
  it("gives the first answer to the same request and refuses another body", async () => {
    const app = await startApp();
    const headers = { "Idempotency-Key": "one" };
    const first = await app.request("POST", "/api/v1/track", { body: { type: "api_calls" }, headers });
    const again = await app.request("POST", "/api/v1/track", { body: { type: "api_calls" }, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    const other = await app.request("POST", "/api/v1/track", { body: { type: "mcp_calls" }, headers });
    expect(other).toMatchObject({ status: 422, body: { error: "idempotency_mismatch" } });
  });

  it("counts a burst of concurrent duplicates once", async () => {
    const app = await startApp();
    const headers = { "Idempotency-Key": "burst" };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.request("POST", "/api/v1/track", { body: { type: "api_calls", count: 5 }, headers }),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const usage = await app.request("GET", "/api/v1/usage");
    expect(usage.body.totals.api_calls).toBe(5);
  });

  it("is scoped to endpoint and project, and keeps no refusals", async () => {
    const app = await startApp();
    const headers = { "Idempotency-Key": "same" };
    expect((await app.request("POST", "/api/v1/track", { body: { type: "wrong" }, headers })).status).toBe(
      400,
    );
    expect(
      (await app.request("POST", "/api/v1/track", { body: { type: "api_calls" }, headers })).status,
    ).toBe(200);
    const elsewhere = await app.request("POST", "/api/v1/track", {
      body: { type: "mcp_calls" },
      headers: { ...headers, "X-Project-Id": "b" },
    });
    expect(elsewhere.status).toBe(200);
    const batch = { events: [{ event: "api.call" }] };
    expect((await app.request("POST", "/api/v1/events/batch", { body: batch, headers })).status).toBe(202);
    expect(
      (
        await app.request("POST", "/api/v1/track", {
          body: { type: "api_calls" },
          headers: { "Idempotency-Key": "é" },
        })
      ).status,
    ).toBe(400);
  });
});

/** Sends bytes to the server and returns the answer until it closes the connection. */
function speak(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("end", () => resolve(answer)).on("error", reject);
  });
}
