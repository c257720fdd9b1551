import { rmSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { chanceOf } from "../../src/cli/server/demo-life/chance.ts";
import { usesOfDay } from "../../src/cli/server/demo-life/usage.ts";
import type { Caller } from "../../src/contract/caller.ts";
import { Reply } from "../../src/contract/endpoint.ts";
import { DAY_MS } from "../../src/system/durations.ts";
import { startLife, wayOf } from "../support/accounts/life.ts";
import { startServe } from "../support/serve.ts";
import { visitor } from "../web/support/visitor.ts";
import { user } from "./support/tool.ts";

const MONDAY = Date.UTC(2026, 10, 16);

describe("usesOfDay()", () => {
  const uses = [{ event: "api.call", tool: "export", share: 1 }];
  const office = { perDay: 1000, rhythm: "office", uses } as const;
  const total = (events: { count?: number | undefined }[]) =>
    events.reduce((sum, { count = 1 }) => sum + count, 0);

  it("returns the same uses for the same seed, and different ones for another seed", () => {
    const day = (seed: number) => usesOfDay(office, MONDAY, MONDAY + DAY_MS, chanceOf(seed));
    expect(day(1)).toEqual(day(1));
    expect(day(1)).not.toEqual(day(2));
  });

  it("returns fewer uses at weekends, and none after the end of the range", () => {
    const monday = total(usesOfDay(office, MONDAY, MONDAY + DAY_MS, chanceOf(1)));
    const saturday = total(usesOfDay(office, MONDAY + 5 * DAY_MS, MONDAY + 6 * DAY_MS, chanceOf(1)));
    expect(saturday).toBeLessThan(monday / 3);
    expect(monday).toBeGreaterThan(600);
    const half = usesOfDay(office, MONDAY, MONDAY + DAY_MS / 2, chanceOf(1));
    expect(half.filter(({ timestamp }) => Number(timestamp) > MONDAY + DAY_MS / 2)).toEqual([]);
    expect(total(half)).toBeGreaterThan(0);
  });
});

/** Returns a caller who may see everything of an account. */
function callerOf(accountId: string): Caller {
  return {
    accountId,
    userId: "",
    credential: { kind: "session", id: "", scopes: ["admin"] },
    projectId: "default",
    projectNamed: true,
    address: "",
    userAgent: "",
    requestId: "",
    signal: new AbortController().signal,
  };
}

function bodyOf<T>(answer: T | Reply<T>): T {
  return answer instanceof Reply ? answer.body : answer;
}

describe("tool demo --keep", () => {
  it("fills three accounts with sixty days of usage, people, keys, memories, errors and alerts", async () => {
    const life = await startLife();
    onTestFinished(life.close);
    const { url } = life;
    expect(life.accounts.map(({ plan }) => plan)).toEqual(["enterprise", "team", "free"]);

    const operator = visitor(url);
    const link = new URL(wayOf(life, "operator").link);
    await operator.send(await operator.get(link.pathname + link.search), "/sign-in");
    const people = (await operator.get("/people")).text;
    for (const state of ["invited", "suspended", "viewer"]) expect(people).toContain(state);
    const keys = (await operator.get("/keys")).text;
    for (const state of [/\bin \d days\b/, /\bexpired\b/, /\bnot yet \S+ read never\b/])
      expect(keys).toMatch(state);
    expect((await operator.get("/memories")).text).toContain("Logs keep parcel numbers");
    expect((await operator.get("/errors")).text).toContain("postcode");
    const states = new Set<string>();
    const { alerts } = life.server.app.services;
    const kestrelId = life.accounts[0]?.id ?? "";
    for (const { id } of await alerts.webhooks.list(kestrelId)) {
      const { items } = await alerts.deliveries.list(kestrelId, id, { limit: 100 });
      for (const { state } of items) states.add(state);
    }
    expect([...states].sort()).toEqual(["delivered", "failed"]);
    expect((await operator.get("/anomalies")).text).toContain("checkout.latencyMs");
    expect((await operator.get("/audit")).text).toContain("user.sign_in_link_made");

    const from = new Date(Date.now() - 58 * DAY_MS).toISOString();
    const asked = { from, granularity: "day" } as const;
    const [kestrel, , lantern] = life.accounts.map(({ id }) => callerOf(id)) as [Caller, Caller, Caller];
    const { showUsage } = life.server.app.handlers.metering;
    const { series } = bodyOf(await showUsage(asked, kestrel));
    expect(series.filter(({ counts }) => Object.keys(counts).length > 0).length).toBeGreaterThan(50);
    const refused = bodyOf(await showUsage({ ...asked, groupBy: "tool", type: "refused" }, lantern));
    expect(refused.groups?.map(({ tool }) => tool)).toContain("agents.list");
  });

  it("lists six ways to sign in, ends with 130 at SIGINT, and keeps its data for tool serve", async () => {
    const { start } = user();
    const demo = start(["demo", "--keep", "--json"]);
    const [text] = await demo.until("stdout", /\{.*"again".*\}/);
    const told = JSON.parse(text);
    onTestFinished(() => rmSync(told.data, { recursive: true, force: true }));
    expect(told.ways.map(({ as }: { as: string }) => as)).toHaveLength(6);
    demo.child.kill("SIGINT");
    expect((await demo.finished).code).toBe(130);

    const { url } = await startServe(["--data", told.data]);
    const viewer = visitor(url);
    const { email } = wayOf(told, "viewer");
    await viewer.send(await viewer.get("/sign-in"), "/sign-in", { email, password: told.password });
    expect((await viewer.get("/")).text).toContain("Kestrel Logistics");
  });
});
