import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanInput } from "../../../src/tools/scheduler/contract.ts";
import { runs } from "../../support/runs.ts";
import { expectFeasible, planned, type Request, tasks } from "./project.ts";

const TWO_AT_ONCE = tasks("fetch 2", "lint 4", "build 6 < fetch", "test 5 < build", "pack 3 < build lint");

/** Random projects, whose tasks may depend on earlier ones and take two resources. */
const projects: fc.Arbitrary<Request> = fc
  .record({
    seed: fc.nat(1000),
    workers: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    tasks: fc.array(
      fc.record({
        durationMs: fc.integer({ min: 0, max: 9 }),
        waitsFor: fc.uniqueArray(fc.nat(11), { maxLength: 2 }),
        resources: fc.record({ cpu: fc.integer({ min: 0, max: 4 }), disk: fc.integer({ min: 0, max: 2 }) }),
        earliestStartMs: fc.constantFrom(0, 0, 0, 5),
        priority: fc.integer({ min: -1, max: 2 }),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(({ seed, workers, tasks }) => ({
    seed,
    ...(workers !== undefined && { workers }),
    iterations: 60,
    capacity: { cpu: 4, disk: 2 },
    tasks: tasks.map(({ waitsFor, ...task }, index) => ({
      id: `t${index}`,
      dependsOn: waitsFor.filter((other) => other < index).map((other) => `t${other}`),
      ...task,
    })),
  }));

/** Finds the shortest makespan by trying every order, with each task at the first instant that overdraws nothing. */
function shortest({ tasks, capacity }: PlanInput): number {
  const placed = new Map<string, { start: number; task: PlanInput["tasks"][number] }>();
  const endOf = (id: string) => placed.get(id)!.start + placed.get(id)!.task.durationMs;
  const after = (length: number): number => {
    const rest = tasks.filter(
      ({ id, dependsOn }) => !placed.has(id) && dependsOn.every((each) => placed.has(each)),
    );
    if (rest.length === 0) return length;
    return Math.min(
      ...rest.map((task) => {
        let start = Math.max(task.earliestStartMs, ...task.dependsOn.map(endOf));
        while (!fits(task, start)) start++;
        placed.set(task.id, { start, task });
        const found = after(Math.max(length, start + task.durationMs));
        placed.delete(task.id);
        return found;
      }),
    );
  };
  return after(0);

  function fits({ durationMs, resources }: PlanInput["tasks"][number], start: number): boolean {
    return Array.from({ length: durationMs }, (_, passed) => start + passed).every((instant) => {
      const running = [...placed.values()].filter(
        (each) => each.start <= instant && instant < endOf(each.task.id),
      );
      return Object.entries(capacity).every(
        ([name, units]) =>
          running.reduce((sum, { task }) => sum + task.resources[name]!, resources[name]!) <= units,
      );
    });
  }
}

describe("a plan", () => {
  it("is never shorter than its lower bound, and breaks no dependency, capacity or release", () => {
    fc.assert(
      fc.property(projects, (request) => {
        const { input, found } = planned(request);
        expectFeasible(input, found);
        expect(found.makespanMs).toBe(Math.max(...found.schedule.map(({ endMs }) => endMs)));
        expect(found.lowerBoundMs).toBeLessThanOrEqual(found.makespanMs);
      }),
      { numRuns: runs(50) },
    );
  });

  it("is feasible with deadlines that fall between the steps of durations and starts", () => {
    for (let deadlineMs = 1; deadlineMs < 30; deadlineMs++) {
      const { input, found } = planned({
        workers: 2,
        capacity: { cpu: 4, disk: 2 },
        tasks: [
          { id: "a", durationMs: 8, resources: { cpu: 3, disk: 2 }, deadlineMs, startMs: 10 },
          { id: "b", durationMs: 2, resources: { cpu: 3, disk: 1 }, deadlineMs: 15 },
          { id: "c", durationMs: 4, resources: { cpu: 3, disk: 2 }, dependsOn: ["a"] },
        ],
      });
      expectFeasible(input, found);
      expect(found.makespanMs).toBe(22);
    }
  });

  it("is the same for the same tasks, seed and iterations", () => {
    fc.assert(
      fc.property(projects, (request) => {
        expect(planned(request).found).toEqual(planned(request).found);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    { count: 30, budgetsMs: [5, 8, 11, 40] },
    // Of so many tasks, a schedule of another method counts as six.
    { count: 6000, budgetsMs: [12, 13] },
  ])("of $count tasks that is limited by time is reproduced by its iterations", ({ count, budgetsMs }) => {
    const request = {
      capacity: { cpu: 10 },
      tasks: Array.from({ length: count }, (_, i) => ({
        id: `${i}`,
        durationMs: 7 + ((i * 31) % 17),
        dependsOn: i < 20 ? [] : [`${i - 1 - ((i * 13) % 20)}`],
        resources: { cpu: (i * 7) % 8 },
      })),
    };
    const reported = budgetsMs.map((timeBudgetMs) => {
      // Every look at this clock takes a millisecond.
      let now = 0;
      const timed = { ...request, iterations: undefined, timeBudgetMs };
      const { found } = planned(timed, { monotonic: () => now++ });
      const again = planned({ ...request, iterations: found.iterations }).found;
      // The difference of large plans takes a minute to print.
      expect(isDeepStrictEqual(again, found), `${timeBudgetMs}`).toBe(true);
      return found.iterations;
    });
    expect(new Set(reported).size).toBe(budgetsMs.length);
  });

  it("gives each task the slack by which it can take longer without delaying the plan", () => {
    fc.assert(
      fc.property(projects, (request) => {
        const { found } = planned({ ...request, workers: undefined, capacity: {} });
        for (const [index, { slackMs }] of found.schedule.entries()) {
          const longer = request.tasks.map((task, at) =>
            at === index ? { ...task, durationMs: task.durationMs + slackMs } : task,
          );
          const { found: after } = planned({ ...request, workers: undefined, capacity: {}, tasks: longer });
          expect(after.makespanMs).toBe(found.makespanMs);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("is as long as the longest chain if nothing is limited", () => {
    const { found } = planned({ tasks: TWO_AT_ONCE });
    expect(found).toMatchObject({
      makespanMs: 13,
      lowerBoundMs: 13,
      gap: 0,
      criticalPath: ["fetch", "build", "test"],
    });
    expect(found.waves).toEqual([["fetch", "lint"], ["build"], ["test", "pack"]]);
    expect(found.schedule.find(({ id }) => id === "pack")).toEqual({
      id: "pack",
      startMs: 8,
      endMs: 11,
      slackMs: 2,
      critical: false,
    });
    expect(found.utilisation).toEqual({ workers: null, resources: {} });
  });

  it("runs one task after another without a pause with one worker", () => {
    const { input, found } = planned({ tasks: TWO_AT_ONCE, workers: 1 });
    expectFeasible(input, found);
    expect(found).toMatchObject({ makespanMs: 20, gap: 0, utilisation: { workers: 1 } });
    expect(found.criticalPath).toHaveLength(5);
  });

  it("finds the optimum that a greedy list misses", () => {
    // Longest first on two workers ends at 7, since the threes take one each.
    const split = planned({ tasks: tasks("a 3", "b 3", "c 2", "d 2", "e 2"), workers: 2 });
    expect(split.found).toMatchObject({ makespanMs: 6, gap: 0 });
  });

  it("meets a deadline before it shortens the plan, and reports missed ones", () => {
    const request = { tasks: tasks("long 9", "short 2", "after 9 < long"), workers: 1 };
    const urgent = request.tasks.map((task) => (task.id === "short" ? { ...task, deadlineMs: 2 } : task));
    expect(planned({ ...request, tasks: urgent }).found).toMatchObject({
      makespanMs: 20,
      missedDeadlines: [],
    });
    const late = request.tasks.map((task) => ({ ...task, deadlineMs: 10 }));
    const { missedDeadlines } = planned({ ...request, tasks: late }).found;
    expect(missedDeadlines).toHaveLength(2);
    expect(missedDeadlines.at(-1)).toEqual({ id: "after", deadlineMs: 10, endMs: 20 });
  });

  it("waits for a release, and puts the higher priority first if that costs nothing", () => {
    const request: Request = {
      workers: 1,
      tasks: [
        { id: "a", durationMs: 3 },
        { id: "b", durationMs: 3, priority: 5 },
        { id: "c", durationMs: 3, earliestStartMs: 4 },
      ],
    };
    const { input, found } = planned(request);
    expectFeasible(input, found);
    expect(found.order).toEqual(["b", "a", "c"]);
    expect(found.makespanMs).toBe(9);
  });

  it("puts the higher priority first, however far apart priorities are", () => {
    const tasks = [
      { id: "a", durationMs: 3, priority: -Number.MAX_VALUE },
      { id: "b", durationMs: 3, priority: -Number.MAX_VALUE },
      { id: "c", durationMs: 3, priority: Number.MAX_VALUE },
    ];
    expect(planned({ workers: 1, tasks }).found.order[0]).toBe("c");
  });

  it("gives milestones no worker and no time", () => {
    const { input, found } = planned({ tasks: tasks("a 3", "done 0 < a", "b 3 < done", "c 3"), workers: 1 });
    expectFeasible(input, found);
    expect(found.makespanMs).toBe(9);
    expect(found.schedule[1]).not.toHaveProperty("worker");
  });

  it("is the shortest of all plans for projects small enough to enumerate", () => {
    const small = projects.map(({ tasks, ...request }) => ({
      ...request,
      iterations: 3000,
      workers: undefined,
      tasks: tasks.slice(0, 6),
    }));
    fc.assert(
      fc.property(small, (request) => {
        const { input, found } = planned(request);
        expect(found.makespanMs).toBe(shortest(input));
      }),
      { numRuns: runs(30) },
    );
  });

  it("is empty if there are no tasks", () => {
    expect(planned({ tasks: [] }).found).toMatchObject({
      schedule: [],
      makespanMs: 0,
      lowerBoundMs: 0,
      gap: 0,
    });
  });

  it("is exact for very small and very large durations", () => {
    const { input, found } = planned({
      workers: 2,
      tasks: [1, 99_999_999_999, 100_000_000_000, 3].map((durationMs, index) => ({
        id: `${index}`,
        durationMs,
      })),
    });
    expectFeasible(input, found);
    expect(found.makespanMs).toBe(100_000_000_002);
  });
});
