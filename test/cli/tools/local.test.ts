import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, startApp } from "../../support/app.ts";
import { user } from "../support/tool.ts";

/** A server that does not exist. */
const NOWHERE = "http://127.0.0.1:9";
const LOG = "src/a.ts(1,2): error TS2322: Type 'string' is not assignable to type 'number'.\n";

function person(environment: Record<string, string>) {
  const made = user(environment);
  writeFileSync(join(made.home, "build.log"), LOG);
  return made;
}

describe("tool diagnose on this machine", () => {
  it("works without a sign-in, and queues nothing", async () => {
    const { tool, dataDirectory } = person({ TOOL_BASE_URL: NOWHERE });
    const { code, stdout, stderr } = await tool("diagnose", "build.log");
    expect(stdout).toContain("src/a.ts:1:2");
    expect(stdout).not.toContain("self-healing record");
    expect([code, stderr]).toEqual([0, ""]);
    expect(existsSync(join(dataDirectory, "queue"))).toBe(false);
  });

  it("works when the server cannot be reached, with a message", async () => {
    const { tool } = person({ TOOL_BASE_URL: NOWHERE, TOOL_TOKEN: "tak_x" });
    const { code, json, stderr } = await tool("diagnose", "build.log", "--json");
    expect(json.cause.file).toBe("src/a.ts");
    expect(stderr).toMatch(/127\.0\.0\.1:9 cannot be reached: .*Done on this machine, and not recorded\./s);
    expect(code).toBe(0);
  });

  it("sends nothing with --no-record", async () => {
    const app = await startApp();
    const { tool } = person({ TOOL_BASE_URL: app.url, TOOL_TOKEN: OWNER_KEY });
    expect((await tool("diagnose", "build.log", "--no-record")).code).toBe(0);
    expect((await tool("self-healing", "history", "--json")).json.items).toEqual([]);
    expect((await tool("diagnose", "build.log")).stdout).toContain("self-healing record dia_");
    expect((await tool("self-healing", "history", "--json")).json.items).toHaveLength(1);
  });

  it("fails with 4 when the server refuses the token", async () => {
    const app = await startApp();
    const { tool } = person({ TOOL_BASE_URL: app.url, TOOL_TOKEN: "tak_wrong" });
    expect((await tool("diagnose", "build.log")).code).toBe(4);
  });

  it("is offered over MCP to agents that are signed out", async () => {
    const { start } = person({ TOOL_BASE_URL: NOWHERE });
    const { child, until, finished } = start(["mcp"]);
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "t", version: "1" };
    say({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
    });
    say({ method: "notifications/initialized" });
    say({ id: 2, method: "tools/call", params: { name: "self_healing_diagnose", arguments: { log: LOG } } });
    await until("stdout", /"id":2.*\n/);
    child.stdin.end();
    expect((await finished).stdout).toContain("src/a.ts");
  });
});
