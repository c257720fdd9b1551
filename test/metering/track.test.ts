import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountsCollections } from "../../src/accounts/collections.ts";
import { meteringCollections } from "../../src/metering/collections.ts";
import { meteringContract, USAGE_TYPES } from "../../src/metering/contract.ts";
import { openStore } from "../../src/store/open.ts";
import { createLog } from "../../src/system/log.ts";
import { fakeClock } from "../support/clock.ts";
import { temporaryDirectory } from "../support/store.ts";
import { ACCOUNT, inProject, openMetering } from "./metering.ts";

describe("POST /api/v1/track", () => {
  const { input } = meteringContract.track;

  it.each(USAGE_TYPES)("records an event of type %s", async (type) => {
    const { api } = await openMetering();
    const { body } = await api.track({ type });
    expect(body).toEqual({
      recorded: true,
      type,
      count: 1,
      projectId: "default",
      total: { day: 1, month: 1 },
    });
  });

  it("refuses a missing or unknown type", () => {
    expect(input.safeParse({}).success).toBe(false);
    expect(input.safeParse({ type: "page_views" }).success).toBe(false);
    expect(input.safeParse({ type: "API_CALLS" }).success).toBe(false);
    expect(input.safeParse({ type: 1 }).success).toBe(false);
  });

  it.each([
    [undefined, 1],
    [1, 1],
    [0, 1],
    [-0, 1],
    [-5, 1],
    [0.99, 1],
    [2.9, 2],
    [99.9, 99],
    [100, 100],
    [100.5, 100],
    [101, 100],
    [1e308, 100],
    [-1e308, 1],
  ])("clamps a count of %s to %i", (count, recorded) => {
    expect(input.parse({ type: "api_calls", count }).count).toBe(recorded);
  });

  it("clamps any finite count to a whole number from 1 to 100", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (count) => {
        const parsed = input.parse({ type: "api_calls", count }).count;
        expect(Number.isInteger(parsed) && parsed >= 1 && parsed <= 100).toBe(true);
        if (count >= 1 && count <= 100) expect(parsed).toBe(Math.trunc(count));
      }),
    );
  });

  it.each(["5", null, true, [1], {}])("refuses a count of %j, which is not a number", (count) => {
    expect(input.safeParse({ type: "api_calls", count }).success).toBe(false);
  });

  it("refuses a count that overflows to infinity", () => {
    expect(input.safeParse(JSON.parse('{"type":"api_calls","count":1e999}')).success).toBe(false);
  });

  it("refuses free-form event and properties members", () => {
    expect(input.safeParse({ type: "api_calls", event: "click" }).success).toBe(false);
    expect(input.safeParse({ type: "api_calls", properties: {} }).success).toBe(false);
  });

  it("accepts a metadata object of any content up to 16 KiB as JSON, and nothing else", () => {
    const withMetadata = (metadata: unknown) => input.safeParse({ type: "api_calls", metadata }).success;
    for (const any of [{}, { "": "" }, { nested: [{ deep: null }], flag: true, number: -1.5 }])
      expect(withMetadata(any)).toBe(true);
    const room = 16 * 1024 - '{"text":""}'.length;
    for (const [text, fits] of [
      ["x".repeat(room), true],
      ["x".repeat(room + 1), false],
      [`x${"é".repeat(room / 2)}`, true],
      ["é".repeat(room / 2 + 1), false],
    ] as const)
      expect(withMetadata({ text })).toBe(fits);
    expect(withMetadata(["no object"])).toBe(false);
    expect(withMetadata("no object")).toBe(false);
    expect(withMetadata(null)).toBe(false);
  });

  it("stores nothing of the metadata", async () => {
    const clock = fakeClock();
    const directory = temporaryDirectory();
    const collections = [...accountsCollections, ...meteringCollections];
    const store = await openStore(directory, { collections, clock, log: createLog("silent") });
    const { api } = await openMetering({ clock, store });
    await api.track({ type: "api_calls", metadata: { needle: "haystack" } });
    await store.close();
    const kept = readdirSync(directory).map((file) => readFileSync(join(directory, file), "utf8"));
    expect(kept.join()).toContain("api_calls");
    expect(kept.join()).not.toMatch(/needle|haystack/);
  });

  it("answers with the day's and month's totals of the type and project", async () => {
    const { api, clock } = await openMetering({ clock: fakeClock(Date.UTC(2026, 0, 30, 23, 59, 59)) });
    const total = async (type: string, project = "default") =>
      (await api.track({ type, count: 3 }, inProject(project))).body.total;
    expect(await total("api_calls")).toEqual({ day: 3, month: 3 });
    expect(await total("api_calls")).toEqual({ day: 6, month: 6 });
    expect(await total("mcp_calls")).toEqual({ day: 3, month: 3 });
    expect(await total("api_calls", "other")).toEqual({ day: 3, month: 3 });
    clock.advance(1000);
    expect(await total("api_calls")).toEqual({ day: 3, month: 9 });
    clock.advance(24 * 60 * 60 * 1000);
    expect(await total("api_calls")).toEqual({ day: 3, month: 3 });
  });

  it("keeps the names of its collections", () => {
    expect(meteringCollections.map(({ name }) => name)).toEqual([
      "configured",
      "signing_keys",
      "rsa_signing_keys",
      "usage_id_spreads",
      "usage_id_buckets",
      "usage_event_ids",
      "usage_batches",
      "usage_tool_names",
    ]);
  });

  it("increments the counters of the hour, the day and the month under fixed ids", async () => {
    const { api, store } = await openMetering({ clock: fakeClock(Date.UTC(2026, 0, 30, 23, 59)) });
    await api.track({ type: "api_calls", count: 3 });
    await api.recordBatch({ events: [{ event: "api.call", count: 4 }] });
    const range = { from: "", to: "~" };
    const counted = await store.transact((tx) =>
      Promise.all(
        ["usage_hours", "usage_days", "usage_months"].map((counter) =>
          tx.counts(counter, `${ACCOUNT}/default`, range),
        ),
      ),
    );
    expect(counted).toEqual([
      [{ id: "2026-01-30T23/api_calls", count: 7 }],
      [{ id: "2026-01-30/api_calls", count: 7 }],
      [{ id: "2026-01/api_calls", count: 7 }],
    ]);
  });

  it("loses none of 200 concurrent events", async () => {
    const { api } = await openMetering();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => api.track({ type: "agents_invoked" })),
    );
    const totals = answers.map(({ body }) => body.total.day).sort((a, b) => a - b);
    expect(totals).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  it("keeps accounts apart", async () => {
    const { api } = await openMetering();
    await api.track({ type: "api_calls" });
    const { body } = await api.track({ type: "api_calls" }, { accountId: "acc_two" });
    expect(body.total.day).toBe(1);
  });

  it("creates an unknown project in the caller's account", async () => {
    const { api, projects } = await openMetering();
    await api.track({ type: "api_calls" }, inProject("brand-new"));
    await api.recordBatch({ events: [{ event: "api.call" }] }, inProject("from-a-batch"));
    const { items } = await projects.list(ACCOUNT, { limit: 10 });
    expect(items.map(({ id }) => id).sort()).toEqual(["brand-new", "from-a-batch"]);
  });
});
