import { readFileSync } from "node:fs";
import { systemClock } from "../../src/system/clock.ts";
import { type PlanInput, schedulerContract } from "../../src/tools/scheduler/contract.ts";
import { plan } from "../../src/tools/scheduler/plan.ts";
import { dataFile, readRows } from "../data/rows.ts";
import { type JobShop, jobShops } from "./scheduler/job-shops.ts";

const DATA = "06-scheduler";
/** Files with a line of JSON for each `Instance`. Those of 300 activities get ten times the time. */
const SETS = ["patterson", "psplib_j30", "psplib_j60", "psplib_j120_sample", "jobshop", "rg300"];
/** Milliseconds for each instance, and the stride: `npm run bench -- scheduler 100 10` plans every tenth for 100 ms. */
const [TIME = 1000, EVERY = 1] = process.argv.slice(3).map(Number);

/** Measures how far the plans are from the best known ones, and how long large projects take. */
export async function run(): Promise<void> {
  for (const name of SETS) {
    const instances = readRows<Instance>(DATA, name);
    if (instances) quality(name, instances, baselinesOf(name), name === "rg300" ? 10 * TIME : TIME);
  }
  quality("Taillard's job shops", jobShops().map(shopInstance), {}, TIME);
  for (const count of [1000, 10_000]) speed(count);
}

interface Baseline {
  mean_gap_to_best_known_pct: number;
}
type Baselines = Record<string, Baseline | number>;

interface Instance {
  id: string;
  upper: number;
  duration: number[];
  successors: number[][];
  demand?: number[][];
  capacity?: number[];
  machine?: number[];
}

function quality(
  name: string,
  instances: readonly Instance[],
  baselines: Baselines,
  timeBudgetMs: number,
): void {
  const gaps: number[] = [];
  let proven = 0;
  let iterations = 0;
  for (const instance of instances.filter((_, index) => index % EVERY === 0)) {
    const input = inputOf(instance);
    const found = plan({ ...input, timeBudgetMs });
    requireFeasible(input, found);
    gaps.push(found.makespanMs / instance.upper - 1);
    if (found.gap === 0) proven++;
    iterations += found.iterations;
  }
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const best = gaps.filter((gap) => gap <= 0).length;
  console.log(
    `${name}, ${gaps.length} of ${instances.length} instances, ${timeBudgetMs} ms each: mean gap ${percent(mean)}, worst ${percent(Math.max(...gaps))}, ` +
      `best known reached ${best}, at the lower bound ${proven}, ${Math.round(iterations / gaps.length)} schedules each`,
  );
  for (const [method, baseline] of Object.entries(baselines)) {
    if (typeof baseline === "object") {
      console.log(`  to beat: ${baseline.mean_gap_to_best_known_pct} % (${method})`);
    }
  }
}

function shopInstance({ id, best, machines, durations }: JobShop): Instance {
  const steps = machines[0]?.length ?? 0;
  return {
    id,
    upper: best,
    duration: durations.flat(),
    machine: machines.flat(),
    successors: durations.flat().map((_, task) => ((task + 1) % steps === 0 ? [] : [task + 1])),
  };
}

function inputOf({ duration, successors, demand, capacity, machine }: Instance): PlanInput {
  const before: string[][] = duration.map(() => []);
  for (const [task, after] of successors.entries()) for (const each of after) before[each]?.push(`t${task}`);
  const machines = machine ? new Set(machine) : [];
  return schedulerContract.plan.input.parse({
    tasks: duration.map((durationMs, task) => ({
      id: `t${task}`,
      durationMs,
      dependsOn: before[task],
      resources: Object.fromEntries(
        machine
          ? durationMs > 0 && (machine[task] as number) >= 0
            ? [[`r${machine[task]}`, 1]]
            : []
          : (demand?.[task] ?? []).map((units, resource) => [`r${resource}`, units]),
      ),
    })),
    capacity: Object.fromEntries(
      capacity && !machine
        ? capacity.map((units, resource) => [`r${resource}`, units])
        : Array.from(machines, (each) => [`r${each}`, 1]),
    ),
  });
}

/** Throws unless a plan is feasible by definition: it has every task, overdraws no resource at any start, breaks no dependency. */
function requireFeasible({ tasks, capacity }: PlanInput, { schedule }: ReturnType<typeof plan>): void {
  if (schedule.length !== tasks.length) throw new Error(`it has ${schedule.length} of ${tasks.length} tasks`);
  const slots = new Map(schedule.map((slot) => [slot.id, slot]));
  for (const [index, { id, startMs, endMs }] of schedule.entries()) {
    const task = tasks[index];
    if (!task || task.id !== id || endMs - startMs !== task.durationMs)
      throw new Error(`${id} is not itself`);
    for (const other of task.dependsOn) {
      if ((slots.get(other)?.endMs ?? Number.NaN) > startMs)
        throw new Error(`${id} starts before ${other} ends`);
    }
    for (const [name, units] of Object.entries(capacity)) {
      const taken = tasks.reduce((sum, { resources }, at) => {
        const slot = schedule[at];
        const runs = slot && slot.startMs <= startMs && startMs < slot.endMs;
        return runs ? sum + (resources[name] ?? 0) : sum;
      }, 0);
      if (taken > units) throw new Error(`${name} is overdrawn at ${startMs}`);
    }
  }
}

/** Times three shapes of projects: layers under few workers, independent tasks with two resources, and one chain. */
function speed(count: number): void {
  const task = (index: number, more: object) => ({
    id: `t${index}`,
    durationMs: 1000 + (index % 97) * 1000,
    ...more,
  });
  const shapes = {
    "in layers, 16 workers": {
      workers: 16,
      tasks: Array.from({ length: count }, (_, index) =>
        task(index, {
          dependsOn: index < 100 ? [] : [1, 7, 31].map((step) => `t${index - 50 - ((index * step) % 50)}`),
        }),
      ),
    },
    "free, two resources": {
      capacity: { cpu: 32, memory: 128 },
      tasks: Array.from({ length: count }, (_, index) =>
        task(index, { resources: { cpu: 1 + (index % 7), memory: 1 + ((index * 13) % 41) } }),
      ),
    },
    "in one chain": {
      workers: 4,
      tasks: Array.from({ length: count }, (_, index) =>
        task(index, { dependsOn: index === 0 ? [] : [`t${index - 1}`] }),
      ),
    },
  };
  for (const [shape, project] of Object.entries(shapes)) {
    const input = schedulerContract.plan.input.parse(project);
    const begin = systemClock.monotonic();
    const found = plan(input);
    const seconds = (systemClock.monotonic() - begin) / 1000;
    console.log(
      `${count} tasks ${shape}: ${seconds.toFixed(2)} s (to beat: 2), gap to the lower bound ${percent(found.gap)}, ${found.iterations} schedules`,
    );
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)} %`;
}

function baselinesOf(name: string): Baselines {
  const all: Record<string, Baselines> = JSON.parse(readFileSync(dataFile(DATA, "baselines.json"), "utf8"));
  return all[name] ?? {};
}
