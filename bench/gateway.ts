import autocannon from "autocannon";
import { median } from "./data/times.ts";
import { OWNER, type Server, startGateway, startServer } from "./servers/start.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const WARM_UP = 2000;

const HEADERS = {
  ...OWNER,
  Accept: "application/json, text/event-stream",
  "MCP-Protocol-Version": "2025-11-25",
};

/**
 * Measures tool calls through the gateway (authenticated, counted durably, with a signed identity), beside the
 * same upstream called directly and through a plain Node proxy, in one run: the latency of a single call, and
 * calls a second. Rounds alternate; medians are printed.
 */
export async function run(): Promise<void> {
  const upstream = await startServer("directly", "mcp-upstream.ts");
  const servers = [
    { ...upstream, path: "/mcp" },
    {
      ...(await startServer("plain Node proxy", "plain-proxy.ts", { UPSTREAM: upstream.url })),
      path: "/mcp",
    },
    { ...(await startGateway("gateway", `${upstream.url}/mcp`)), path: "/mcp/up" },
  ];
  try {
    await send(servers, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }));
    for (const server of servers) await alone(server, WARM_UP);
    await latencies(servers);
    await rates(servers);
  } finally {
    for (const server of servers) server.stop();
  }
}

type Reached = Server & { path: string };

async function send(servers: Reached[], body: string): Promise<void> {
  for (const { name, url, path } of servers) {
    const response = await fetch(url + path, { method: "POST", headers: HEADERS, body });
    if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
    await response.text();
  }
}

/** Sends calls one after the other, each with its own id, as clients do. Returns their times in milliseconds. */
async function alone({ name, url, path }: Reached, calls: number): Promise<number[]> {
  const { Client } = await import("undici");
  const client = new Client(url);
  const took: number[] = [];
  for (let index = 0; index < calls; index++) {
    const startedAt = performance.now();
    const { statusCode, body } = await client.request({
      method: "POST",
      path,
      headers: HEADERS,
      body: call(),
    });
    const text = await body.text();
    took.push(performance.now() - startedAt);
    if (statusCode !== 200 || !text.includes("hello")) throw new Error(`${name}: ${statusCode} ${text}`);
  }
  await client.close();
  return took;
}

let calls = 0;
function call(): string {
  const params = { name: "echo", arguments: { text: "hello", number: 1 } };
  return JSON.stringify({ jsonrpc: "2.0", id: ++calls, method: "tools/call", params });
}

async function latencies(servers: Reached[]): Promise<void> {
  const medians = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const server of servers) medians.get(server.name)?.push(median(await alone(server, 1000)));
  }
  console.log("\nOne call after the other");
  const direct = median(medians.get("directly") ?? []);
  for (const [name, values] of medians) {
    const took = median(values);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    console.log(
      `  ${name.padEnd(18)} median ${took.toFixed(2)} ms, ${(took - direct).toFixed(2)} more than directly (rounds ${least.toFixed(2)} to ${most.toFixed(2)})`,
    );
  }
}

async function rates(servers: Reached[]): Promise<void> {
  for (const connections of [32, 128]) {
    const found = new Map<string, { rates: number[]; tails: number[] }>(
      servers.map(({ name }) => [name, { rates: [], tails: [] }]),
    );
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, url, path } of servers) {
        const result = await autocannon({
          url: url + path,
          connections,
          duration: SECONDS,
          requests: [
            { method: "POST", headers: HEADERS, setupRequest: (request) => ({ ...request, body: call() }) },
          ],
        });
        if (result.non2xx > 0) throw new Error(`${name}: ${result.non2xx} answers were not 2xx`);
        found.get(name)?.rates.push(result.requests.average);
        found.get(name)?.tails.push(result.latency.p99);
      }
    }
    console.log(`\n${connections} connections`);
    for (const [name, { rates, tails }] of found) {
      const rate = Math.round(median(rates)).toLocaleString("en").padStart(7);
      console.log(`  ${name.padEnd(18)} ${rate} calls/s  p99 ${median(tails)} ms`);
    }
  }
}
