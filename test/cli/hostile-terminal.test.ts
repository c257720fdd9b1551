import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { HOSTILE, hostileServer } from "./support/hostile-server.ts";
import { hostileIn } from "./support/hostile-text.ts";
import { hasTerminal, terminal } from "./support/terminal.ts";
import { user } from "./support/tool.ts";

const TOOL = resolve(import.meta.dirname, "../../bin/tool.js");
const hasScript = spawnSync("script", ["--version"]).status === 0;

/** Runs the real program in a real terminal, and returns the bytes that it writes. */
function inTerminal(words: string[], environment: Record<string, string>) {
  const { env, home } = user(environment);
  // A log with a NUL byte would be skipped as binary.
  writeFileSync(join(home, "hostile.log"), HOSTILE.replaceAll("\0", ""));
  const typed = join(home, "typescript");
  const command = [process.execPath, TOOL, ...words].map((word) => `'${word}'`).join(" ");
  const script = ["script", "--quiet", "--flush", "--return", "--command", `cd ${home} && ${command}`, typed];
  const shown = terminal(script, { columns: 100, rows: 40, env: { ...env, TERM: "xterm-256color" } });
  return { ...shown, home, written: () => readFileSync(typed, "utf8") };
}

/** Removes the first and last line, which `script` writes, and restores the line ends of programs. */
function recorded(text: string): string {
  return text
    .replace(/^Script started.*\n/, "")
    .replace(/\nScript done.*\n$/, "")
    .replaceAll("\r\n", "\n");
}

describe("the real program in a terminal", () => {
  beforeEach(({ skip }) => skip(!hasTerminal || !hasScript, "tmux or script is not installed"));

  it.each([
    ["whoami"],
    ["keys", "list", "--limit", "1"],
    ["memory", "recall", "x"],
    ["pair", "show", "s"],
    ["graph", "show", "--format", "dot"],
    ["api", "GET", "/api/v1/account", "-i"],
    ["diagnose", "hostile.log"],
    ["context", "hostile.log", "--budget", "100"],
    ["whoami", "--json"],
    ["whoami", "--verbose"],
  ])("writes foreign text only sanitized: %s %s", async (...words) => {
    const server = await hostileServer();
    const { screen, written } = inTerminal(words, { TOOL_BASE_URL: server.url, TOOL_TOKEN: "tak_x" });
    await expect.poll(() => screen().join("\n")).toContain("exit code 0");
    const text = recorded(written());
    expect(text).toContain("evil");
    expect(hostileIn(text)).toEqual([]);
  });

  it.each([[["login", "--no-browser"]], [["pair", "watch", "s"]]])(
    "draws foreign text only sanitized: %j",
    async (words) => {
      const server = await hostileServer();
      const environment = { TOOL_BASE_URL: server.url, ...(words[0] === "pair" && { TOOL_TOKEN: "tak_x" }) };
      const { screen, written } = inTerminal(words, environment as Record<string, string>);
      await expect.poll(() => screen().join("\n")).toContain("exit code 0");
      const text = recorded(written());
      expect(text).toContain("evil");
      expect(hostileIn(text, true)).toEqual([]);
    },
  );
});

describe("the real program in a pipe", () => {
  it("writes JSON without raw foreign text for tool mcp", async () => {
    const server = await hostileServer();
    const { start } = user({ TOOL_BASE_URL: server.url, TOOL_TOKEN: "tak_x" });
    const { child, until, finished } = start(["mcp"]);
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const about = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    say({ id: 1, method: "initialize", params: about });
    say({ method: "notifications/initialized" });
    say({ id: 2, method: "tools/call", params: { name: "agent_memory_recall", arguments: { q: "x" } } });
    await until("stdout", /"id":2/);
    child.stdin.end();
    const { stdout, stderr } = await finished;
    expect(stdout).toContain("evil");
    expect(hostileIn(stdout)).toEqual([]);
    expect(hostileIn(stderr)).toEqual([]);
  });
});
