import autocannon from "autocannon";
import { median, OWNER, type Server, startServer, startToolplane } from "./servers/start.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/**
 * Requests a second and p99 of `/track` and `/entitlements/resolve`, beside plain Node and bare
 * Express 5, in one run and with one load generator. Rounds alternate; medians are shown.
 */
export async function run(): Promise<void> {
  const servers = [
    await startServer("plain Node", "plain-node.ts"),
    await startServer("Express 5", "bare-express.ts"),
    await startToolplane(),
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
        headers: OWNER,
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
