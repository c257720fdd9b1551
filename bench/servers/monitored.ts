import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { unlimitedPlans } from "../../test/hardness/fuzz/unlimited-plans.ts";
import { OWNER_KEY } from "./start.ts";

/** State of a server's main loop and memory since the last report. */
export interface LoopReport {
  /** Longest time that the main loop was blocked. */
  maxMs: number;
  rss: number;
  heapUsed: number;
}

const SETTLED_MS = 1500;

/** Starts `tool serve` in a process of its own that reports how long its main loop was blocked. */
export async function startMonitored({ nodeArguments = [] as string[] } = {}) {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const reportFile = join(directory, "loop.json");
  const tool = join(import.meta.dirname, "../../bin/tool.js");
  const monitor = join(import.meta.dirname, "loop-monitor.js");
  let child: ChildProcess;
  let url = "";

  async function start(): Promise<void> {
    const data = join(directory, "data");
    const plans = unlimitedPlans(directory);
    const serve = ["serve", "--port", "0", "--data", data, "--plans", plans, "--log-level", "warn"];
    child = spawn(process.execPath, [...nodeArguments, "--import", monitor, tool, ...serve], {
      env: { ...process.env, NODE_ENV: "production", TOOL_OWNER_API_KEY: OWNER_KEY, LOOP_FILE: reportFile },
      stdio: ["ignore", "pipe", "inherit"],
    });
    url = await new Promise((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
      if (!child.stdout) return;
      createInterface({ input: child.stdout }).on("line", (line) => {
        const found = line.startsWith("{") && (JSON.parse(line) as { url?: string }).url;
        if (found) resolve(found);
      });
    });
    // Work at start-up is not to be measured.
    await sleep(SETTLED_MS);
  }

  async function end(): Promise<void> {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }

  await start();
  return {
    url: () => url,
    async report(): Promise<LoopReport> {
      rmSync(reportFile, { force: true });
      child.kill("SIGUSR2");
      while (!existsSync(reportFile) || readFileSync(reportFile).length === 0) await sleep(5);
      return JSON.parse(readFileSync(reportFile, "utf8"));
    },
    async restart(): Promise<void> {
      await end();
      await start();
    },
    async stop(): Promise<void> {
      await end();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
