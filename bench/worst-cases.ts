import { createServer } from "node:net";
import { join } from "node:path";
import { request } from "undici";
import type { Ask } from "../test/hardness/worst-cases/worst-case.ts";
import { armed, worstCases } from "../test/hardness/worst-cases/worst-cases.ts";
import { accountOn } from "../test/support/account.ts";
import { OWNER_KEY, startToolplane } from "./servers/start.ts";

/** Only the endpoints whose names hold this. */
const ONLY = process.env.BENCH_ENDPOINT ?? "";

/**
 * The most expensive request of every endpoint, one after another, against one server: for how long each
 * holds its event loop at a stretch, what an honest account's `/track` takes meanwhile, and the memory.
 */
export async function run(): Promise<void> {
  const port = await freePort();
  const server = await startToolplane("Toolplane", {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, "servers/watch-loop.mjs")}`,
    WATCH_LOOP_PORT: String(port),
  });
  const hostile = asking(server.url, (await accountOn(server.url, "free", OWNER_KEY)).key);
  const honest = asking(server.url, (await accountOn(server.url, "team", OWNER_KEY)).key);
  console.log("endpoint                          held ms   /track ms   answers                    RSS MiB");
  for (const each of worstCases.filter(({ endpoint }) => endpoint.name.includes(ONLY))) {
    const fire = await armed(hostile, each);
    const watch = await startWatching(honest, port);
    const statuses = await fire().then(
      (answers) => answers.map(({ status }) => status),
      (error) => [String(error)],
    );
    const { held, track, rss } = await watch();
    console.log(
      each.endpoint.name.padEnd(32),
      held.toFixed(0).padStart(8),
      track.toFixed(0).padStart(11),
      `  ${tally(statuses)}`.padEnd(28),
      (rss / 1024 / 1024).toFixed(0).padStart(8),
    );
  }
  server.stop();
}

/** Until it is asked: the longest time that the loop was held, and the slowest `/track`, in milliseconds. */
async function startWatching(honest: Ask, port: number) {
  await loopOf(port);
  let isOver = false;
  let track = 0;
  const tracking = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await honest("POST", "/api/v1/track", { body: { type: "api_calls" } });
      track = Math.max(track, performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return async () => {
    isOver = true;
    await tracking;
    return { ...(await loopOf(port)), track };
  };
}

/** What `servers/watch-loop.mjs` saw since it was asked last. */
async function loopOf(port: number): Promise<{ held: number; rss: number }> {
  return (await fetch(`http://127.0.0.1:${port}`)).json() as Promise<{ held: number; rss: number }>;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function asking(url: string, ownKey: string): Ask {
  return async (method, path, { body, raw, headers = {}, key = ownKey } = {}) => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await request(url + path, {
      method: method as "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        ...(content !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    });
    const text = await answer.body.text();
    const isJson = /json/.test(String(answer.headers["content-type"]));
    return { status: answer.statusCode, body: isJson && text ? JSON.parse(text) : text };
  };
}

function tally(statuses: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} x ${status}`).join(", ");
}
