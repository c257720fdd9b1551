import { describe, expect, it } from "vitest";
import bundled from "../../../src/metering/catalogue.json" with { type: "json" };
import type { TestApp } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { createDatabase } from "../../support/services/shared-postgres.ts";
import { calling, counted, json, post, startBefore, startUpstream } from "../../support/services/upstream.ts";

const NEW_YEARS_EVE = Date.UTC(2026, 11, 31, 12);
const UPGRADE = "https://example.com/plans";

/** Returns the catalogue, with limits of uses on the plan that these tests run on. */
function limited(usesPerMonth: object) {
  const tiers = bundled.tiers.map((tier) =>
    tier.id === "enterprise" ? { ...tier, limits: { ...tier.limits, usesPerMonth } } : tier,
  );
  return { tiers, upgradeUrl: UPGRADE };
}

async function usesOf(app: TestApp) {
  return (await app.request("GET", "/api/v1/usage/bounds")).body.uses;
}

async function startLimited(rules = {}, usesPerMonth: object = { mcp_calls: 10 }) {
  const clock = fakeClock(NEW_YEARS_EVE);
  const upstream = await startUpstream();
  const app = await startBefore(upstream.url, rules, { clock, catalogue: limited(usesPerMonth) });
  return { clock, upstream, app };
}

