import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { startOwner } from "../cli/support/owner.ts";
import { user } from "../cli/support/tool.ts";
import { OWNER_KEY, startApp } from "../support/app.ts";
import { overStdio, overStdioV2, textOf } from "./support/sessions.ts";

/** A string that every program with the SDK contains. */
const PROTOCOL = "io.modelcontextprotocol/";

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

function call(id: number, name: string, given: unknown) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } };
}

function lines(...messages: unknown[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

describe("tool mcp", () => {
  it("answers every request sent before stdin ended, exits with 0, and writes only messages", async () => {
    const { start } = await startOwner();
    const { child, finished } = start(["mcp", "--verbose"]);
    const plan = { tasks: [{ id: "a", durationMs: 5 }], timeBudgetMs: 300 };
    child.stdin.end(
      lines(HELLO, { jsonrpc: "2.0", method: "notifications/initialized" }, call(2, "scheduler_plan", plan)),
    );
    const { code, stdout, stderr } = await finished;
    expect(code).toBe(0);
    const messages = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(messages.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ["2.0", 1],
      ["2.0", 2],
    ]);
    expect(messages[1].result.structuredContent.makespanMs).toBe(5);
    expect(stderr).toContain("POST");
    expect(stdout + stderr).not.toContain(OWNER_KEY);
  });

  it("keeps the protocol out of the bundle for other commands", () => {
    const dist = resolve(import.meta.dirname, "../../dist");
    const speaking = readdirSync(dist).filter(
      (file) => /\.c?js$/.test(file) && readFileSync(join(dist, file), "utf8").includes(PROTOCOL),
    );
    expect(speaking.length).toBeGreaterThan(0);
    expect(speaking).not.toContain("cli.cjs");
  });

  it("exits at SIGTERM during a call", async () => {
    const { url, asked } = await silentServer();
    const { start } = user({ TOOL_BASE_URL: url, TOOL_TOKEN: "tak_x" });
    const { child, finished } = start(["mcp", "--tools", "agent_memory"]);
    child.stdin.write(lines(HELLO, call(2, "agent_memory_stats", {})));
    await asked;
    child.kill("SIGTERM");
    expect((await finished).code).toBe(0);
  });

  it("counts each successful call as mcp.tool.call by its tool, and nothing more", async () => {
    const app = await startApp();
    const { call, client } = await overStdio(app);
    await call("knowledge_graph_search", { q: "a" });
    await call("agent_memory_recall", { q: "a" });
    await call("knowledge_graph_search", { wrong: 1 });
    await client.listTools();
    await expect
      .poll(async () => (await app.request("GET", "/api/v1/usage")).body.totals, { interval: 500 })
      .toMatchObject({ mcp_calls: 2, api_calls: 0 });
    const { groups } = (await app.request("GET", "/api/v1/usage?groupBy=tool")).body;
    expect(groups.map(({ tool }: { tool: string }) => tool).sort()).toEqual([
      "agent-memory.recall",
      "knowledge-graph.search",
    ]);
  });

  it("records nothing with DO_NOT_TRACK", async () => {
    const { tool, piped } = await startOwner({}, { DO_NOT_TRACK: "1" });
    expect(
      (await piped(lines(HELLO, call(2, "knowledge_graph_search", { q: "a" })), "mcp")).stdout,
    ).toContain('"items"');
    expect((await tool("events", "list", "--json")).json).toMatchObject({ events: 0 });
  });

  it("lists its tools and answers calls with a tool error when the server is unreachable", async () => {
    const { call, names } = await overStdio({ url: "http://127.0.0.1:9" });
    expect(await names()).toContain("knowledge_graph_search");
    const answer = await call("knowledge_graph_search", { q: "a" });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/cannot be reached: .*\(unreachable\)\n.*tool serve/);
  });

  it("names the rejected TOOL_TOKEN, and offers no sign-in", async () => {
    const app = await startApp();
    const { call, names } = await overStdio(app, { key: "tak_wrong" });
    expect(await names()).not.toContain("sign_in");
    const answer = await call("knowledge_graph_search", { q: "a" });
    expect(textOf(answer)).toContain("TOOL_TOKEN");
    expect(textOf(answer)).toContain("(signed_out)");
  });

  it("aborts the request of a call that the client cancels", async () => {
    const { url, asked, gone } = await silentServer();
    const { call } = await overStdio({ url }, { tools: "all" });
    const controller = new AbortController();
    const calling = call("agent_memory_stats", {}, { signal: controller.signal });
    calling.catch(() => {});
    await asked;
    controller.abort("enough");
    await expect(calling).rejects.toThrow("enough");
    await gone;
  });

  it("speaks revision 2026-07-28 with lists, prompts, calls, progress and cancellation", async () => {
    const app = await startApp();
    const { v2, call, names, prompt } = await overStdioV2(app);
    expect(v2.getProtocolEra()).toBe("modern");
    expect(await names()).toContain("scheduler_plan");
    expect(await prompt("review_my_change")).toContain("code_review_review");
    const tasks = Array.from({ length: 61 }, (_, index) => ({
      id: `t${index}`,
      durationMs: 1000 + ((index * 37) % 11),
    }));
    const heard: number[] = [];
    const controller = new AbortController();
    const calling = call(
      "scheduler_plan",
      { workers: 3, tasks, timeBudgetMs: 20_000 },
      { signal: controller.signal, onprogress: ({ progress }) => heard.push(progress) },
    );
    calling.catch(() => {});
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    controller.abort();
    await expect(calling).rejects.toThrow();
    await expect.poll(() => app.app.services.workers.state().running).toBe(0);
    expect((await call("agent_memory_recall", { q: "a" })).structuredContent).toEqual({ items: [] });
  });

  it("refuses unknown tools, and suggests similar ones", async () => {
    const { tool } = user();
    const { code, stderr, stdout } = await tool("mcp", "--tools", "knowledge_graph_serach");
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("did you mean knowledge_graph_search");
  });

  it("answers invalid lines with an error, and serves later calls", async () => {
    const { start } = await startOwner();
    const { child, finished } = start(["mcp"]);
    const junk = fc.sample(
      fc.oneof(
        fc.string().map((text) => text.replace(/[\r\n]/g, " ")),
        fc.json(),
        fc
          .record({
            jsonrpc: fc.constant("2.0"),
            id: fc.anything(),
            method: fc.anything(),
            params: fc.anything(),
          })
          .map((message) => JSON.stringify(message, (_, value) => (typeof value === "bigint" ? 1 : value))),
      ),
      { seed: 7, numRuns: 300 },
    );
    child.stdin.write(lines(HELLO));
    for (const line of junk) child.stdin.write(`${line}\n`);
    child.stdin.end(lines(call(77_777, "knowledge_graph_search", { q: "a" })));
    const { code, stdout } = await finished;
    expect(code).toBe(0);
    const messages = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const { jsonrpc } of messages) expect(jsonrpc).toBe("2.0");
    const refused = messages.filter(({ error }) => error?.code === -32700 || error?.code === -32600);
    expect(refused.length).toBeGreaterThan(100);
    expect(messages.find(({ id }) => id === 77_777)?.result.structuredContent).toEqual({ items: [] });
  });

  it("accepts a log of 20 MB in one message", async () => {
    const app = await startApp();
    const { call } = await overStdio(app);
    const line = "built another of the many files that this project has, as it did before\n";
    const log = `${line.repeat(290_000)}error TS2322: Type 'a' is not 'b'.\n`;
    const answer = await call("self_healing_diagnose", { log, exitCode: 2 }, { timeout: 250_000 });
    expect(answer).toMatchObject({ structuredContent: { category: "type_error" } });
  });
});

/** Starts a server that receives requests and never answers. */
async function silentServer() {
  let hear = () => {};
  let lose = () => {};
  const asked = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const gone = new Promise<void>((resolve) => {
    lose = resolve;
  });
  const server = createServer((req, res) => {
    if (req.url === "/api/v1/account") {
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify({ credential: { scopes: ["write"] } }));
      return;
    }
    hear();
    res.once("close", lose);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, gone };
}
