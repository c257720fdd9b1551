import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/api.ts";
import { packageRoot } from "../../src/system/package.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { fakeClock } from "../support/clock.ts";
import { temporaryDirectory } from "../support/store.ts";
import { ELSEWHERE } from "./elsewhere.ts";

/**
 * Tests the service's interface section by section. elsewhere.ts names, by the same sections, what other
 * tests cover. The tools (§2.7, §4.5) have their own tests.
 */
describe("requirements of the interface that other tests cover", () => {
  it.each(ELSEWHERE)("§%s %s: %s, “%s”", (_section, _line, file, name) => {
    expect(readFileSync(join(packageRoot, "test", file), "utf8")).toContain(name);
  });
});

const SECOND = 1_000;
const HOUR = 3_600_000;
const TRACK = { body: { type: "api_calls" } };

/** Signs a device in with the owner's approval. */
async function signInDevice(app: TestApp): Promise<string> {
  const { body } = await app.request("POST", "/auth/device/code", {
    key: null,
    body: { client_id: "tool-cli" },
  });
  const decision = { decision: "approve" };
  await app.request("POST", `/api/v1/device-authorizations/${body.user_code}`, { body: decision });
  const { device_code } = body;
  return (await app.request("POST", "/auth/device/token", { key: null, body: { device_code } })).body
    .access_token;
}

describe("§1 the service", () => {
  it("publishes the server and the contract, but no typed client", () => {
    const { exports, dependencies } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
    expect(Object.keys(exports)).toEqual([".", "./store", "./testing", "./catalogue.json", "./package.json"]);
    expect(dependencies).toBeDefined();
    expect(readFileSync(join(packageRoot, "src/index.ts"), "utf8")).not.toMatch(/from "\.\/client/);
  });

  it("has no password or passphrase anywhere in the OpenAPI document", async () => {
    const app = await startApp();
    const { body } = await app.request("GET", "/openapi.json");
    expect(JSON.stringify(body)).toMatch(/"user_code"/i);
    expect(JSON.stringify(body)).not.toMatch(/"(password|passphrase)"/i);
  });
});

describe("§2.1 the device code request", () => {
  it("accepts client_id and scope as a form and as JSON", async () => {
    const app = await startApp();
    const given = { client_id: "some-tv.app_1", scope: "read" };
    const form = {
      raw: String(new URLSearchParams(given)),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    };
    for (const options of [form, { body: given }]) {
      const { status, body } = await app.request("POST", "/auth/device/code", { key: null, ...options });
      expect(status).toBe(200);
      const asked = await app.request("GET", `/api/v1/device-authorizations/${body.user_code}`);
      expect(asked.body).toMatchObject({ client: { id: "some-tv.app_1" }, scopes: [{ scope: "read" }] });
    }
  });
});

describe("§2.2 the device code response", () => {
  it("links to pages, the second with the code filled in", async () => {
    const app = await startApp();
    const { body } = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    for (const uri of [body.verification_uri, body.verification_uri_complete]) {
      expect(uri.startsWith(app.url)).toBe(true);
      const page = await app.request("GET", uri.slice(app.url.length), { key: null });
      expect(page.status).toBe(303);
      expect(page.headers.get("location")?.includes(body.user_code)).toBe(uri.includes("user_code"));
    }
  });

  it("returns a device code that is not stored in plain text", async () => {
    const directory = temporaryDirectory();
    const app = await startApp({ dataDirectory: directory });
    const { body } = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    await app.request("POST", "/auth/device/token", { key: null, body: { device_code: body.device_code } });
    await app.close();
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const kept = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")).join("");
    expect(kept).toContain("device_authorizations");
    expect(kept).not.toContain(body.device_code);
  });

  it("has expires_in 900 and interval 5, in seconds", async () => {
    const app = await startApp();
    const { body } = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    expect([body.expires_in, body.interval]).toEqual([900, 5]);
  });
});

describe("§3 a device code", () => {
  it("answers pending, slow_down, a token and invalid_grant in turn", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const { body } = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    const { device_code, user_code } = body;
    const poll = async () =>
      (await app.request("POST", "/auth/device/token", { key: null, body: { device_code } })).body;
    expect((await poll()).error).toBe("authorization_pending");
    clock.advance(5 * SECOND);
    expect((await poll()).error).toBe("authorization_pending");
    clock.advance(2 * SECOND);
    expect((await poll()).error).toBe("slow_down");
    clock.advance(5 * SECOND);
    expect((await poll()).error).toBe("slow_down");
    clock.advance(15 * SECOND);
    expect((await poll()).error).toBe("authorization_pending");
    await app.request("POST", `/api/v1/device-authorizations/${user_code}`, {
      body: { decision: "approve" },
    });
    expect((await poll()).access_token).toMatch(/^tat_/);
    expect((await poll()).error).toBe("invalid_grant");
  });

  it.each([
    ["denied", 0, "access_denied"],
    ["expired", 900 * SECOND, "expired_token"],
  ])("that was %s gets its own error", async (what, wait, error) => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const { body } = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    const path = `/api/v1/device-authorizations/${body.user_code}`;
    if (what === "denied") await app.request("POST", path, { body: { decision: "deny" } });
    clock.advance(wait);
    const { device_code } = body;
    const answer = await app.request("POST", "/auth/device/token", { key: null, body: { device_code } });
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });
});

