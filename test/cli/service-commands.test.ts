import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWNER_KEY } from "../support/app.ts";
import { startOwner } from "./support/owner.ts";
import { user } from "./support/tool.ts";

describe("tool whoami", () => {
  it("shows the user, the plan and where the secret is kept, but not the secret", async () => {
    const { tool } = await startOwner({ plan: "pro" });
    const { stdout } = await tool("whoami");
    expect(stdout).toMatch(/^owner@localhost on http/);
    expect(stdout).toMatch(/^Plan +Pro$/m);
    expect(stdout).toMatch(/^Kept in +the environment \(TOOL_TOKEN\)$/m);
    expect(stdout).not.toContain(OWNER_KEY);
  });

  it("says how to sign in when signed out, and exits with 4", async () => {
    const { tool } = user();
    const { code, stdout, stderr } = await tool("whoami");
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toContain("tool login");
  });
});

describe("tool api", () => {
  it("sends fields with their types as a query or a body", async () => {
    const { tool } = await startOwner();
    const tracked = await tool("api", "post", "/api/v1/track", "-f", "type=api_calls", "-f", "count=3");
    expect(tracked.json).toMatchObject({ recorded: true, count: 3 });
    const usage = await tool("api", "GET", "/api/v1/usage", "-f", "granularity=hour", "-f", "type=api_calls");
    expect(usage.json).toMatchObject({ granularity: "hour", totals: { api_calls: 3 } });
  });

  it("takes a body from a file or stdin, and shows status and headers with -i", async () => {
    const { tool, home, piped } = await startOwner();
    writeFileSync(join(home, "body.json"), '{ "type": "mcp_calls" }');
    const included = await tool("api", "POST", "/api/v1/track", "--input", "body.json", "-i");
    expect(included.stdout).toMatch(/^200\n[\s\S]*x-ratelimit-limit: \d+\n[\s\S]*"mcp_calls"/);
    expect(
      (await piped('{ "type": "mcp_calls" }', "api", "POST", "/api/v1/track", "--input", "-")).json,
    ).toMatchObject({ total: { day: 2 } });
    expect((await tool("api", "POST", "/api/v1/track", "--input", "none.json")).code).toBe(2);
  });

  it("prints each fault and the request id of a failed request", async () => {
    const { tool } = await startOwner();
    const { code, stderr } = await tool(
      "api",
      "POST",
      "/api/v1/track",
      "-f",
      "type=nonsense",
      "-f",
      "event=x",
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ {2}type: /m);
    expect(stderr).toMatch(/^ {2}Request req_\w+$/m);
    expect((await tool("api", "GET", "/v1/track", "--json")).json).toMatchObject({ error: "not_found" });
  });
});

describe("tool config", () => {
  it("stores a setting, shows its origin, and unsets the setting again", async () => {
    const { tool } = user();
    expect((await tool("config", "get", "baseUrl")).stdout).toBe("http://127.0.0.1:4242\n");
    expect((await tool("config", "set", "baseUrl", "https://control.example.com/")).code).toBe(0);
    expect((await tool("config", "get", "baseUrl")).stdout).toBe("https://control.example.com\n");
    const { items } = (await tool("config", "list", "--json")).json;
    expect(items[0]).toMatchObject({ name: "baseUrl", origin: expect.stringMatching(/config\.json$/) });
    await tool("config", "set", "baseUrl");
    expect((await tool("config", "get", "baseUrl", "--json")).json).toMatchObject({ origin: "default" });
  });

  it("refuses a base URL with plain http", async () => {
    const { tool } = user();
    expect((await tool("config", "set", "baseUrl", "http://control.example.com")).code).toBe(2);
  });
});

describe("tool demo", () => {
  it("performs all steps and leaves no files behind", async () => {
    const { tool } = user();
    const { code, json } = await tool("demo", "--json");
    expect(code).toBe(0);
    expect(json.ok).toBe(true);
    expect(json.durationMs).toBeGreaterThan(0);
    const byName = Object.fromEntries(
      json.steps.map(({ name, result }: { name: string; result: unknown }) => [name, result]),
    );
    expect(byName).toMatchObject({
      login: { plan: "pro", scopes: ["read", "write"] },
      track: { count: 3 },
      events: { sent: 4, batches: 1, waiting: 0 },
      entitlements: { checks: [{ allowed: true }, { allowed: false }] },
      usage: { agents_invoked: 3, mcp_calls: 1, skills_accessed: 1, workflows_started: 1, api_calls: 1 },
      logout: { revoked: true },
    });
    const left = readdirSync(tmpdir()).filter((name) => json.steps[0].command.endsWith(join(tmpdir(), name)));
    expect(left).toEqual([]);
  });

  it("puts a foreign MCP server behind a login, a plan and a meter with --mcp", async () => {
    const { tool } = user();
    const { code, json } = await tool("demo", "--mcp", "--json");
    expect(code).toBe(0);
    const byName = Object.fromEntries(
      json.steps.map(({ name, result }: { name: string; result: unknown }) => [name, result]),
    );
    expect(byName.upstream.tools).toContain("echo");
    expect(byName).toMatchObject({
      stranger: { refused: expect.stringContaining("needs a credential") },
      call: { texts: ["Echo: Hello", "The sum of 19 and 23 is 42."], counted: 2 },
      plan: { told: expect.stringContaining("It comes with the plan Pro") },
    });
    expect(byName.use).toContainEqual(expect.objectContaining({ tool: "get-env", calls: 1, refused: 1 }));
  });

  it("removes its files when interrupted", async () => {
    const { start } = user();
    const demo = start(["demo"]);
    const [, directory] = await demo.until("stdout", /--data (\S+)/);
    await demo.until("stdout", /Enter {2}/);
    demo.child.kill("SIGINT");
    expect((await demo.finished).code).toBe(130);
    expect(readdirSync(tmpdir()).map((name) => join(tmpdir(), name))).not.toContain(directory);
  });
});
