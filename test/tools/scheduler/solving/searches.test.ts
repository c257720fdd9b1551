import { describe, expect, it } from "vitest";
import { createGenerator } from "../../../../src/tools/scheduler/solving/generator.ts";
import { expectFeasible, planned, type Request } from "../project.ts";
import { classicJobShops, cutProject, type KnownOptimum } from "./known-optima.ts";

/** Returns a project of tasks that depend on up to two of the twenty before them, and share three resources. */
function project(size: number, seed: number): Request {
  const random = createGenerator(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const capacity = { a: 10, b: 10, c: 10 };
  const tasks = Array.from({ length: size }, (_, index) => ({
    id: `t${index}`,
    durationMs: 1 + upTo(10),
    dependsOn: [
      ...new Set([0, 1].filter(() => index > 0).map(() => `t${Math.max(0, index - 1 - upTo(20))}`)),
    ],
    resources: { a: upTo(8), b: upTo(8), c: upTo(8) },
  }));
  return { tasks, capacity };
}

/** Plans of up to 500 tasks are evolved as a population. For more tasks, one plan is changed repeatedly. */
describe.each([
  { size: 60, few: 3, many: 600 },
  { size: 520, few: 3, many: 240 },
])("a search for a plan of $size tasks", ({ size, few, many }) => {
  it("finds shorter feasible plans with more iterations", () => {
    const gained = [1, 2, 3].map((seed) => {
      const request = project(size, seed);
      const [first, better, best] = [few, many / 4, many].map((iterations) => {
        const { input, found } = planned({ ...request, iterations, seed });
        expectFeasible(input, found);
        return found;
      });
      expect(better?.makespanMs).toBeLessThanOrEqual(first?.makespanMs as number);
      expect(best?.makespanMs).toBeLessThanOrEqual(better?.makespanMs as number);
      expect(best?.iterations).toBeLessThanOrEqual(many);
      return (first?.makespanMs ?? 0) - (best?.makespanMs ?? 0);
    });
    expect(gained.filter((ms) => ms > 0)).toHaveLength(3);
  });

  it("finds another plan with another seed", () => {
    const request = project(size, 4);
    const schedules = [1, 2].map((seed) => planned({ ...request, iterations: many, seed }).found.schedule);
    expect(schedules[0]).not.toEqual(schedules[1]);
  });
});

/** The optima are known without a search. The bounds leave a tenth of leeway. */
it.each([
  { kind: "five job shops", cases: classicJobShops().slice(0, 5), iterations: 40_000, most: 0.009 },
  { kind: "five projects of 60 tasks", cases: cutProjects(60, 5), iterations: 9000, most: 0.0075 },
  { kind: "three projects of 520 tasks", cases: cutProjects(520, 3), iterations: 1500, most: 0.0075 },
])("planning comes within $most of the shortest plans of $kind on average", ({ cases, iterations, most }) => {
  const gaps = cases.map(({ request, optimumMs }) => {
    const { input, found } = planned({ ...request, iterations, seed: 1 });
    expectFeasible(input, found);
    expect(found.lowerBoundMs).toBeLessThanOrEqual(optimumMs);
    return found.makespanMs / optimumMs - 1;
  });
  expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeLessThanOrEqual(most);
});

function cutProjects(size: number, count: number): KnownOptimum[] {
  return Array.from({ length: count }, (_, index) => cutProject(size, index + 1));
}