describe("§4.1 the paths of the device flow", () => {
  it("have no /api/v1 prefix", async () => {
    const app = await startApp();
    for (const path of ["/auth/device/code", "/auth/device/token"]) {
      expect((await app.request("POST", path, { key: null, body: { client_id: "a" } })).status).not.toBe(404);
      expect((await app.request("POST", `/api/v1${path}`, { body: { client_id: "a" } })).status).toBe(404);
    }
  });
});

describe("§4.2 tracking", () => {
  it("records at once, so that the next usage request shows the event", async () => {
    const app = await startApp();
    for (let count = 1; count <= 3; count++) {
      await app.request("POST", "/api/v1/track", TRACK);
      expect((await app.request("GET", "/api/v1/usage")).body.totals.api_calls).toBe(count);
    }
  });

  it("keeps metadata neither in the store nor in the answer", async () => {
    const directory = temporaryDirectory();
    const app = await startApp({ dataDirectory: directory });
    const body = { type: "mcp_calls", metadata: { page: "said-in-confidence" } };
    expect((await app.request("POST", "/api/v1/track", { body })).text).not.toContain("confidence");
    await app.close();
    const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of files)
      expect(readFileSync(join(directory, name), "utf8")).not.toContain("confidence");
  });
});

describe("§5 authentication", () => {
  it("accepts a device's access token in both headers", async () => {
    const app = await startApp();
    const token = await signInDevice(app);
    const ways: Record<string, string>[] = [{ Authorization: `Bearer ${token}` }, { "X-API-Key": token }];
    for (const headers of ways) {
      const options = { key: null, headers };
      expect((await app.request("POST", "/api/v1/track", { ...options, ...TRACK })).status).toBe(200);
      expect((await app.request("GET", "/api/v1/entitlements/resolve", options)).status).toBe(200);
    }
  });

  it("answers 401 to a token or key at once after its revocation", async () => {
    const app = await startApp();
    const token = await signInDevice(app);
    const { body } = await app.request("POST", "/api/v1/keys", { body: { name: "a", scopes: ["write"] } });
    for (const key of [token, body.secret]) {
      expect((await app.request("POST", "/api/v1/track", { key, ...TRACK })).status).toBe(200);
    }
    await app.request("POST", "/auth/revoke", { key: null, body: { token } });
    await app.request("DELETE", `/api/v1/keys/${body.key.id}`);
    for (const key of [token, body.secret]) {
      const { status, body } = await app.request("POST", "/api/v1/track", { key, ...TRACK });
      expect([status, body.error]).toEqual([401, "invalid_token"]);
    }
  });

  it("answers 401 to an expired access token, and accepts the refreshed one", async () => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    const begun = await app.request("POST", "/auth/device/code", { key: null, body: { client_id: "a" } });
    const { device_code, user_code } = begun.body;
    await app.request("POST", `/api/v1/device-authorizations/${user_code}`, {
      body: { decision: "approve" },
    });
    const first = (await app.request("POST", "/auth/device/token", { key: null, body: { device_code } }))
      .body;
    clock.advance(first.expires_in * SECOND);
    expect((await app.request("GET", "/api/v1/account", { key: first.access_token })).status).toBe(401);
    const { refresh_token } = first;
    const body = { grant_type: "refresh_token", refresh_token, client_id: "a" };
    const second = (await app.request("POST", "/auth/device/token", { key: null, body })).body;
    expect((await app.request("GET", "/api/v1/account", { key: second.access_token })).status).toBe(200);
  });
});

