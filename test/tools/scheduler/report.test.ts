import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { topologicalOrder } from "../../../src/tools/scheduler/topological-order.ts";
import { runs } from "../../support/runs.ts";
import { type Plan, planned, type Request } from "./project.ts";

const projects = fc
  .record({
    workers: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    tasks: fc.array(
      fc.record({
        durationMs: fc.integer({ min: 0, max: 9 }),
        waitsFor: fc.uniqueArray(fc.nat(11), { maxLength: 2 }),
        resources: fc.record({ cpu: fc.integer({ min: 0, max: 4 }), disk: fc.integer({ min: 0, max: 2 }) }),
      }),
      { minLength: 1, maxLength: 10 },
    ),
  })
  .map(
    ({ workers, tasks }): Request => ({
      ...(workers !== undefined && { workers }),
      iterations: 20,
      capacity: { cpu: 4, disk: 2 },
      tasks: tasks.map(({ waitsFor, ...task }, index) => ({
        id: `t${index}`,
        dependsOn: waitsFor.filter((other) => other < index).map((other) => `t${other}`),
        ...task,
      })),
    }),
  );

const slotsOf = ({ schedule }: Plan) => new Map(schedule.map((slot) => [slot.id, slot]));

describe("the report of a plan", () => {
  it("agrees with the schedule in order, waves, utilisation, gap and slack", () => {
    fc.assert(
      fc.property(projects, (request) => {
        const { input, found } = planned(request);
        const slots = slotsOf(found);
        const slotOf = (id: string) => slots.get(id) as Plan["schedule"][number];
        const starts = found.order.map((id) => slotOf(id).startMs);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));

        const depths = new Map<string, number>();
        for (const { id, dependsOn } of input.tasks)
          depths.set(id, Math.max(-1, ...dependsOn.map((other) => depths.get(other) as number)) + 1);
        const deepest = Math.max(...depths.values());
        const waves = Array.from({ length: deepest + 1 }, (_, depth) =>
          [...depths].filter(([, each]) => each === depth).map(([id]) => id),
        );
        expect(found.waves.map((wave) => wave.toSorted())).toEqual(waves.map((wave) => wave.sort()));

        const length = found.makespanMs;
        const use = (unitsOf: (task: (typeof input.tasks)[number]) => number, units: number) =>
          length === 0
            ? 0
            : input.tasks.reduce((sum, task) => sum + task.durationMs * unitsOf(task), 0) / (units * length);
        const { workers, resources } = found.utilisation;
        if (input.workers === undefined) expect(workers).toBeNull();
        else
          expect(workers).toBeCloseTo(
            use(() => 1, input.workers),
            9,
          );
        expect(resources.cpu).toBeCloseTo(
          use(({ resources }) => resources.cpu as number, 4),
          9,
        );
        expect(resources.disk).toBeCloseTo(
          use(({ resources }) => resources.disk as number, 2),
          9,
        );
        expect(found.gap).toBeCloseTo(length === 0 ? 0 : length / found.lowerBoundMs - 1, 9);

        for (const { slackMs, critical } of found.schedule) expect(critical).toBe(slackMs === 0);
      }),
      { numRuns: runs(60) },
    );
  });

  it("has a critical path on which each task waited for the one before it", () => {
    fc.assert(
      fc.property(projects, (request) => {
        const { input, found } = planned(request);
        const slots = slotsOf(found);
        const path = found.criticalPath.map((id) => slots.get(id) as Plan["schedule"][number]);
        expect(path.at(-1)?.endMs).toBe(found.makespanMs);
        const sent = (id: string) =>
          input.tasks.find((task) => task.id === id) as (typeof input.tasks)[number];
        const waitedFor = (id: string, other: string) => {
          const [one, two] = [sent(id), sent(other)];
          if (one.dependsOn.includes(other)) return true;
          const works = one.durationMs > 0 && two.durationMs > 0;
          const shares = ["cpu", "disk"].some((name) => one.resources[name]! > 0 && two.resources[name]! > 0);
          return works && (input.workers !== undefined || shares);
        };
        for (const [at, slot] of path.entries()) {
          const before = path[at - 1];
          if (before) {
            expect(before.endMs).toBe(slot.startMs);
            expect(waitedFor(slot.id, before.id)).toBe(true);
          }
        }
        // The path starts with a task that waited for no dependency.
        const [first] = path as [Plan["schedule"][number]];
        const dependedOn = sent(first.id).dependsOn.map((id) => slots.get(id) as typeof first);
        expect(dependedOn.filter(({ endMs }) => endMs === first.startMs)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  it("gives each task the lowest free worker", () => {
    fc.assert(
      fc.property(projects, (request) => {
        const { input, found } = planned({ ...request, workers: 3 });
        const slots = slotsOf(found);
        const busyUntil: number[] = [];
        for (const id of found.order) {
          const { startMs, endMs, worker } = slots.get(id) as Plan["schedule"][number];
          if (startMs === endMs) {
            expect(worker).toBeUndefined();
            continue;
          }
          let lowest = 1;
          while ((busyUntil[lowest] ?? 0) > startMs) lowest++;
          expect(worker).toBe(lowest);
          busyUntil[lowest] = endMs;
        }
        expect(busyUntil.length).toBeLessThanOrEqual((input.workers as number) + 1);
      }),
      { numRuns: runs(30) },
    );
  });
});

it("topologicalOrder() puts each task behind its dependencies, or returns a cycle", () => {
  const graphs = fc
    .integer({ min: 1, max: 8 })
    .chain((size) =>
      fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 2 }), { minLength: size, maxLength: size }),
    );
  fc.assert(
    fc.property(graphs, (dependencies) => {
      const { order, cycle } = topologicalOrder(dependencies);
      for (const [place, index] of order.entries())
        for (const before of dependencies[index] ?? []) expect(order.indexOf(before)).toBeLessThan(place);
      expect(new Set(order).size).toBe(order.length);
      expect(order.length === dependencies.length).toBe(cycle === undefined);
      for (const [at, index] of cycle?.entries() ?? []) {
        const next = cycle?.[(at + 1) % cycle.length] as number;
        expect(dependencies[index]).toContain(next);
      }
      expect(new Set(cycle).size).toBe(cycle?.length ?? 0);
    }),
    { numRuns: runs(200) },
  );
  expect(topologicalOrder([[], [], [3], []]).order).toEqual([0, 1, 3, 2]);
});
