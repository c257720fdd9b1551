import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "../../src/contract/caller.ts";
import { openStore } from "../../src/store/open.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { createRandom } from "../../src/system/random.ts";
import { bucketOf } from "../../src/tools/learning/buckets.ts";
import { Cohort } from "../../src/tools/learning/cohort.ts";
import { learningCollections } from "../../src/tools/learning/documents.ts";
import { changeParticipation } from "../../src/tools/learning/participation.ts";
import { createLearning } from "../../src/tools/learning/service.ts";
import { printTimes } from "../data/times.ts";

const PROJECTS = 100_000;
/** An account contributes at most 100 projects. */
const ACCOUNTS = PROJECTS / 100;
const AT_ONCE = 1000;
const QUANTILES = [0.5, 0.9] as const;

/** Measures the error of reported quantiles, and the time of measurements and reads with 100,000 projects. */
export async function run(): Promise<void> {
  accuracy();
  await speed();
}

function accuracy(): void {
  const random = generator(42);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const distributions: Record<string, () => number> = {
    "log-normal, sigma 1": () => 200 * Math.exp(normal()),
    "log-normal, sigma 2.5": () => 200 * Math.exp(2.5 * normal()),
    uniform: () => 1 + 999 * random(),
    "Pareto, alpha 1": () => 10 / (1 - random()),
    "two heaps": () => (random() < 0.55 ? 20 + normal() : 900 + 30 * normal()),
    "pass rates": () => 1 - 0.1 * random() ** 3,
  };
  for (const [name, draw] of Object.entries(distributions)) {
    const worst = [5, 10, 20, 50, 100, 1000, 100_000].map((projects) => {
      let error = 0;
      for (let round = 0; round < (projects > 1000 ? 3 : 100); round++) {
        const values = Array.from({ length: projects }, draw).sort((left, right) => left - right);
        const cohort = cohortOf(values);
        for (const share of QUANTILES) {
          error = Math.max(error, Math.abs(cohort.quantile(share) / exact(values, share) - 1));
        }
      }
      return `${projects}: ${(100 * error).toFixed(2)} %`;
    });
    console.log(
      `${name}: worst error of p50 and p90 by projects: ${worst.join(", ")} (from 20 on, to beat: 1 %)`,
    );
  }
}

function cohortOf(values: readonly number[]): Cohort {
  const buckets: Record<string, number> = {};
  for (const value of values) buckets[bucketOf(value)] = (buckets[bucketOf(value)] ?? 0) + 1;
  return new Cohort({ projects: values.length, accounts: values.length, largest: 1, buckets });
}

function exact(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const lower = sorted[below] as number;
  return lower + (position - below) * ((sorted[Math.min(below + 1, sorted.length - 1)] as number) - lower);
}

/** Times the service without HTTP, on the JSON file store, with 1,000 accounts and eight languages. */
async function speed(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "toolplane-bench-"));
  const clock = systemClock;
  const store = await openStore(directory, {
    collections: learningCollections,
    clock,
    log: createLog("error"),
  });
  const random = createRandom(clock);
  const learning = createLearning({ store, clock, random, namesOf: async () => [] });
  const chance = generator(7);
  const callerOf = (index: number) =>
    ({ accountId: `acc_${index % ACCOUNTS}`, projectId: `project-${index}` }) as Caller;
  const optIn = (index: number, takesPart: boolean) =>
    store.transact((tx) =>
      changeParticipation(tx, callerOf(index), { takesPart, now: clock.now(), chance: random.bytes(32) }),
    );
  const measure = (index: number) =>
    learning.benchmark(
      {
        type: "build_duration",
        value: 200 * Math.exp(2 * chance()),
        unit: "s",
        context: { language: `language-${index % 8}` },
      },
      callerOf(index),
    );
  try {
    await optIn(0, true);
    const started = clock.monotonic();
    for (let index = 0; index < PROJECTS; index += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, offset) => {
          await optIn(index + offset, true);
          await measure(index + offset);
        }),
      );
    }
    const seconds = (clock.monotonic() - started) / 1000;
    console.log(`${PROJECTS} projects opted in and measured, ${AT_ONCE} at once: ${seconds.toFixed(1)} s`);
    const any = () => Math.floor(chance() * PROJECTS);
    await printTimes("a measurement", () => measure(any()));
    await printTimes("insights of a type", () =>
      learning.insights({ type: "build_duration" }, callerOf(any())),
    );
    await printTimes("an opt-out", () => optIn(any(), false));
  } finally {
    await store.close();
    rmSync(directory, { recursive: true });
  }
}

/** Returns a seeded Mulberry32 generator. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
