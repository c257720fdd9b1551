import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startApp } from "../support/app.ts";

const IMPOSSIBLE_DAYS = [
  "2027-02-30",
  "2027-02-29",
  "2100-02-29",
  "2027-04-31",
  "2027-13-01",
  "2027-00-10",
  "2027-01-00",
];
const IMPOSSIBLE = [
  ...IMPOSSIBLE_DAYS.map((day) => `${day}T12:00:00Z`),
  "2027-02-28T24:00:00Z",
  "2027-02-28T23:60:00Z",
  "2027-06-30T23:59:60Z",
  "2027-02-28T12:00:00+24:00",
  "2027-02-28T12:00:00+01:60",
];

describe("an impossible date or time", () => {
  it("is refused in every input, and never shifted to another time", async () => {
    const app = await startApp();
    const post = (path: string, body: unknown) => app.request("POST", path, { body });
    for (const time of IMPOSSIBLE) {
      const inQuery = encodeURIComponent(time);
      const answers = await Promise.all([
        post("/api/v1/tools/anomalies/analyze", { metrics: { a: [{ at: time, value: 1 }] } }),
        post("/api/v1/keys", { name: "k", scopes: ["read"], expiresAt: time }),
        post("/api/v1/tools/agent-memory/store", { content: "a", at: time }),
        post("/api/v1/tools/agent-memory/store", { content: "a", expiresAt: time }),
        app.request("GET", `/api/v1/usage?from=${inQuery}`),
        app.request("GET", `/api/v1/usage?to=${inQuery}`),
        app.request("GET", `/api/v1/tools/observability/errors?since=${inQuery}`),
      ]);
      expect([time, answers.map(({ status }) => status)]).toEqual([time, answers.map(() => 400)]);
      const batch = await post("/api/v1/events/batch", { events: [{ event: "api.call", timestamp: time }] });
      expect([time, batch.body.rejected]).toEqual([time, 1]);
    }
    for (const day of IMPOSSIBLE_DAYS) {
      expect([day, (await app.request("GET", `/api/v1/usage?from=${day}`)).status]).toEqual([day, 400]);
    }
  });

  it("is distinguished from every valid one in the times of metrics", async () => {
    const app = await startApp();
    const two = (value: number) => String(value).padStart(2, "0");
    const parts = fc.tuple(
      fc.integer({ min: 1990, max: 2110 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      fc.integer({ min: 22, max: 24 }),
    );
    await fc.assert(
      fc.asyncProperty(parts, async ([year, month, day, hour]) => {
        const at = `${year}-${two(month)}-${two(day)}T${hour}:00:00Z`;
        const answer = await app.request("POST", "/api/v1/tools/anomalies/analyze", {
          body: { metrics: { a: [{ at, value: 1 }] } },
        });
        // Date is the oracle: an impossible date or hour rolls over to another.
        const date = new Date(Date.UTC(year, month - 1, day, hour));
        const exists =
          date.getUTCMonth() === month - 1 && date.getUTCDate() === day && date.getUTCHours() === hour;
        expect([at, answer.status]).toEqual([at, exists ? 200 : 400]);
      }),
    );
  });
});
