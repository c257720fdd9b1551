import { describe, expect, it } from "vitest";
import { endpoints } from "../../../src/api.ts";
import type { RequestOptions } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { envelopeOf, expectForBrowsers, startReporting, thrown } from "./reporting.ts";

const EVENT = thrown("TypeError", "x is not a function", ["main", "run"]);

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

  it("gets 401 from every endpoint of the API and from MCP, however it is sent", async () => {
    const clock = fakeClock();
    const app = await startReporting({ clock });
    const { key, dsn } = await app.placeOf();
    const sentry = `Sentry sentry_version=7, sentry_key=${key}`;
    const ways: (RequestOptions & { query?: string })[] = [
      ...[key, dsn, `tak_${key}`].map((secret) => ({ key: secret })),
      { key: null, headers: { Authorization: sentry } },
      { key: null, headers: { "X-Sentry-Auth": sentry } },
      { key: null, query: `?sentry_key=${key}&sentry_version=7` },
    ];
    const secured = endpoints.filter(({ scope }) => scope !== "public");
    expect(secured.length).toBeGreaterThan(100);
    for (const { method, path } of [...secured, { method: "POST", path: "/mcp" }]) {
      for (const { query = "", ...way } of ways) {
        // Requests without a valid credential are limited to 60 a minute.
        clock.advance(1000);
        const { status } = await app.request(method, path.replace(/\{\w+\}/g, "example") + query, way);
        expect([method, path, way, status]).toEqual([method, path, way, 401]);
      }
    }
  });

  it("cannot be replaced by an API key", async () => {
    const app = await startReporting();
    const { number } = await app.placeOf();
    const answer = await app.request("POST", `/api/${number}/envelope/`, { raw: envelopeOf(EVENT) });
    expect(answer.status).toBe(403);
  });
});
