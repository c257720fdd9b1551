import { watchedLoop } from "../test/hardness/worst-cases/watch-loop.ts";
import type { Ask } from "../test/hardness/worst-cases/worst-case.ts";
import { armed, worstCases } from "../test/hardness/worst-cases/worst-cases.ts";
import { accountOn } from "../test/support/accounts/account.ts";
import { asking } from "../test/support/ask.ts";
import { OWNER_KEY, startToolplane } from "./servers/start.ts";

/** Limits the run to endpoints whose names contain this. */
const ONLY = process.env.BENCH_ENDPOINT ?? "";

/**
 * Sends one server the most expensive request of every endpoint, one after another. Measures how long each
 * blocks the event loop at a stretch, the slowest `/track` of an honest account meanwhile, and the memory.
 */
export async function run(): Promise<void> {
  process.env.WORST_CASES = "full";
  const loop = await watchedLoop();
  const server = await startToolplane("Toolplane", loop.env);
  try {
    await measure(server.url, loop);
  } finally {
    server.stop();
  }
}

async function measure(url: string, loop: Awaited<ReturnType<typeof watchedLoop>>): Promise<void> {
  const honest = asking(url, (await accountOn(url, "team", OWNER_KEY)).key);
  console.log("endpoint                          held ms   /track ms   answers                    RSS MiB");
  for (const each of worstCases.filter(({ endpoint }) => endpoint.name.includes(ONLY))) {
    const hostile = asking(url, (await accountOn(url, "free", OWNER_KEY)).key);
    const fire = await armed(hostile, each);
    await loop.look();
    const watch = startTracking(honest);
    const statuses = await fire().then(
      (answers) => answers.map(({ status }) => status),
      (error) => [String(error)],
    );
    const track = await watch();
    const { held, rss } = await loop.look();
    console.log(
      each.endpoint.name.padEnd(32),
      held.toFixed(0).padStart(8),
      track.toFixed(0).padStart(11),
      `  ${tally(statuses)}`.padEnd(28),
      (rss / 1024 / 1024).toFixed(0).padStart(8),
    );
  }
}

/** Tracks uses one after another. The returned function stops that and returns the slowest in milliseconds. */
function startTracking(honest: Ask): () => Promise<number> {
  let isOver = false;
  let slowest = 0;
  const tracking = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await honest("POST", "/api/v1/track", { body: { type: "api_calls" } });
      slowest = Math.max(slowest, performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return async () => {
    isOver = true;
    await tracking;
    return slowest;
  };
}

function tally(statuses: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} x ${status}`).join(", ");
}
