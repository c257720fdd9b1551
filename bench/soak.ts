import { setTimeout as sleep } from "node:timers/promises";
import { watchedLoop } from "../test/hardness/worst-cases/watch-loop.ts";
import { armed, worstCases } from "../test/hardness/worst-cases/worst-cases.ts";
import { accountOn } from "../test/support/account.ts";
import { asking } from "../test/support/ask.ts";
import { OWNER_KEY, startDefault } from "./servers/start.ts";

const MINUTES = Number(process.env.BENCH_MINUTES ?? 10);
const HOSTILE = 10;

/** What an honest account asks, over and over. */
const HONEST: [name: string, method: string, path: string, body?: unknown][] = [
  ["/health", "GET", "/health"],
  ["/track", "POST", "/api/v1/track", { type: "api_calls" }],
  ["resolve", "GET", "/api/v1/entitlements/resolve"],
  [
    "review of a line",
    "POST",
    "/api/v1/tools/code-review",
    { diff: "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n" },
  ],
];

/**
 * Ten accounts on the free plan that send the most expensive requests there are, as fast as the plan lets
 * them, and one on the team plan that works: what that one sees, with the limits and bounds of the catalogue.
 */
export async function run(): Promise<void> {
  process.env.WORST_CASES = "full";
  const loop = await watchedLoop();
  const server = await startDefault("Toolplane", loop.env);
  const hostile = [];
  while (hostile.length < HOSTILE) hostile.push(await accountOn(server.url, "free", OWNER_KEY));
  const honest = asking(server.url, (await accountOn(server.url, "team", OWNER_KEY)).key);
  const endsAt = performance.now() + MINUTES * 60_000;
  const answers = new Map<number | string, number>();
  const attacks = hostile.map(async ({ key }, seed) => {
    const ask = asking(server.url, key);
    for (let turn = seed * 7; performance.now() < endsAt; turn++) {
      const fire = await armed(ask, worstCases[turn % worstCases.length] as (typeof worstCases)[number]);
      const statuses: (number | string)[] = await fire().then(
        (all) => all.map(({ status }) => status),
        (error) => [String(error.code ?? error)],
      );
      for (const status of statuses) answers.set(status, (answers.get(status) ?? 0) + 1);
      if (statuses.includes(429)) await sleep(1000);
    }
  });
  const seen = new Map<string, number[]>(HONEST.map(([name]) => [name, []]));
  const wrong = new Map<string, number>();
  let held = 0;
  let rss = 0;
  while (performance.now() < endsAt) {
    for (const [name, method, path, body] of HONEST) {
      const startedAt = performance.now();
      const { status } = await honest(method, path, { body });
      (seen.get(name) as number[]).push(performance.now() - startedAt);
      if (status !== 200) wrong.set(`${name} ${status}`, (wrong.get(`${name} ${status}`) ?? 0) + 1);
    }
    const state = await loop.look();
    held = Math.max(held, state.held);
    rss = Math.max(rss, state.rss);
    // Three of the four count: within 120 a minute.
    await sleep(1600);
  }
  await Promise.all(attacks);
  server.stop();
  console.log(`\n${HOSTILE} hostile accounts for ${MINUTES} min, and what an honest one saw`);
  for (const [name, times] of seen) {
    const sorted = times.sort((one, other) => one - other);
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
    console.log(
      `  ${name.padEnd(18)} median ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms of ${times.length}`,
    );
  }
  console.log(
    `  other than 200     ${[...wrong].map(([what, count]) => `${count} x ${what}`).join(", ") || "none"}`,
  );
  console.log(
    `  event loop         held for ${held.toFixed(0)} ms at most; RSS ${(rss / 2 ** 20).toFixed(0)} MiB at most`,
  );
  console.log(
    `  the hostile got    ${[...answers].map(([status, count]) => `${count} x ${status}`).join(", ")}`,
  );
}
