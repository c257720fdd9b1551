import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Debian packages of the external programs that tests start, by program. */
const PACKAGES: Record<string, string> = {
  nginx: "nginx-light",
  caddy: "caddy",
  haproxy: "haproxy",
  apache2: "apache2-bin",
  openssl: "openssl",
  promtool: "prometheus",
  pgbouncer: "pgbouncer",
  "systemd-analyze": "systemd",
  psql: "postgresql-client",
  script: "bsdutils",
};

/** Whether one of the programs is missing. Prints each missing one and its package. */
export function isMissing(...programs: string[]): boolean {
  const missing = programs.filter((program) => spawnSync("which", [program], PATHS).status !== 0);
  for (const program of missing) {
    process.stderr.write(`Skipped: ${program} is missing (Debian's package ${PACKAGES[program]}).\n`);
  }
  return missing.length > 0;
}

/** Environment with Debian's directories of administration programs on the path. */
export const PATHS = { env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` } };

export interface Program {
  child: ChildProcess;
  /** Returns everything written to stdout and stderr so far. */
  said: () => string;
}

/** Starts a program that is stopped after the test. */
export function startProgram(
  [program = "", ...args]: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Program {
  const env = { PATH: PATHS.env.PATH, ...options.env };
  const child = spawn(program, args, { ...options, env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
  }
  const ended = once(child, "exit");
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill("SIGTERM");
    await ended;
  });
  return { child, said: () => text };
}

/** Runs a program to its end without blocking servers in this process. */
export async function runBeside(
  words: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<{ status: number | null; output: string }> {
  const { child, said } = startProgram(words, options);
  const [status] = await once(child, "close");
  return { status, output: said() };
}

/** Runs a program to its end and blocks this process meanwhile. */
export function runProgram(
  [program = "", ...args]: string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string } = {},
): { status: number | null; output: string } {
  const env = { PATH: PATHS.env.PATH, ...options.env };
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, env, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

/** Whether a process of this user has this id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
