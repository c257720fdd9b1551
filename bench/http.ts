import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import autocannon from "autocannon";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const OWNER_KEY = "bench-owner-key-bench-owner-key-0123";

interface Server {
  name: string;
  url: string;
  stop(): void;
}

/**
 * Requests a second and p99 of `/track` and `/entitlements/resolve`, beside plain Node and bare
 * Express 5, in one run and with one load generator. Rounds alternate; medians are shown.
 */
export async function run(): Promise<void> {
  const servers = [
    await start("plain Node", ["--import", "tsx", here("servers/plain-node.ts")]),
    await start("Express 5", ["--import", "tsx", here("servers/bare-express.ts")]),
    await toolplane(),
  ];
  try {
    for (const connections of [32, 128]) {
      await compare(`POST /api/v1/track, ${connections} connections`, servers, connections, {
        method: "POST",
        path: "/api/v1/track",
        body: JSON.stringify({ type: "api_calls" }),
      });
    }
    await compare("GET /api/v1/entitlements/resolve, 32 connections", servers, 32, {
      method: "GET",
      path: "/api/v1/entitlements/resolve",
    });
  } finally {
    for (const server of servers) server.stop();
  }
}

async function compare(
  title: string,
  servers: Server[],
  connections: number,
  request: { method: "GET" | "POST"; path: string; body?: string },
): Promise<void> {
  const rates = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
  const tails = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url } of servers) {
      const result = await autocannon({
        url: url + request.path,
        method: request.method,
        ...(request.body !== undefined && { body: request.body }),
        headers: {
          Authorization: `Bearer ${OWNER_KEY}`,
          ...(request.body && { "Content-Type": "application/json" }),
        },
        connections,
        duration: SECONDS,
      });
      if (result.non2xx > 0) throw new Error(`${name}: ${result.non2xx} answers were not 2xx`);
      rates.get(name)?.push(result.requests.average);
      tails.get(name)?.push(result.latency.p99);
    }
  }
  const base = median(rates.get("Express 5") ?? []);
  console.log(`\n${title}`);
  for (const { name } of servers) {
    const rate = median(rates.get(name) ?? []);
    console.log(
      `  ${name.padEnd(12)} ${Math.round(rate).toLocaleString("en").padStart(8)} req/s  ${(rate / base).toFixed(2)} x Express  p99 ${median(tails.get(name) ?? [])} ms`,
    );
  }
}

async function toolplane(): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const server = await start(
    "Toolplane",
    [here("../bin/tool.js"), "serve", "--port", "0", "--data", directory, "--plan", "enterprise"],
    {
      TOOL_OWNER_API_KEY: OWNER_KEY,
    },
  );
  const headers = { Authorization: `Bearer ${OWNER_KEY}`, "Content-Type": "application/json" };
  const { account } = (await (await fetch(`${server.url}/api/v1/account`, { headers })).json()) as {
    account: { id: string };
  };
  const most = 1e9;
  await fetch(`${server.url}/api/v1/accounts/${account.id}`, {
    method: "PATCH",
    headers,
    body: JSON.stringify({
      limits: {
        requestsPerMinute: most,
        requestsPerHour: most,
        requestsPerDay: most,
        burst: most,
        endpoints: { "usage.track": most },
      },
    }),
  });
  return {
    ...server,
    stop() {
      server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function start(name: string, args: string[], env: Record<string, string> = {}): Promise<Server> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
    if (!child.stdout) return;
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      const { url } = JSON.parse(line) as { url?: string };
      if (url) resolve({ name, url, stop: () => child.kill("SIGKILL") });
    });
  });
}

function here(path: string): string {
  return join(import.meta.dirname, path);
}

function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
