import { compare } from "./servers/compare.ts";
import { chooseLoad } from "./servers/load.ts";
import { OWNER, startServer, startToolplane } from "./servers/start.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const TRACK = { method: "POST", path: "/api/v1/track", body: JSON.stringify({ type: "api_calls" }) } as const;
const RESOLVE = { method: "GET", path: "/api/v1/entitlements/resolve" } as const;

/**
 * Measures requests a second and p99 of `/track` and `/entitlements/resolve`, beside plain Node and
 * bare Express 5, in one run and with one load generator.
 */
export async function run(): Promise<void> {
  const { name, load } = await chooseLoad();
  console.log(`Requests come from ${name}.`);
  const servers = [
    await startServer("plain Node", "plain-node.ts"),
    await startServer("Express 5", "bare-express.ts"),
    await startToolplane(),
  ];
  const contenders = servers.map(({ name, url }) => ({ name, urls: [url] }));
  const beside = { "Express 5": "x Express", "plain Node": "of Node" };
  try {
    for (const request of [TRACK, RESOLVE]) {
      for (const connections of [32, 128]) {
        await compare(contenders, {
          ...{ request: { ...request, headers: OWNER }, connections, load, beside },
          ...{ seconds: SECONDS, rounds: ROUNDS },
        });
      }
    }
  } finally {
    for (const server of servers) server.stop();
  }
}
