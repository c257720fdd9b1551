import { afterEach, describe, expect, it } from "vitest";
import { type ApiClientOptions, createApiClient } from "../../src/client/api-client.ts";
import { BadBaseUrl, SignedOut, UnexpectedAnswer, Unreachable } from "../../src/client/errors.ts";
import { createTransport } from "../../src/client/transport/http-transport.ts";
import { OAuthError, Problem } from "../../src/contract/problem.ts";
import { seededRandom } from "../support/random.ts";
import { hurryingClock } from "./support/clock.ts";
import { storedCredential, tokenFromEnvironment } from "./support/credentials.ts";
import {
  oauthError,
  problem,
  type Reaction,
  type Seen,
  startServer,
  type TestServer,
} from "./support/server.ts";

const recorded = {
  recorded: true,
  type: "api_calls",
  count: 1,
  projectId: "default",
  total: { day: 1, month: 1 },
};
let server: TestServer;

afterEach(() => server.stop());

async function clientOf(reaction: (request: Seen) => Reaction, options: Partial<ApiClientOptions> = {}) {
  server = await startServer(reaction);
  const clock = hurryingClock();
  const waits: unknown[] = [];
  const client = createApiClient({
    baseUrl: server.baseUrl,
    credentials: storedCredential({ accessToken: "tak_key" }),
    clock,
    random: seededRandom(clock),
    onWait: (wait) => waits.push(wait),
    ...options,
  });
  return { client, clock, waits };
}

const track = "POST /api/v1/track";

describe("ApiClient.call()", () => {
  it("spreads its input over path, query and body", async () => {
    const { client } = await clientOf(() => ({ body: {} }), { projectId: "größe", userAgent: "toolplane/1" });
    await client.call(track, { type: "api_calls", count: 3 });
    await client.call("GET /api/v1/usage", { granularity: "day", type: undefined });
    await client.call("DELETE /api/v1/keys/{keyId}", { keyId: "a/b c" });
    const [first, second, third] = server.seen as [Seen, Seen, Seen];
    expect(JSON.parse(first.body)).toEqual({ type: "api_calls", count: 3 });
    expect(first.headers).toMatchObject({
      authorization: "Bearer tak_key",
      "content-type": "application/json",
      "user-agent": "toolplane/1",
    });
    expect(Buffer.from(String(first.headers["x-project-id"]), "latin1").toString()).toBe("größe");
    expect(second).toMatchObject({ path: "/api/v1/usage?granularity=day", body: "" });
    expect(third).toMatchObject({ method: "DELETE", path: "/api/v1/keys/a%2Fb%20c" });
  });

  it("uses one connection for successive calls", async () => {
    const { client } = await clientOf(() => ({ body: recorded }));
    for (let round = 0; round < 5; round++) await client.call(track, { type: "api_calls" });
    expect(server.connections()).toBe(1);
  });

  it("returns undefined for an answer without a body", async () => {
    const { client } = await clientOf(() => ({ status: 204 }));
    expect(await client.call("DELETE /api/v1/keys/{keyId}", { keyId: "key_1" })).toBeUndefined();
  });

  it("sends no request without a credential", async () => {
    const { client } = await clientOf(() => ({ body: recorded }), { credentials: storedCredential() });
    await expect(client.call(track, { type: "api_calls" })).rejects.toMatchObject({ reason: "none" });
    expect(server.seen).toEqual([]);
  });

  it("refuses a path parameter or path that would lead elsewhere", async () => {
    const { client } = await clientOf(() => ({ body: {} }));
    await expect(client.call("DELETE /api/v1/keys/{keyId}", { keyId: ".." })).rejects.toThrow(
      "cannot stand in a path",
    );
    await expect(client.request("GET", "//example.com/")).resolves.toBeDefined();
    expect(server.seen[0]?.path).toBe("//example.com/");
    await expect(client.request("GET", "@example.com/")).rejects.toThrow("slash");
  });

  it("logs requests without the credential", async () => {
    const lines: string[] = [];
    const { client } = await clientOf(() => ({ body: recorded }), { log: (line) => lines.push(line) });
    await client.call(track, { type: "api_calls" });
    expect(lines).toEqual([`> POST ${server.baseUrl}/api/v1/track`, "< 200 after 0 ms, request req_test"]);
    expect(lines.join()).not.toContain("tak_key");
  });

  it("refuses a plain http server on another machine", () => {
    const clock = hurryingClock();
    const options = { credentials: storedCredential(), clock, random: seededRandom(clock) };
    expect(() => createApiClient({ baseUrl: "http://example.com", ...options })).toThrow(BadBaseUrl);
  });
});

