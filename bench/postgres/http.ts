import { startPostgres } from "../../test/support/services/postgres.ts";
import { compare } from "../servers/compare.ts";
import { chooseLoad } from "../servers/load.ts";
import { OWNER, OWNER_KEY, startServer, startToolplane } from "../servers/start.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONNECTIONS = 64;
const PLAIN = "Express and pg";

/** Measures `/track` on PostgreSQL with one and two instances, beside a plain handler on the same database server. */
export async function measureHttp(): Promise<void> {
  const { name, load } = await chooseLoad();
  console.log(`\nOver HTTP; requests come from ${name}.`);
  const postgres = await startPostgres({});
  const database = { TOOL_DATABASE_URL: await postgres.createDatabase() };
  const plain = { DATABASE_URL: await postgres.createDatabase(), API_KEY: OWNER_KEY };
  const servers = [
    await startServer(PLAIN, "express-postgres.ts", plain),
    await startToolplane("first", database),
    await startToolplane("second", database),
  ];
  const [express, ...instances] = servers.map(({ url }) => url) as [string, string, string];
  const contenders = [
    { name: PLAIN, urls: [express] },
    { name: "one instance", urls: instances.slice(0, 1) },
    { name: "two instances", urls: instances },
  ];
  const body = JSON.stringify({ type: "api_calls" });
  try {
    await compare(contenders, {
      request: { method: "POST", path: "/api/v1/track", headers: OWNER, body },
      ...{ connections: CONNECTIONS, seconds: SECONDS, rounds: ROUNDS, load },
      beside: { [PLAIN]: `x ${PLAIN}` },
    });
  } finally {
    for (const server of servers) server.stop();
    await postgres.stop();
  }
}
