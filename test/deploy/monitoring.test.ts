import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { isMissing, runProgram } from "../support/programs.ts";
import { createDatabase } from "../support/services/shared-postgres.ts";

const DEPLOY = join(packageRoot, "deploy");
const RULES = readFileSync(join(DEPLOY, "prometheus/rules.yml"), "utf8");

interface Panel {
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}
const dashboard: { panels: Panel[] } = JSON.parse(
  readFileSync(join(DEPLOY, "grafana/toolplane.json"), "utf8"),
);

/** Matches the names of metrics in a query. */
const METRIC = /\b(?:toolplane|nodejs|process)_\w+/g;

/** Returns the metric families of a server and their labels. */
async function shown(config: Parameters<typeof startApp>[0]): Promise<Map<string, Set<string>>> {
  const app = await startApp({ upstreams: ["files=http://127.0.0.1:9/mcp"], ...config });
  await app.request("POST", "/api/v1/track", { body: { type: "api_calls" } });
  await app.request("GET", "/api/v1/nothing");
  const { text } = await app.request("GET", "/metrics");
  const families = new Map<string, Set<string>>();
  for (const line of text.split("\n")) {
    const [, type] = /^# TYPE (\S+) /.exec(line) ?? [];
    if (type) families.set(type, new Set());
    const [, name = "", labels = ""] = /^(\w+)(?:\{([^}]*)\})? /.exec(line) ?? [];
    for (const family of [name, name.replace(/_(bucket|sum|count)$/, "")]) {
      for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) families.get(family)?.add(label);
    }
  }
  return families;
}

describe("monitoring of a server", () => {
  it("queries only existing metrics, and every metric of Toolplane", async () => {
    const both = [await shown({}), await shown({ databaseUrl: await createDatabase() })];
    const names = new Set(both.flatMap((families) => [...families.keys()]));
    const queries = [
      ...[...RULES.matchAll(/^ +expr: (.*)$/gm)].map(([, expr = ""]) => expr),
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ];
    expect(queries.length).toBeGreaterThan(30);
    const asked = queries.flatMap((query) => query.match(METRIC) ?? []);
    const family = (name: string) => (names.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ""));
    expect(asked.filter((name) => !names.has(family(name)))).toEqual([]);
    // Every metric of Toolplane is used.
    const ours = [...names].filter((name) => name.startsWith("toolplane_"));
    expect(ours.filter((name) => !asked.some((query) => family(query) === name))).toEqual([]);
    for (const name of ours) expect(name).toMatch(/^toolplane_[a-z_]+$/);
  });

  it("starts at 0 what an alert waits for, since Prometheus sees no increase in a series that begins above", async () => {
    const app = await startApp();
    const { text } = await app.request("GET", "/metrics");
    expect(text).toMatch(/^toolplane_problems_total\{error="store_unavailable"\} 0$/m);
    expect(text).toMatch(/^toolplane_audit_entries_total\{action="session.started",outcome="refused"\} 0$/m);
    expect(text).toMatch(/^toolplane_letters_total\{outcome="failed"\} 0$/m);
  });

  it("counts nobody as waiting for a connection of an idle server, whose own figures come from the database", async () => {
    const app = await startApp({ databaseUrl: await createDatabase() });
    // Twice, since the first opens connections.
    await app.request("GET", "/metrics");
    const { text } = await app.request("GET", "/metrics");
    const waiters = [...text.matchAll(/^toolplane_database_connection_waiters\{pool="(\w+)"\} (\d+)$/gm)];
    expect(waiters.map(([, pool, count]) => [pool, count])).toEqual([
      ["reading", "0"],
      ["writing", "0"],
      ["limits", "0"],
    ]);
  });

  it("gives its metrics to a key that is bound to them, which opens nothing else, and to none that is bound elsewhere", async () => {
    const app = await startApp();
    const keyFor = async (tool: string, projectId?: string) => {
      const body = { name: "scraper", scopes: ["operator"], tools: [tool], projectId };
      return (await app.request("POST", "/api/v1/keys", { body })).body.secret;
    };
    const status = async (path: string, key: string) => (await app.request("GET", path, { key })).status;
    const scraper = await keyFor("service.metrics");
    expect(await status("/metrics", scraper)).toBe(200);
    expect(await status("/api/v1/accounts", scraper)).toBe(403);
    expect(await status("/metrics", await keyFor("accounts.list"))).toBe(403);
    expect(await status("/metrics", await keyFor("service.metrics", "default"))).toBe(403);
  });

  it("puts no input of clients into labels", async () => {
    const app = await startApp();
    const request = (path: string, options = {}) => app.request("POST", path, options);
    await request("/api/v1/track", { body: { type: "api_calls", count: 3 } });
    const events = [
      { id: "a", type: "agent_runs" },
      { id: "a", type: "agent_runs" },
    ];
    const headers = { "X-Project-Id": "made-up-project" };
    await request("/api/v1/track/batch", { headers, body: { events } });
    await request("/api/v1/made-up-path");
    await request("/api/v1/keys", { body: { name: "made-up-name", scopes: ["read"] } });
    await request("/auth/token", {
      key: null,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      raw: "grant_type=made-up-grant&client_id=made-up-client",
    });
    await app.request("GET", "/api/v1/account", { key: "made-up-key" });
    const { text } = await app.request("GET", "/metrics");
    expect(text).not.toContain("made-up");
    expect(text).not.toContain(OWNER_KEY);
    expect(text).toMatch(/^toolplane_usage_total\{type="api_calls"\} 3$/m);
    expect(text).toMatch(/^toolplane_problems_total\{error="invalid_token"\} 1$/m);
    expect(text).toMatch(/^toolplane_audit_entries_total\{action="key.created",outcome="done"\} 1$/m);
    expect(text).toMatch(/^toolplane_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m);
    expect(text).toMatch(/^toolplane_compute_jobs\{state="running"\} 0$/m);
  });

  it.skipIf(isMissing("promtool"))("passes promtool with a test for every alert", () => {
    const tests = join(packageRoot, "test/deploy/rules.test.yml");
    for (const words of [
      ["check", "config", join(DEPLOY, "prometheus/prometheus.yml")],
      ["test", "rules", tests],
    ]) {
      const { status, output } = runProgram(["promtool", ...words]);
      expect(status, output).toBe(0);
    }
    const alerts = [...RULES.matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    const tried = readFileSync(tests, "utf8");
    expect(alerts.filter((name) => !tried.includes(`${name}`))).toEqual([]);
  });

  it("has dashboard panels that do not overlap", () => {
    const taken = new Set<string>();
    for (const { title, gridPos: at } of dashboard.panels) {
      for (let x = at.x; x < at.x + at.w; x++) {
        for (let y = at.y; y < at.y + at.h; y++) {
          expect(taken.has(`${x}/${y}`), title).toBe(false);
          taken.add(`${x}/${y}`);
        }
      }
    }
  });
});
