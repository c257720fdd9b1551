import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { packageRoot } from "../../src/system/package.ts";
import { OWNER_KEY } from "./app.ts";

export interface ServeProcess {
  url: string;
  /** First line of output, parsed. */
  listening: { url: string; signInUrl?: string };
  child: ChildProcess;
  stderr: () => string;
  /** Sends a signal and waits for the exit. Resolves with the exit code, or null if the signal ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `tool serve` of the bundle in a process of its own, and kills it after the test. */
export async function startServe(args: string[], env: Record<string, string> = {}): Promise<ServeProcess> {
  const { child, started } = launchServe(args, env);
  onTestFinished(() => void child.kill("SIGKILL"));
  return started;
}

/** Starts `tool serve` as `startServe` does, for all tests of a file: the caller kills it. */
export function launchServe(
  args: string[],
  env: Record<string, string> = {},
): { child: ChildProcess; started: Promise<ServeProcess> } {
  const child = spawn(process.execPath, [join(packageRoot, "bin/tool.js"), "serve", "--port", "0", ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TOOL_OWNER_API_KEY: OWNER_KEY, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, started: listening(child) };
}

async function listening(child: ChildProcessByStdio<null, Readable, Readable>): Promise<ServeProcess> {
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, "line"), ended]);
  if (!Array.isArray(first)) throw new Error(`tool serve ended with ${first}: ${errors}`);
  // Keeps reading, so that the pipe never fills.
  lines.on("line", () => {});
  const told = JSON.parse(first[0] as string);
  return {
    url: told.url,
    listening: told,
    child,
    stderr: () => errors,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