describe("§6 events", () => {
  it("of usage are not sent to webhooks", async () => {
    const app = await startApp();
    const { body } = await app.request("GET", "/openapi.json");
    expect(body.webhooks).toBeUndefined();
    expect(JSON.stringify(body.paths)).not.toMatch(/"callbacks"/i);
    const made = await app.request("POST", "/api/v1/webhooks", {
      body: { url: "https://hooks.example.com/" },
    });
    await app.request("POST", "/api/v1/track", { body: { type: "api_calls", count: 3 } });
    await app.request("POST", "/api/v1/events/batch", { body: { events: [{ event: "api.call" }] } });
    await app.app.services.alerts.idle();
    const { id } = made.body.webhook;
    const { items } = (await app.request("GET", `/api/v1/webhooks/${id}/deliveries`)).body;
    expect(items).toEqual([]);
  });
});

describe("§7 errors", () => {
  it("have an error member everywhere, in OAuth's form or as a problem (RFC 9457)", async () => {
    const app = await startApp();
    const oauth = await app.request("POST", "/auth/device/token", { key: null, body: { device_code: "x" } });
    expect(Object.keys(oauth.body)).toEqual(["error", "error_description"]);
    const problem = await app.request("POST", "/api/v1/track", { body: { type: "page_views" } });
    expect(problem.headers.get("content-type")).toBe("application/problem+json");
    expect(problem.body).toMatchObject({ status: 400, error: "invalid_request", errors: [{ path: "type" }] });
    expect(problem.body.instance).toBe(problem.headers.get("x-request-id"));
    const section = await app.request("GET", problem.body.type.slice(app.url.length).split("#")[0], {
      key: null,
    });
    expect(section.text).toContain('id="invalid_request"');
  });
});

describe("§8.1 the limits of a plan", () => {
  it.each([
    ["free", 20, 100, 1_000],
    ["pro", 60, 1_000, 10_000],
    ["team", 120, 5_000, 50_000],
  ])(
    "of %s are %i a minute with twice that as burst, %i an hour, %i a day",
    async (plan, minute, hour, day) => {
      const app = await startApp({ plan, clock: fakeClock() });
      const { headers } = await app.request("GET", "/api/v1/entitlements/resolve");
      expect(headers.get("ratelimit-policy")).toBe(
        `"minute";q=${2 * minute};w=60, "hour";q=${hour};w=3600, "day";q=${day};w=86400`,
      );
      const statuses: number[] = [];
      for (let count = 1; count <= 2 * minute; count++) {
        if (count >= hour) break;
        statuses.push((await app.request("GET", "/api/v1/entitlements/resolve")).status);
      }
      expect(statuses.indexOf(429)).toBe(2 * minute - 1);
    },
  );

  it("of an enterprise account are its own", async () => {
    const app = await startApp({ clock: fakeClock() });
    const { accountId, token } = await app.account("enterprise");
    const limits = { requestsPerMinute: 7, requestsPerHour: 20, requestsPerDay: 30 };
    await app.request("PATCH", `/api/v1/accounts/${accountId}`, { body: { limits } });
    const statuses = [];
    for (let count = 0; count < 15; count++) {
      statuses.push((await app.request("GET", "/api/v1/entitlements/resolve", { key: token })).status);
    }
    expect(statuses.indexOf(429)).toBe(14);
  });

  it("apply to the hour and the day, and each refusal names its window", async () => {
    const clock = fakeClock(Date.UTC(2026, 0, 15));
    const app = await startApp({ plan: "free", clock });
    const seen = new Map<string, number>();
    let admitted = 0;
    for (let minute = 0; minute < 12 * 60; minute += 5) {
      for (;;) {
        const { status, body } = await app.request("GET", "/api/v1/entitlements/resolve");
        if (status === 429) {
          if (!seen.has(body.window)) seen.set(body.window, admitted);
          break;
        }
        admitted++;
      }
      clock.advance(HOUR / 12);
    }
    expect(Object.fromEntries(seen)).toEqual({ minute: 40, hour: 100, day: 1_000 });
    expect(admitted).toBe(1_000);
  });
});

