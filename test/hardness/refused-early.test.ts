import { describe, expect, it } from "vitest";
import { newSecret } from "../../src/accounts/credentials/secrets.ts";
import { StoreUnavailable } from "../../src/store/store.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createRandom } from "../../src/system/random.ts";
import { startApp } from "../support/app.ts";
import { startOnFailingStore } from "./app-on-store.ts";
import { openConnection } from "./raw-connection.ts";

const FOUR = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-policy"];
const JSON_TYPE = { "Content-Type": "application/json" };

describe("a request that is refused before it is counted", () => {
  it.each([
    ["two credentials that differ", "GET", "/api/v1/account", { "X-API-Key": "another" }, undefined, 400],
    ["the same on a page", "GET", "/nothing", { "X-API-Key": "another" }, undefined, 400],
    ["a token request that is no JSON", "POST", "/auth/device/token", JSON_TYPE, "{", 400],
    ["a token request in another type", "POST", "/auth/device/token", { "Content-Type": "a/b" }, "{}", 415],
    ["a token request that is too long", "POST", "/auth/device/token", JSON_TYPE, "a".repeat(70_000), 413],
  ])(
    "has the four rate limit headers and counts for its address: %s",
    async (_, method, path, headers, raw, status) => {
      const app = await startApp();
      const left: number[] = [];
      for (let count = 0; count < 2; count++) {
        const answer = await app.request(method, path, { headers, ...(raw !== undefined && { raw }) });
        expect(answer.status).toBe(status);
        for (const name of FOUR) expect(answer.headers.get(name), name).toMatch(/^\d+(;w=\d+)?$/);
        left.push(Number(answer.headers.get("x-ratelimit-remaining")));
      }
      expect(left[1]).toBe((left[0] as number) - 1);
    },
  );

  it("gets 429 once its address exceeds the limit", async () => {
    const app = await startApp();
    const statuses = new Set<number>();
    for (let count = 0; count < 125; count++) {
      const headers = { "X-API-Key": "another" };
      statuses.add((await app.request("GET", "/api/v1/account", { headers })).status);
    }
    expect([...statuses]).toEqual([400, 429]);
  });
});

describe("while the store is unavailable", () => {
  it("every answer has the four rate limit headers, none is a 500, and /ready recovers by itself", async () => {
    const server = await startOnFailingStore();
    server.failWith(() => new StoreUnavailable("away"));
    const paths = [
      "/api/v1/account",
      "/api/v1/nothing",
      "/ready",
      "/health",
      "/device",
      "/nothing",
      "/openapi.json",
    ];
    const headers = { Authorization: `Bearer ${newSecret("api_key", createRandom(systemClock))}` };
    for (const path of paths) {
      const answer = await fetch(server.url + path, { headers });
      expect([path, [200, 503].includes(answer.status)]).toEqual([path, true]);
      expect([path, answer.headers.get("x-ratelimit-policy")]).toEqual([path, "60;w=60"]);
      if (answer.status === 503) expect([path, answer.headers.get("retry-after")]).toEqual([path, "1"]);
    }
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect((await fetch(`${server.url}/ready`)).status).toBe(503);
    const token = await fetch(`${server.url}/auth/device/token`, {
      method: "POST",
      body: new URLSearchParams({ device_code: "x" }),
    });
    expect([token.status, await token.json()]).toMatchObject([503, { error: "temporarily_unavailable" }]);
    const connection = await openConnection(server.url);
    connection.send("NONSENSE\r\n\r\n");
    const [refused] = await connection.ended();
    expect([refused?.status, refused?.headers["x-ratelimit-policy"]]).toEqual([400, "60;w=60"]);
    server.failWith(undefined);
    // Polled, since the server tries the store at most once a second.
    await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(200);
  });
});
