import { describe, expect, it } from "vitest";
import { planned, tasks } from "../project.ts";

const either: Record<string, number>[] = [{ ada: 1 }, { bob: 1 }];

describe("the lower bound", () => {
  it("is the longest chain, releases included", () => {
    const { found } = planned({
      tasks: [
        { id: "a", durationMs: 2, earliestStartMs: 7 },
        { id: "b", durationMs: 3, dependsOn: ["a"] },
      ],
    });
    expect(found.lowerBoundMs).toBe(12);
  });

  it("is the work that a resource must do between the heads and tails of its tasks", () => {
    const { found } = planned({
      capacity: { gpu: 1 },
      tasks: [
        { id: "load", durationMs: 4 },
        ...["x", "y", "z"].map((id) => ({ id, durationMs: 5, dependsOn: ["load"], resources: { gpu: 1 } })),
        { id: "save", durationMs: 2, dependsOn: ["x", "y", "z"] },
      ],
    });
    expect(found).toMatchObject({ lowerBoundMs: 21, makespanMs: 21, gap: 0 });
  });

  it("rounds up to what durations can add up to", () => {
    const { found } = planned({ tasks: tasks("a 10", "b 10", "c 10"), workers: 2 });
    expect(found).toMatchObject({ lowerBoundMs: 20, makespanMs: 20, gap: 0 });
  });

  it("is the work that alternatives share out between resources", () => {
    const { found } = planned({
      capacity: { ada: 1, bob: 1, gpu: 8 },
      tasks: [
        ...Array.from({ length: 6 }, (_, at) => ({
          id: `t${at}`,
          durationMs: 5,
          resources: { gpu: 3 },
          anyOf: either,
        })),
        { id: "own", durationMs: 4, resources: { ada: 1 } },
      ],
    });
    // 30 by either and 4 by ada alone are 17 for each.
    expect(found.lowerBoundMs).toBe(17);
  });

  it("takes the least of what alternatives take together, and nothing of a resource without a limit", () => {
    const task = (id: string, anyOf: Record<string, number>[]) => ({ id, durationMs: 6, anyOf });
    const two: Record<string, number>[] = [{ big: 1 }, { small: 2 }];
    const other: Record<string, number>[] = [{ big: 1 }, { cloud: 1 }];
    const { found } = planned({
      capacity: { big: 1, small: 2 },
      tasks: [task("a", two), task("b", two), task("c", two), task("d", other)],
    });
    expect(found).toMatchObject({ lowerBoundMs: 6, makespanMs: 12 });
  });

  it("shares out work in the hours that each resource has", () => {
    const HOUR = 3_600_000;
    const { found } = planned({
      calendar: {
        start: "2026-11-23T09:00",
        hours: ["mon-fri 09:00-17:00"],
        resources: { bob: { hours: ["mon 09:00-13:00", "tue 09:00-13:00"] } },
      },
      capacity: { ada: 1, bob: 1 },
      tasks: Array.from({ length: 24 }, (_, at) => ({
        id: `t${at}`,
        durationMs: HOUR,
        anyOf: either,
      })),
    });
    // Twelve on Monday and twelve on Tuesday, until 17:00.
    expect(found).toMatchObject({ lowerBoundMs: 32 * HOUR, makespanMs: 32 * HOUR, gap: 0, iterations: 3 });
  });

  it("is never above the length of a plan with alternatives", () => {
    const uneven: Record<string, number>[][] = [
      [{ ada: 1 }, { bob: 2 }],
      [{ bob: 1 }, { ada: 1, bob: 1 }, { ada: 1 }],
    ];
    const { found } = planned({
      calendar: { start: "2026-11-27T15:00", resources: { bob: { hours: ["sat 09:00-10:00"] } } },
      capacity: { ada: 1, bob: 2 },
      tasks: Array.from({ length: 30 }, (_, at) => ({
        id: `t${at}`,
        durationMs: 1_000_003 * (1 + (at % 5)),
        earliestStartMs: 777 * at,
        anyOf: uneven[at % 2]!,
      })),
    });
    expect(found.lowerBoundMs).toBeLessThanOrEqual(found.makespanMs);
    expect(found.gap).toBeLessThan(0.5);
  });
});