describe("§8.2 the limits of single endpoints", () => {
  it.each([
    ["POST", "/auth/device/code", 5, { key: null, body: { client_id: "a" } }, "slow_down"],
    ["POST", "/auth/device/token", 20, { key: null, body: { device_code: "x" } }, "slow_down"],
    ["POST", "/api/v1/track", 1_000, TRACK, "rate_limited"],
    ["GET", "/api/v1/agents", 100, {}, "rate_limited"],
  ])("allow for %s %s %i requests a minute", async (method, path, limit, options, error) => {
    const clock = fakeClock();
    const app = await startApp({ clock });
    for (let sent = 0; sent < limit; sent += 20) {
      const some = Array.from({ length: Math.min(20, limit - sent) }, () =>
        app.request(method, path, options),
      );
      for (const { status } of await Promise.all(some)) expect(status).not.toBe(429);
    }
    const refused = await app.request(method, path, options);
    expect([refused.status, refused.body.error]).toEqual([429, error]);
    expect(refused.headers.get("x-ratelimit-policy")).toBe(`${limit};w=60`);
    clock.advance(60 * SECOND);
    expect((await app.request(method, path, options)).status).not.toBe(429);
  });
});

describe("§8.3 the limit headers of responses", () => {
  it("count the remaining requests down, with the reset as a Unix time in seconds", async () => {
    const clock = fakeClock();
    const app = await startApp({ plan: "pro", clock });
    for (let left = 59; left >= 55; left--) {
      const { headers } = await app.request("GET", "/api/v1/entitlements/resolve");
      expect(headers.get("x-ratelimit-limit")).toBe("60");
      expect(headers.get("x-ratelimit-remaining")).toBe(String(left));
      expect(headers.get("x-ratelimit-policy")).toBe("60;w=60");
      const seconds = Number(headers.get("x-ratelimit-reset")) - clock.now() / SECOND;
      expect(seconds).toBe(60 - left);
    }
  });
});

describe("§9 versions", () => {
  it("are part of every path, and the control plane has no paths under /tools/", () => {
    for (const { path, name } of endpoints) {
      expect(path.startsWith("/api/v1/")).toBe(true);
      if (/^(account|usage|entitlements|agents|keys|users|projects|deviceAuth)/.test(name)) {
        expect(path).not.toContain("/tools/");
      }
    }
  });

  it("that were withdrawn are refused: free-form tracking bodies and the old routes", async () => {
    const app = await startApp();
    const withdrawn = { event: "page_view", properties: { page: "/" } };
    expect((await app.request("POST", "/api/v1/track", { body: withdrawn })).status).toBe(400);
    for (const path of ["/v1/entitlements", "/v1/entitlements/telemetry", "/v1/track", "/v1/agents"]) {
      expect((await app.request("GET", path)).status).toBe(404);
    }
  });
});
