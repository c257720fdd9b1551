import { expect } from "vitest";
import type { z } from "zod";
import { type PlanInput, schedulerContract } from "../../../src/tools/scheduler/contract.ts";
import { plan } from "../../../src/tools/scheduler/plan.ts";

export type Request = z.input<typeof schedulerContract.plan.input>;
export type Plan = ReturnType<typeof plan>;

/** A stopped clock, so that plans do not depend on time. */
const still = { monotonic: () => 0 };

export function planned(
  request: Request,
  clock: Parameters<typeof plan>[1] = still,
): { input: PlanInput; found: Plan } {
  const input = schedulerContract.plan.input.parse({ iterations: 200, ...request });
  const found = plan(input, clock);
  schedulerContract.plan.output.parse(found);
  return { input, found };
}

/** Parses tasks: in `a 5 < b c`, a takes 5 ms and depends on b and c. */
export function tasks(...lines: string[]): Request["tasks"] {
  return lines.map((line) => {
    const [id = "", duration, , ...dependsOn] = line.split(" ");
    return { id, durationMs: Number(duration), dependsOn };
  });
}

/** Asserts that a plan is feasible by definition, instant by instant. */
export function expectFeasible({ tasks, capacity, workers }: PlanInput, { schedule, order }: Plan): void {
  const slots = new Map(schedule.map((slot) => [slot.id, slot]));
  expect(schedule.map(({ id }) => id)).toEqual(tasks.map(({ id }) => id));
  expect([...order].sort()).toEqual(tasks.map(({ id }) => id).sort());
  const places = new Map(order.map((id, place) => [id, place]));
  const broken = tasks.filter(({ id, durationMs, dependsOn, earliestStartMs }) => {
    const { startMs, endMs } = slots.get(id)!;
    if (endMs - startMs !== durationMs || startMs < earliestStartMs) return true;
    return dependsOn.some(
      (other) => slots.get(other)!.endMs > startMs || places.get(other)! >= places.get(id)!,
    );
  });
  expect(broken).toEqual([]);
  for (const { startMs: instant } of schedule) {
    const running = tasks.filter(({ id }) => {
      const { startMs, endMs } = slots.get(id)!;
      return startMs <= instant && instant < endMs;
    });
    for (const [name, units] of Object.entries(capacity)) {
      const taken = running.reduce((sum, { resources }) => sum + (resources[name] ?? 0), 0);
      expect(taken).toBeLessThanOrEqual(units);
    }
    if (workers === undefined) continue;
    const busy = running.map(({ id }) => slots.get(id)!.worker!);
    expect(new Set(busy).size).toBe(busy.length);
    for (const worker of busy) expect(worker).toBeLessThanOrEqual(workers);
  }
}
