import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { watchedLoop } from "../test/hardness/worst-cases/watch-loop.ts";
import { armed, worstCases } from "../test/hardness/worst-cases/worst-cases.ts";
import { accountOn } from "../test/support/accounts/account.ts";
import { asking } from "../test/support/ask.ts";
import { quantile } from "./data/times.ts";
import type { Seen } from "./servers/honest.ts";
import { OWNER_KEY, startDefault } from "./servers/start.ts";

const MINUTES = Number(process.env.BENCH_MINUTES ?? 10);
const HOSTILE = 10;
const LONG_MS = 30;

/**
 * Lets ten accounts on the free plan send the most expensive requests there are, as fast as the plan allows,
 * and measures what an account on the team plan sees meanwhile, with the limits and bounds of the catalogue.
 */
export async function run(): Promise<void> {
  process.env.WORST_CASES = "full";
  const loop = await watchedLoop();
  const server = await startDefault("Toolplane", loop.env);
  try {
    await soak(server.url, loop);
  } finally {
    server.stop();
  }
}

async function soak(url: string, loop: Awaited<ReturnType<typeof watchedLoop>>): Promise<void> {
  const hostile = [];
  while (hostile.length < HOSTILE) hostile.push(await accountOn(url, "free", OWNER_KEY));
  const { key } = await accountOn(url, "team", OWNER_KEY);
  const endsAt = performance.now() + MINUTES * 60_000;
  const answers = new Map<number | string, number>();
  const inFlight = new Map<number, string>();
  const attacks = hostile.map(async (account, seed) => {
    const ask = asking(url, account.key);
    for (let turn = seed * 7; performance.now() < endsAt; turn++) {
      const worst = worstCases[turn % worstCases.length] as (typeof worstCases)[number];
      const fire = await armed(ask, worst);
      inFlight.set(seed, worst.endpoint.name);
      const statuses: (number | string)[] = await fire().then(
        (all) => all.map(({ status }) => status),
        (error) => [String(error.code ?? error)],
      );
      inFlight.delete(seed);
      for (const status of statuses) answers.set(status, (answers.get(status) ?? 0) + 1);
      if (statuses.includes(429)) await sleep(1000);
    }
  });
  const honest = fork(join(import.meta.dirname, "servers/honest.ts"), [url, key, String(MINUTES)]);
  const seen = once(honest, "message") as Promise<[Seen]>;
  let held = 0;
  let rss = 0;
  while (performance.now() < endsAt) {
    const state = await loop.look();
    if (state.held > LONG_MS) {
      console.log(`held for ${state.held.toFixed(0)} ms while asked ${[...inFlight.values()].join(", ")}`);
    }
    held = Math.max(held, state.held);
    rss = Math.max(rss, state.rss);
    await sleep(100);
  }
  const [{ times, wrong }] = await seen;
  await Promise.all(attacks);
  console.log(`\n${HOSTILE} hostile accounts for ${MINUTES} min, and what an honest one saw`);
  for (const [name, taken] of Object.entries(times)) {
    const at = (share: number) => quantile(taken, share).toFixed(0);
    console.log(
      `  ${name.padEnd(18)} median ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms of ${taken.length}`,
    );
  }
  console.log(`  other than 200     ${wrong.join(", ") || "none"}`);
  console.log(
    `  event loop         held for ${held.toFixed(0)} ms at most; RSS ${(rss / 2 ** 20).toFixed(0)} MiB at most`,
  );
  console.log(
    `  the hostile got    ${[...answers].map(([status, count]) => `${count} x ${status}`).join(", ")}`,
  );
}
