import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { unlimitedPlans } from "../../test/hardness/fuzz/unlimited-plans.ts";

export const OWNER_KEY = "bench-owner-key-bench-owner-key-0123";
export const OWNER = { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" };

const TOOL = join(import.meta.dirname, "../../bin/tool.js");

export interface Server {
  name: string;
  url: string;
  pid: number;
  stop(): void;
}

/** Starts a server of this folder in a process of its own. Its first line of output holds the address. */
export function startServer(name: string, file: string, env: Record<string, string> = {}): Promise<Server> {
  return start(name, ["--import", "tsx", join(import.meta.dirname, file)], env);
}

/** Starts `tool serve` on a directory of its own, with a catalogue whose limits are never reached. */
export function startToolplane(name = "Toolplane", env: Record<string, string> = {}): Promise<Server> {
  return startTool(name, env, (directory) => ["--plans", unlimitedPlans(directory)]);
}

/** Starts `tool serve` as `startToolplane` does, with the upstream `up` at `url`. */
export function startGateway(name: string, url: string): Promise<Server> {
  return startTool(name, {}, (directory) => ["--plans", unlimitedPlans(directory), "--mcp", `up=${url}`]);
}

/** Starts `tool serve` on a directory of its own, with the catalogue that is shipped. */
export function startDefault(name = "Toolplane", env: Record<string, string> = {}): Promise<Server> {
  return startTool(name, env, () => []);
}

/** Starts `tool serve` on a directory or database that is kept. `stop` waits until the server has closed it. */
export async function startOn(name: string, where: string): Promise<Server & { stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const place = /^postgres:/.test(where) ? ["--database", where] : ["--data", where];
  const plans = ["--plans", unlimitedPlans(directory)];
  const server = await start(
    name,
    [TOOL, "serve", "--port", "0", ...place, "--log-level", "warn", ...plans],
    {
      TOOL_OWNER_API_KEY: OWNER_KEY,
    },
  );
  return {
    ...server,
    async stop() {
      await server.end();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function startTool(
  name: string,
  env: Record<string, string>,
  flags: (directory: string) => string[],
): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const data = join(directory, "data");
  const server = await start(
    name,
    [TOOL, "serve", "--port", "0", "--data", data, "--log-level", "warn", ...flags(directory)],
    { TOOL_OWNER_API_KEY: OWNER_KEY, ...env },
  );
  return {
    ...server,
    stop() {
      server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function start(
  name: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Server & { end(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    return ended.then(() => {});
  };
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (!line.startsWith("{")) return;
      const { url } = JSON.parse(line) as { url?: string };
      if (url) resolve({ name, url, pid: child.pid ?? 0, stop: () => child.kill("SIGKILL"), end });
    });
  });
}
