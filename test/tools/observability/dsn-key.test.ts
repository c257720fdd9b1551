import { describe, expect, it } from "vitest";
import type { TestResponse } from "../../support/app.ts";
import { envelopeOf, startReporting, thrown } from "./reporting.ts";

const FOUR = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-policy"];
const EVENT = thrown("TypeError", "x is not a function", ["main", "run"]);

function expectForBrowsers({ headers }: TestResponse | Response): void {
  expect(headers.get("access-control-allow-origin")).toBe("*");
  for (const name of FOUR) expect(headers.get(name), name).toMatch(/^\d+(;w=\d+)?$/);
}

describe("the key of a DSN", () => {
  it("is accepted for its project's number only, and each mismatch gets the same 403", async () => {
    const app = await startReporting();
    const one = await app.placeOf();
    const other = await app.placeOf({ headers: { "X-Project-Id": "other" } });
    const refused = [
      await app.report({ ...one, key: other.key }, EVENT),
      await app.report({ ...one, number: other.number }, EVENT),
      await app.report({ ...one, number: "5" }, EVENT),
      await app.report({ ...one, key: "0".repeat(32) }, EVENT),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(403);
      expect(answer.body.detail).toBe(refused[0]?.body.detail);
      expectForBrowsers(answer);
    }
    const without = await app.request("POST", `/api/${one.number}/envelope/`, {
      key: null,
      raw: envelopeOf(EVENT),
    });
    expect(without.status).toBe(403);
    expect((await app.report({ ...one, number: "v1" }, EVENT)).status).toBe(404);
    expect(await app.errors()).toEqual([]);
    expect(await app.errors("", { headers: { "X-Project-Id": "other" } })).toEqual([]);
  });

  it("gets 401 from other endpoints of the API", async () => {
    const app = await startReporting();
    const { key, dsn } = await app.placeOf();
    for (const secret of [key, dsn, `tak_${key}`]) {
      expect((await app.request("GET", "/api/v1/account", { key: secret })).status).toBe(401);
      expect((await app.request("GET", "/api/v1/tools/observability/errors", { key: secret })).status).toBe(
        401,
      );
    }
  });

  it("cannot be replaced by an API key", async () => {
    const app = await startReporting();
    const { number } = await app.placeOf();
    const answer = await app.request("POST", `/api/${number}/envelope/`, { raw: envelopeOf(EVENT) });
    expect(answer.status).toBe(403);
  });
});