describe("an error of the server", () => {
  it("is thrown as the problem that was sent", async () => {
    const body = {
      ...(problem(400, "invalid_request") as { body: object }).body,
      errors: [{ path: "count", message: "must be a number" }],
      cycle: ["a", "b"],
    };
    const { client } = await clientOf(() => ({ status: 400, body }));
    const error = await client.call(track, { type: "api_calls" }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({
      error: "invalid_request",
      status: 400,
      detail: "It is invalid_request.",
      extras: {
        errors: [{ path: "count", message: "must be a number" }],
        members: { cycle: ["a", "b"] },
        headers: { "x-request-id": "req_test" },
      },
    });
  });

  it("with an unknown code gets the code of its status", async () => {
    const { client } = await clientOf(() => problem(409, "from_the_future"));
    await expect(client.call(track, { type: "api_calls" })).rejects.toMatchObject({
      error: "conflict",
      status: 409,
    });
  });

  it("is an OAuthError at OAuth endpoints", async () => {
    const { client } = await clientOf(() => oauthError(400, "invalid_scope"));
    const error = await client
      .form("/auth/device/code", { client_id: "x", scope: undefined })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(OAuthError);
    expect(error).toMatchObject({ error: "invalid_scope", status: 400 });
    expect(server.seen[0]).toMatchObject({ body: "client_id=x" });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it.each<[string, Reaction, RegExp]>([
    [
      "a web page",
      { headers: { "content-type": "text/html" }, body: "<p>Log in to the network" },
      /web page/,
    ],
    [
      "a redirect",
      { status: 302, headers: { location: "https://portal.example/" } },
      /redirects to https:\/\/portal/,
    ],
    ["malformed JSON", { body: "{" }, /malformed JSON/],
    ["another API's error", { status: 404, body: { message: "no" } }, /is the base URL right/],
  ])("is an UnexpectedAnswer for %s", async (_, reaction, message) => {
    const { client } = await clientOf(() => reaction);
    const error = await client.call(track, { type: "api_calls" }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(UnexpectedAnswer);
    expect((error as Error).message).toMatch(message);
  });

  it("is thrown for a redirect, which is not followed with the credential", async () => {
    const { client } = await clientOf(() => ({ status: 307, headers: { location: "/elsewhere" } }));
    await expect(client.call(track, { type: "api_calls" })).rejects.toThrow(UnexpectedAnswer);
    expect(server.seen).toHaveLength(1);
  });
});

describe("a server that answers 429 or 503", () => {
  it("is asked again after Retry-After, with the wait reported first", async () => {
    let left = 2;
    const { client, clock, waits } = await clientOf(() =>
      left-- > 0 ? problem(429, "rate_limited", { "retry-after": "7" }) : { body: recorded },
    );
    expect(await client.call(track, { type: "api_calls" })).toEqual(recorded);
    expect(clock.slept).toEqual([7000, 7000]);
    expect(waits).toEqual([
      { seconds: 7, reason: "rate_limited", attempt: 1 },
      { seconds: 7, reason: "rate_limited", attempt: 2 },
    ]);
    expect(new Set(server.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  it("is not asked again if Retry-After is more than 30 s", async () => {
    const { client, clock } = await clientOf(() => problem(429, "rate_limited", { "retry-after": "31" }));
    await expect(client.call(track, { type: "api_calls" })).rejects.toMatchObject({ status: 429 });
    expect(clock.slept).toEqual([]);
  });

  it("is asked four times, with growing pauses", async () => {
    const { client, clock } = await clientOf(() => problem(503, "overloaded"));
    await expect(client.call(track, { type: "api_calls" })).rejects.toMatchObject({ error: "overloaded" });
    expect(server.seen).toHaveLength(4);
    const [first, second, third] = clock.slept as [number, number, number];
    expect(first).toBeGreaterThanOrEqual(500);
    expect(first).toBeLessThan(1000);
    expect(second).toBeGreaterThanOrEqual(1000);
    expect(third).toBeGreaterThanOrEqual(2000);
    expect(third).toBeLessThan(4000);
  });

  it("is asked again after 503 only if the request may be repeated", async () => {
    const { client } = await clientOf(() => problem(503, "overloaded"));
    await expect(client.call("POST /api/v1/keys", { name: "k", scopes: ["read"] })).rejects.toBeInstanceOf(
      Problem,
    );
    expect(server.seen).toHaveLength(1);
    await expect(client.call("GET /api/v1/keys", {})).rejects.toBeInstanceOf(Problem);
    expect(server.seen).toHaveLength(5);
  });

  it("is asked again after 429 even if the request may not be repeated", async () => {
    let left = 1;
    const { client } = await clientOf(() =>
      left-- > 0
        ? problem(429, "rate_limited", { "retry-after": "1" })
        : { status: 201, body: { secret: "s" } },
    );
    await client.call("POST /api/v1/keys", { name: "k", scopes: ["read"] });
    expect(server.seen).toHaveLength(2);
  });

  it("is asked once with retry: false", async () => {
    const { client } = await clientOf(() => problem(429, "rate_limited", { "retry-after": "1" }));
    await expect(client.request("GET", "/ready", { retry: false })).rejects.toMatchObject({ status: 429 });
    expect(server.seen).toHaveLength(1);
  });
});

describe("a server that does not answer", () => {
  it('is unreachable at once if nothing listens, with delivery "never"', async () => {
    const { client } = await clientOf(() => ({ body: recorded }));
    await server.stop();
    const error = await client.call(track, { type: "api_calls" }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Unreachable);
    expect(error).toMatchObject({ delivery: "never", reason: "nothing listens there" });
    await server.start();
  });

  it('is unreachable after the time limit, with delivery "unknown"', async () => {
    const { client } = await clientOf(() => "hang");
    const error = await client.call(track, { type: "api_calls" }, { timeoutMs: 50 }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      name: "Unreachable",
      delivery: "unknown",
      reason: "no answer within 0.05 s",
    });
    expect(server.seen).toHaveLength(1);
  });

  it("is asked once more after a torn connection if the request may be repeated", async () => {
    let left = 1;
    const { client, clock } = await clientOf(() => (left-- > 0 ? "tear" : { body: recorded }));
    expect(await client.call(track, { type: "api_calls" })).toEqual(recorded);
    expect(server.seen).toHaveLength(2);
    expect(clock.slept).toEqual([]);
  });

  it("is not asked again after a torn connection if the request may not be repeated", async () => {
    const { client } = await clientOf(() => "tear");
    const input = { name: "k", scopes: ["read" as const] };
    await expect(client.call("POST /api/v1/keys", input)).rejects.toMatchObject({ delivery: "unknown" });
    expect(server.seen).toHaveLength(1);
  });

  it("may have made a change all the same, but no question changes anything", async () => {
    const { client } = await clientOf(() => "tear");
    const errorOf = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);
    expect(await errorOf(client.call(track, { type: "api_calls" }))).toMatchObject({ perhapsDone: true });
    const { baseUrl } = server;
    const review = { diff: "" };
    for (const question of [
      client.call("GET /api/v1/account", {}),
      client.call("POST /api/v1/tools/code-review", review),
    ])
      expect(await errorOf(question)).toMatchObject({ baseUrl, perhapsDone: false });
    await server.stop();
    expect(await errorOf(client.call(track, { type: "api_calls" }))).toMatchObject({ perhapsDone: false });
    await server.start();
  });

  it("is a question at a base URL with a path, too", async () => {
    const { client } = await clientOf(() => "tear");
    const under = createApiClient({
      baseUrl: `${client.baseUrl}/tools-of/acme`,
      credentials: storedCredential({ accessToken: "tak_key" }),
      clock: hurryingClock(),
      random: seededRandom(hurryingClock()),
    });
    const review = under.call("POST /api/v1/tools/code-review", { diff: "" });
    await expect(review).rejects.toMatchObject({ perhapsDone: false });
    expect(server.seen.map(({ path }) => path)).toEqual(
      Array(2).fill("/tools-of/acme/api/v1/tools/code-review"),
    );
  });

  it('has delivery "unknown" if the first try was torn and the second never connected', async () => {
    const { client } = await clientOf(() => {
      void server.stop();
      return "tear";
    });
    const error = await client.call(track, { type: "api_calls" }).catch((error: unknown) => error);
    expect(error).toMatchObject({ name: "Unreachable", delivery: "unknown" });
    await server.start();
  });

  it("is unreachable if the answer stops half way", async () => {
    const { client } = await clientOf(() => "tear-half-way");
    await expect(client.call("GET /api/v1/account", {})).rejects.toMatchObject({ name: "Unreachable" });
  });

  it("is unreachable if the answer stalls", async () => {
    const { client } = await clientOf(() => "hang", {
      transport: createTransport({ connectMs: 50, idleMs: 50 }),
    });
    await expect(client.call("GET /api/v1/account", {}, { timeoutMs: 50 })).rejects.toBeInstanceOf(
      Unreachable,
    );
  });

  it.each([502, 503, 504])("is unreachable if a gateway answers %d in its place", async (status) => {
    const { client } = await clientOf(() => ({
      status,
      headers: { "content-type": "text/html" },
      body: "<h1>Bad",
    }));
    await expect(client.call("GET /api/v1/account", {})).rejects.toMatchObject({
      name: "Unreachable",
      status,
    });
  });

  it("is not waited for any longer once the caller aborts", async () => {
    const { client } = await clientOf(() => "hang");
    const controller = new AbortController();
    const call = client.call(track, { type: "api_calls" }, { signal: controller.signal });
    const outcome = expect(call).rejects.toBe("SIGINT");
    await expect.poll(() => server.seen).toHaveLength(1);
    controller.abort("SIGINT");
    await outcome;
  });
});

describe("a credential", () => {
  const fresh = { access_token: "tat_2", refresh_token: "trt_2", expires_in: 3600, scope: "read write" };
  const signedIn = (expiresAt: number) =>
    storedCredential({
      accessToken: "tat_1",
      refreshToken: "trt_1",
      expiresAt,
      clientId: "tool-cli",
      scope: "read",
    });
  const isRefresh = ({ path }: Seen) => path === "/auth/device/token";
  const holds = (token: string) => (request: Seen) => request.headers.authorization === `Bearer ${token}`;
  const start = hurryingClock().now();

  it("is renewed before it expires", async () => {
    const credentials = signedIn(start + 30_000);
    const { client, clock } = await clientOf((r) => ({ body: isRefresh(r) ? fresh : recorded }), {
      credentials,
    });
    await client.call(track, { type: "api_calls" });
    await client.call(track, { type: "api_calls" });
    expect(server.seen.map(({ path }) => path)).toEqual([
      "/auth/device/token",
      "/api/v1/track",
      "/api/v1/track",
    ]);
    expect(Object.fromEntries(new URLSearchParams(server.seen[0]?.body))).toEqual({
      grant_type: "refresh_token",
      refresh_token: "trt_1",
      client_id: "tool-cli",
    });
    expect(server.seen[1]?.headers.authorization).toBe("Bearer tat_2");
    expect(credentials.stored).toEqual({
      accessToken: "tat_2",
      refreshToken: "trt_2",
      expiresAt: clock.now() + 3_600_000,
      clientId: "tool-cli",
      scope: "read write",
    });
  });

  it("is renewed once for calls that run at the same time", async () => {
    const { client } = await clientOf((r) => ({ body: isRefresh(r) ? fresh : recorded }), {
      credentials: signedIn(start),
    });
    await Promise.all([1, 2, 3].map(() => client.call(track, { type: "api_calls" })));
    expect(server.seen.filter(isRefresh)).toHaveLength(1);
  });

  it("that is still valid is used if an early renewal fails", async () => {
    const { client } = await clientOf(
      (r) => (isRefresh(r) ? oauthError(500, "server_error") : { body: recorded }),
      {
        credentials: signedIn(start + 30_000),
      },
    );
    expect(await client.call(track, { type: "api_calls" })).toEqual(recorded);
  });

  it("is renewed after 401, and the request is sent again, even a POST without idempotency key", async () => {
    const credentials = signedIn(start + 3_600_000);
    const { client } = await clientOf(
      (r) =>
        isRefresh(r)
          ? { body: fresh }
          : holds("tat_2")(r)
            ? { status: 201, body: {} }
            : problem(401, "invalid_token"),
      { credentials },
    );
    await client.call("POST /api/v1/keys", { name: "k", scopes: ["read"] });
    expect(server.seen.map(({ path }) => path)).toEqual([
      "/api/v1/keys",
      "/auth/device/token",
      "/api/v1/keys",
    ]);
  });

  it("is read from the store after 401 if another process has renewed it", async () => {
    const credentials = signedIn(start + 3_600_000);
    const { client } = await clientOf(
      (r) => (isRefresh(r) || holds("tat_1")(r) ? problem(401, "invalid_token") : { body: recorded }),
      { credentials },
    );
    await client.credential();
    credentials.stored = { accessToken: "tat_other", refreshToken: "trt_other" };
    expect(await client.call(track, { type: "api_calls" })).toEqual(recorded);
    expect(server.seen.filter(isRefresh)).toEqual([]);
  });

  it("is read from the store if another process renewed it during this one's failed renewal", async () => {
    const credentials = signedIn(start);
    const { client } = await clientOf(
      (r) => {
        if (!isRefresh(r)) return { body: recorded };
        credentials.stored = {
          accessToken: "tat_other",
          refreshToken: "trt_other",
          expiresAt: start + 3_600_000,
        };
        return oauthError(400, "invalid_grant");
      },
      { credentials },
    );
    expect(await client.call(track, { type: "api_calls" })).toEqual(recorded);
    expect(server.seen.at(-1)?.headers.authorization).toBe("Bearer tat_other");
    expect(credentials.stored?.accessToken).toBe("tat_other");
  });

  it("is forgotten if its renewal is refused", async () => {
    const credentials = signedIn(start);
    const { client } = await clientOf(() => oauthError(400, "invalid_grant"), { credentials });
    const error = await client.call(track, { type: "api_calls" }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SignedOut);
    expect(error).toMatchObject({ reason: "refused", requestId: "req_test" });
    expect(credentials.stored).toBeUndefined();
  });

  it("is forgotten if the server still answers 401 after its renewal", async () => {
    const credentials = signedIn(start + 3_600_000);
    const { client } = await clientOf(
      (r) => (isRefresh(r) ? { body: fresh } : problem(401, "invalid_token")),
      {
        credentials,
      },
    );
    await expect(client.call(track, { type: "api_calls" })).rejects.toBeInstanceOf(SignedOut);
    expect(credentials.stored).toBeUndefined();
    expect(server.seen).toHaveLength(3);
  });

  it("is kept if the server is unreachable for a renewal", async () => {
    const credentials = signedIn(start);
    const { client } = await clientOf(() => "tear", { credentials });
    await expect(client.call(track, { type: "api_calls" })).rejects.toBeInstanceOf(Unreachable);
    expect(credentials.stored?.refreshToken).toBe("trt_1");
  });

  it("that is an API key is forgotten after 401 without a renewal", async () => {
    const credentials = storedCredential({ accessToken: "tak_1" });
    const { client } = await clientOf(() => problem(401, "invalid_token"), { credentials });
    await expect(client.call(track, { type: "api_calls" })).rejects.toMatchObject({ reason: "refused" });
    expect(credentials.stored).toBeUndefined();
    expect(server.seen).toHaveLength(1);
  });

  it("from the environment is neither renewed nor forgotten after 401", async () => {
    const { client } = await clientOf(() => problem(401, "invalid_token"), {
      credentials: tokenFromEnvironment("tat_env"),
    });
    await expect(client.call(track, { type: "api_calls" })).rejects.toMatchObject({ reason: "environment" });
    expect(server.seen).toHaveLength(1);
  });

  it("that replaced a refused one in the store is not forgotten with it", async () => {
    const credentials = storedCredential({ accessToken: "tak_0" });
    const { client } = await clientOf(
      () => {
        credentials.stored = { accessToken: `tak_${server.seen.length}` };
        return problem(401, "invalid_token");
      },
      { credentials },
    );
    await expect(client.call(track, { type: "api_calls" })).rejects.toBeInstanceOf(SignedOut);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer tak_0", "Bearer tak_1"]);
    expect(credentials.stored?.accessToken).toBe("tak_2");
  });
});
