import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readNewest } from "../../../src/cli/update/newest.ts";
import { hasTerminal, terminal } from "../support/terminal.ts";
import { user } from "../support/tool.ts";

const TOOL = resolve(import.meta.dirname, "../../../bin/tool.js");

/** Starts an npm registry that records its requests. */
async function registry(latest: string, status = 200) {
  const asked: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push({ url, headers });
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ name: "toolplane", "dist-tags": { latest } }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}/npm/` };
}

function somebody(registryUrl: string, more: Record<string, string> = {}) {
  // npm itself would ask the registry for its own newest version at times.
  const one = user({ npm_config_registry: registryUrl, npm_config_update_notifier: "false", ...more });
  return { ...one, cache: join(one.home, ".cache/toolplane") };
}

describe("the check for a newer version", () => {
  it("asks the registry of npm for the package, and sends nothing else", async () => {
    const { url, asked } = await registry("999.0.0");
    const { tool, cache } = somebody(url, { TOOL_TOKEN: "tak_secret" });
    expect((await tool("_update")).code).toBe(0);
    expect(readNewest(cache)?.version).toBe("999.0.0");
    expect(asked.length).toBe(1);
    expect(asked[0]?.url).toBe("/npm/toolplane");
    expect(Object.keys(asked[0]?.headers ?? {}).sort()).toEqual(["accept", "connection", "host"]);
  });

  it.each([
    ["a registry that does not know it", ["999.0.0", 404] as const],
    ["one that says what is no version", ["rm -rf /", 200] as const],
  ])("stores nothing and succeeds for %s", async (_, [latest, status]) => {
    const { url } = await registry(latest, status);
    const { tool, cache } = somebody(url);
    expect((await tool("_update")).code).toBe(0);
    expect(readNewest(cache)).toBeUndefined();
  });
});

describe("the update notice at a terminal", () => {
  beforeEach(({ skip }) => skip(!hasTerminal, "tmux is not installed"));

  it("follows the output of a command, but not under CI or TOOL_NO_UPDATE_NOTICE", async () => {
    const { url } = await registry("999.0.0");
    const { env, tool } = somebody(url);
    await tool("_update");
    const run = (more: Record<string, string> = {}) =>
      terminal([process.execPath, TOOL, "config", "get", "telemetry"], {
        columns: 80,
        rows: 24,
        env: { ...env, ...more },
      });
    for (const quiet of ["CI", "TOOL_NO_UPDATE_NOTICE"]) {
      const { screen } = run({ [quiet]: "1" });
      await expect.poll(() => screen().join("\n")).toContain("exit code 0");
      expect(screen()).toEqual(["on", "exit code 0"]);
    }
    const { screen } = run();
    await expect.poll(() => screen().join("\n")).toContain("exit code 0");
    expect(screen()[0]).toBe("on");
    expect(screen().join(" ")).toContain("toolplane 999.0.0 is out");
  });
});
