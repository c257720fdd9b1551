import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import autocannon from "autocannon";

export interface Request {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Measured {
  requestsPerSecond: number;
  /** 99th percentile of the latency, in milliseconds. */
  p99: number;
}

/** Sends one request over and over. Rejects if an answer is not 2xx. */
export type Load = (request: Request, options: { connections: number; seconds: number }) => Promise<Measured>;

/**
 * Returns wrk with one thread if it is installed, since it costs a fraction of what it measures. autocannon costs as
 * much as a server, which hides most of a difference on two cores.
 */
export async function chooseLoad(): Promise<{ name: string; load: Load }> {
  const installed = await run("wrk", ["--version"]).catch(({ code }) => ({ code }));
  return "code" in installed && installed.code === "ENOENT"
    ? { name: "autocannon (install wrk for truer figures)", load: withAutocannon }
    : { name: "wrk", load: withWrk };
}

const run = promisify(execFile);

const withWrk: Load = async ({ method, url, headers, body }, { connections, seconds }) => {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-wrk-"));
  const script = join(directory, "request.lua");
  const lines = [
    `wrk.method = ${JSON.stringify(method)}`,
    ...Object.entries(headers).map(
      ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    ),
    ...(body === undefined ? [] : [`wrk.body = ${JSON.stringify(body)}`]),
  ];
  writeFileSync(script, lines.join("\n"));
  try {
    const { stdout } = await run("wrk", [
      ...["-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "-s", script],
      url,
    ]);
    const failed = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(stdout);
    if (failed) throw new Error(`${url}: ${failed[0]}`);
    return {
      requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
      p99: milliseconds(/99%\s+([\d.]+)(us|ms|s|m)\b/.exec(stdout)),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

function milliseconds(found: RegExpExecArray | null): number {
  return found ? Number(found[1]) * (UNITS[found[2] as string] as number) : Number.NaN;
}

const withAutocannon: Load = async ({ url, method, headers, body }, { connections, seconds }) => {
  const options = { url, method, headers, connections, duration: seconds };
  const result = await autocannon(body === undefined ? options : { ...options, body });
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} answers were not 2xx`);
  return { requestsPerSecond: result.requests.average, p99: result.latency.p99 };
};
