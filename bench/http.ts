import { chooseLoad, type Load, type Request } from "./servers/load.ts";
import { median, OWNER, type Server, startServer, startToolplane } from "./servers/start.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const TRACK = { method: "POST", path: "/api/v1/track", body: JSON.stringify({ type: "api_calls" }) } as const;
const RESOLVE = { method: "GET", path: "/api/v1/entitlements/resolve" } as const;

/**
 * Requests a second and p99 of `/track` and `/entitlements/resolve`, beside plain Node and bare
 * Express 5, in one run and with one load generator. Rounds alternate; medians are shown.
 */
export async function run(): Promise<void> {
  const { name, load } = await chooseLoad();
  console.log(`Requests come from ${name}.`);
  const servers = [
    await startServer("plain Node", "plain-node.ts"),
    await startServer("Express 5", "bare-express.ts"),
    await startToolplane(),
  ];
  try {
    for (const request of [TRACK, RESOLVE]) {
      for (const connections of [32, 128]) await compare(request, connections, servers, load);
    }
  } finally {
    for (const server of servers) server.stop();
  }
}

async function compare(
  { path, ...request }: Pick<Request, "method" | "body"> & { path: string },
  connections: number,
  servers: Server[],
  load: Load,
): Promise<void> {
  const rates = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
  const tails = new Map<string, number[]>(servers.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url } of servers) {
      const measured = await load(
        { ...request, url: url + path, headers: OWNER },
        { connections, seconds: SECONDS },
      );
      rates.get(name)?.push(measured.requestsPerSecond);
      tails.get(name)?.push(measured.p99);
    }
  }
  const rateOf = (name: string) => median(rates.get(name) ?? []);
  console.log(`\n${request.method} ${path}, ${connections} connections`);
  for (const { name } of servers) {
    const rate = Math.round(rateOf(name)).toLocaleString("en").padStart(8);
    const ofExpress = (rateOf(name) / rateOf("Express 5")).toFixed(2);
    const ofNode = (rateOf(name) / rateOf("plain Node")).toFixed(2);
    const p99 = median(tails.get(name) ?? []).toFixed(1);
    console.log(
      `  ${name.padEnd(12)} ${rate} req/s  ${ofExpress} x Express, ${ofNode} of Node  p99 ${p99} ms`,
    );
  }
}
