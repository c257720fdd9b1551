import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../support/runs.ts";
import { expectFeasible, planned, type Request } from "./project.ts";

/** Fisher and Thompson's 6 × 6 (1963), optimum 55: a job a line, as pairs of machine and duration. */
const SIX_BY_SIX = `2 1 0 3 1 6 3 7 5 3 4 6
1 8 2 5 4 10 5 10 0 10 3 4
2 5 3 4 5 8 0 9 1 1 4 7
1 5 0 5 2 5 3 3 4 8 5 9
2 9 1 3 4 5 5 4 0 3 3 1
1 3 3 3 5 9 0 10 4 4 2 1`;

function jobShop(text: string): Request {
  const jobs = text.split("\n").map((line) => line.split(" ").map(Number));
  return {
    capacity: Object.fromEntries(
      jobs.flatMap((job) => job.filter((_, at) => at % 2 === 0)).map((m) => [`m${m}`, 1]),
    ),
    tasks: jobs.flatMap((job, line) =>
      Array.from({ length: job.length / 2 }, (_, step) => ({
        id: `${line}/${step}`,
        durationMs: job[2 * step + 1] as number,
        dependsOn: step > 0 ? [`${line}/${step - 1}`] : [],
        resources: { [`m${job[2 * step]}`]: 1 },
      })),
    ),
  };
}

describe("a job shop", () => {
  it("is solved to its known optimum", () => {
    const { input, found } = planned({ ...jobShop(SIX_BY_SIX), iterations: 20_000 });
    expectFeasible(input, found);
    expect(found.makespanMs).toBe(55);
  });

  it("is never planned against its machines, dependencies or releases", () => {
    const task = fc.record({
      machine: fc.integer({ min: -1, max: 2 }),
      durationMs: fc.integer({ min: 0, max: 9 }),
      earliestStartMs: fc.constantFrom(0, 0, 0, 0, 7),
      waitsFor: fc.uniqueArray(fc.nat(13), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(task, { minLength: 1, maxLength: 14 }), fc.nat(99), (all, seed) => {
        const { input, found } = planned({
          seed,
          iterations: 400,
          capacity: { m0: 1, m1: 3, m2: 1 },
          tasks: all.map(({ machine, waitsFor, ...more }, index) => ({
            id: `${index}`,
            ...more,
            dependsOn: waitsFor.filter((other) => other < index).map(String),
            // Two of three units are as exclusive as one of one.
            resources: machine < 0 ? {} : { [`m${machine}`]: machine === 1 ? 2 : 1 },
          })),
        });
        expectFeasible(input, found);
        expect(found.lowerBoundMs).toBeLessThanOrEqual(found.makespanMs);
      }),
      { numRuns: runs(50) },
    );
  });

  it("with a release runs another task in front of the one that waits for it", () => {
    const { found } = planned({
      capacity: { machine: 1 },
      tasks: [
        { id: "late", durationMs: 5, earliestStartMs: 10, resources: { machine: 1 } },
        { id: "early", durationMs: 5, resources: { machine: 1 } },
      ],
    });
    expect(found.makespanMs).toBe(15);
  });
});