describe("a plan's uses in a month", () => {
  it("stop calls of an upstream's tools by their cost, until the next month", async () => {
    const { clock, upstream, app } = await startLimited({ tools: { "big_*": { cost: 4 } } });
    for (const id of [1, 2])
      expect((await post(app, calling("big_one", {}, id))).body.result.isError).toBe(undefined);
    const { status, body } = await post(app, calling("big_one", {}, 3));
    expect(status).toBe(200);
    expect(body.result.isError).toBe(true);
    expect(body.result.content[0].text).toBe(
      "The limit of 10 mcp_calls a month of this account (plan Enterprise) has 2 left, and this counts as 4. " +
        `Try again in 12 h, or get a larger plan: ${UPGRADE}`,
    );
    expect(body.result._meta["toolplane/plan"]).toEqual({
      window: "month",
      retryAfterSeconds: 12 * 3600,
      upgradeUrl: UPGRADE,
    });
    for (const id of [4, 5]) await post(app, calling("echo", {}, id));
    expect((await post(app, calling("echo", {}, 6))).body.result.content[0].text).toContain(
      "(plan Enterprise) is used up. Try again in 12 h",
    );
    expect(upstream.received).toHaveLength(4);
    expect(await counted(app)).toBe(10);
    expect(await usesOf(app)).toEqual([
      { type: "mcp_calls", limit: 10, used: 10, resetAt: "2027-01-01T00:00:00.000Z" },
    ]);
    const { body: shown } = await app.request("GET", "/api/v1/upstreams/up");
    expect(shown.tools).toContainEqual(expect.objectContaining({ tool: "(unlisted)", refused: 2 }));

    await clock.advance(12 * 3_600_000);
    expect((await post(app, calling("echo", {}, 7))).body.result.isError).toBe(undefined);
    expect(await usesOf(app)).toMatchObject([{ used: 1, resetAt: "2027-02-01T00:00:00.000Z" }]);
  });

  it("let a call that was counted be repeated, which counts no second time", async () => {
    const { upstream, app } = await startLimited({}, { mcp_calls: 1 });
    for (let time = 0; time < 5; time++) {
      expect((await post(app, calling("echo", {}, 7))).body.result.isError).toBe(undefined);
    }
    expect((await post(app, calling("echo", {}, 7))).body.result.isError).toBe(true);
    expect((await post(app, calling("echo", {}, 8))).body.result.isError).toBe(true);
    expect(upstream.received).toHaveLength(5);
    expect(await counted(app)).toBe(1);
  });

  it("let no more calls pass as repeats when these are sent at once", async () => {
    const { upstream, app } = await startLimited({}, { mcp_calls: 1 });
    await post(app, calling("echo", {}, 7));
    for (let burst = 0; burst < 3; burst++) {
      await Promise.all(Array.from({ length: 5 }, () => post(app, calling("echo", {}, 7))));
    }
    expect(upstream.received).toHaveLength(5);
    expect(await counted(app)).toBe(1);
  });

  it("count a repeat no second time, however long it takes", async () => {
    const { clock, upstream, app } = await startLimited({}, { mcp_calls: 1 });
    await post(app, calling("echo", {}, 7));
    upstream.become(async ({ message }, res) => {
      await clock.advance(3 * 60_000);
      json(res, { jsonrpc: "2.0", id: message.id, result: { content: [] } });
    });
    expect((await post(app, calling("echo", {}, 7))).body.result.isError).toBe(undefined);
    expect(await counted(app)).toBe(1);
  });

  it("are not given back with a deleted project", async () => {
    const { app, clock } = await startLimited({}, { mcp_calls: 2 });
    const headers = { "X-Project-Id": "brief" };
    for (const id of [1, 2]) await post(app, calling("echo", {}, id), { headers });
    for (let more = true; more; ) {
      const deleting = app.request("DELETE", "/api/v1/projects/brief");
      await clock.advance(3000);
      ({ more } = (await deleting).body);
    }
    const { items } = (await app.request("GET", "/api/v1/projects")).body;
    expect(items).not.toContainEqual(expect.objectContaining({ id: "brief" }));
    expect((await post(app, calling("echo", {}, 3))).body.result.isError).toBe(true);
    expect(await usesOf(app)).toMatchObject([{ used: 2 }]);
  });

  it("leave alone what costs nothing, counts as another type, or is no call", async () => {
    const { app } = await startLimited(
      { tools: { free: { usage: false }, none: { cost: 0 }, find: { usage: "api_calls" } } },
      { mcp_calls: 0 },
    );
    for (const [id, name] of ["free", "none", "find"].entries()) {
      expect((await post(app, calling(name, {}, id))).body.result.isError).toBe(undefined);
    }
    expect((await post(app, { jsonrpc: "2.0", id: 9, method: "tools/list", params: {} })).status).toBe(200);
    expect((await post(app, calling("echo"))).body.result.isError).toBe(true);
  });

  it("are not exceeded by calls under way at once, and what a failed call held is free again", async () => {
    const { upstream, app } = await startLimited();
    upstream.become(({ message }, res) =>
      json(res, { jsonrpc: "2.0", id: message.id, result: { isError: message.id % 2 === 0, content: [] } }),
    );
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, id) => post(app, calling("echo", {}, id))),
    );
    const refused = answers.filter(({ body }) => body.result._meta !== undefined);
    expect(upstream.received.length + refused.length).toBe(30);
    expect(await counted(app)).toBeLessThanOrEqual(10);
    for (let id = 101; (await counted(app)) < 10; id += 2) await post(app, calling("echo", {}, id));
    expect((await post(app, calling("echo", {}, 99))).body.result.isError).toBe(true);
    expect(await counted(app)).toBe(10);
  });

  it("stop calls of the server's own tools, too", async () => {
    const { app } = await startLimited({}, { mcp_calls: 2 });
    const call = (id: number) =>
      app.request("POST", "/mcp", {
        body: calling("knowledge_graph_search", { q: "a" }, id),
        headers: { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25" },
      });
    for (const id of [1, 2]) expect((await call(id)).body.result.isError).toBe(undefined);
    const { result } = (await call(3)).body;
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain("The limit of 2 mcp_calls a month of this account");
    expect(result.content[0].text).toContain("Try again after 12 h.");
    expect(await counted(app)).toBe(2);
  });

  it("are told to programs that report, which are counted all the same", async () => {
    const { app } = await startLimited({}, { api_calls: 5 });
    const track = async (type: string, count: number, project?: string) =>
      (
        await app.request("POST", "/api/v1/track", {
          body: { type, count },
          ...(project && { headers: { "X-Project-Id": project } }),
        })
      ).body;
    const uses = { type: "api_calls", limit: 5, resetAt: "2027-01-01T00:00:00.000Z" };
    expect((await track("api_calls", 3)).uses).toEqual({ ...uses, used: 3 });
    // All projects together.
    const other = await track("api_calls", 4, "shop");
    expect(other).toMatchObject({ recorded: true, total: { month: 4 }, uses: { ...uses, used: 7 } });
    expect(await track("mcp_calls", 1)).not.toHaveProperty("uses");
    const events = [{ event: "api.call" }, { event: "api.call", timestamp: NEW_YEARS_EVE - 40 * 86_400_000 }];
    expect((await app.request("POST", "/api/v1/events/batch", { body: { events } })).body.accepted).toBe(2);
    expect(await usesOf(app)).toEqual([{ ...uses, used: 8 }]);
  });

  it("are in the entitlements, where an account's own take the place of the plan's", async () => {
    const { app } = await startLimited({}, { mcp_calls: 10, api_calls: 5 });
    const resolved = async () =>
      (await app.request("GET", "/api/v1/entitlements/resolve")).body.limits.usesPerMonth;
    expect(await resolved()).toEqual({ mcp_calls: 10, api_calls: 5 });
    const { account } = (await app.request("GET", "/api/v1/account")).body;
    const set = (limits: object) =>
      app.request("PATCH", `/api/v1/accounts/${account.id}`, { body: { limits } });
    expect((await set({ usesPerMonth: { mcp_calls: 0 } })).status).toBe(200);
    expect(await resolved()).toEqual({ mcp_calls: 0, api_calls: 5 });
    expect((await post(app, calling("echo"))).body.result.isError).toBe(true);
    const { status, body } = await set({ usesPerMonth: { mcp_calls: -1, cups_of_tea: 3 } });
    expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ["limits.usesPerMonth.mcp_calls"],
    ]);
    expect((await set({ usesPerMonth: { cups_of_tea: 3 } })).body.errors).toEqual([
      {
        path: "limits.usesPerMonth.cups_of_tea",
        message: "is none of api_calls, agents_invoked, skills_accessed, workflows_started, mcp_calls",
      },
    ]);
    expect((await set({})).status).toBe(200);
    expect((await post(app, calling("echo"))).body.result.isError).toBe(undefined);
  });

  it("are those of two servers on one PostgreSQL database together", async () => {
    const upstream = await startUpstream();
    const databaseUrl = await createDatabase();
    const start = () => startBefore(upstream.url, {}, { databaseUrl, catalogue: limited({ mcp_calls: 5 }) });
    const apps = [await start(), await start()] as const;
    for (let id = 0; id < 8; id++) await post(apps[id % 2 ? 1 : 0], calling("echo", {}, id));
    expect(upstream.received).toHaveLength(5);
    for (const app of apps) expect(await usesOf(app)).toMatchObject([{ limit: 5, used: 5 }]);
  });
});
