import { describe, expect, it } from "vitest";
import { sizeName } from "../../../src/tools/learning/cell.ts";
import { Cohort } from "../../../src/tools/learning/cohort.ts";
import { openLearning, participants } from "./learning.ts";

describe("a cohort", () => {
  it("is shown from five projects on", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 5);
    for (const project of projects.slice(0, 4)) {
      const answer = await learning.measure(project, 60);
      expect(answer.cohort).toEqual({ status: "insufficient_data" });
      expect(answer).toMatchObject({ percentile: null, betterThan: null });
    }
    const fifth = await learning.measure(projects[4] as string, 300);
    expect(fifth.cohort).toEqual({ status: "ok", projects: 5, p50: 50.12, p90: expect.any(Number) });
    expect((await learning.insight(projects[0] as string)).cohort).toEqual(fifth.cohort);
  });

  it("of five projects of one account is shown to that account", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 5, { account: "acme" });
    for (const project of projects) await learning.measure(project, 60);
    expect((await learning.insight(projects[2] as string)).cohort.status).toBe("ok");
  });

  it("gives the percentiles of the best and the worst project", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 20);
    for (const [index, project] of projects.entries()) await learning.measure(project, 10 * 1.5 ** index);
    const [best, worst] = [
      await learning.insight("acc0/project0"),
      await learning.insight("acc19/project19"),
    ];
    expect(best).toMatchObject({ status: "ok", percentile: 0, betterThan: 100 });
    expect(worst).toMatchObject({ percentile: 100, betterThan: 0 });
    for (const project of projects) {
      await learning.measure(project, {
        type: "test_pass_rate",
        unit: "%",
        value: project === "acc0/project0" ? 99 : 40,
      });
    }
    const high = await learning.insight("acc0/project0", "test_pass_rate");
    expect(high).toMatchObject({ better: "higher", percentile: 100, betterThan: 100 });
  });

  it("never ranks the worst above others, even if all published values are equal", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 5);
    // Among five projects, all of these values are reported as one.
    for (const [index, project] of projects.entries()) await learning.measure(project, 101 + 10 * index);
    const worst = await learning.insight(projects[4] as string);
    expect(worst).toMatchObject({ percentile: 0, betterThan: 0, sameAs: 100 });
    await learning.measure(projects[4] as string, 400);
    const alone = await learning.insight(projects[4] as string);
    expect(alone).toMatchObject({ percentile: 100, betterThan: 0, sameAs: 0 });
    expect(await learning.insight(projects[0] as string)).toMatchObject({ betterThan: expect.any(Number) });
  });

  it("has quantiles within 1 % of the exact ones from twenty projects on", async () => {
    for (const [count, valueAt] of [
      [20, (index: number) => 40 + 7 * index],
      [100, (index: number) => index + 1],
      [250, (index: number) => Math.exp(Math.sin(index * 12.9898) * 2 + 5)],
    ] as const) {
      const learning = await openLearning();
      const projects = await participants(learning, count);
      const values = projects.map((_, index) => valueAt(index));
      for (const [index, project] of projects.entries())
        await learning.measure(project, values[index] as number);
      const { cohort } = await learning.insight("acc0/project0");
      expect(cohort.projects).toBe(count);
      for (const [told, share] of [
        [cohort.p50, 0.5],
        [cohort.p90, 0.9],
      ] as const) {
        expect(Math.abs((told as number) / exact(values, share) - 1)).toBeLessThan(0.01);
      }
    }
  });

  it("converts units of time, and keeps unknown units apart", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 10);
    const given = [
      { value: 60, unit: "s" },
      { value: 1, unit: "min" },
      { value: 60_000, unit: "ms" },
      { value: 1 / 60, unit: "h" },
      { value: 60, unit: "s" },
    ];
    for (const [index, each] of given.entries()) await learning.measure(projects[index] as string, each);
    expect((await learning.insight("acc2/project2")).cohort).toMatchObject({ projects: 5, p50: 50_120 });
    expect((await learning.insight("acc1/project1")).latest?.value).toBe(1);
    const other = await learning.measure(projects[5] as string, { value: 60, unit: "parsecs" });
    expect(other.cohort.status).toBe("insufficient_data");
  });

  it("takes the names of units in words for the same units", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 7);
    const given = [
      { value: 60, unit: "s" },
      { value: 60, unit: "seconds" },
      { value: 1, unit: "Minutes" },
      { value: 60_000, unit: "milliseconds" },
      { value: 60, unit: "sec" },
    ];
    const told = [];
    for (const [index, each] of given.entries())
      told.push(await learning.measure(projects[index] as string, each));
    expect(told.map(({ unit }) => unit)).toEqual(["s", "s", "min", "ms", "s"]);
    expect(told.at(-1)?.cohort).toMatchObject({ status: "ok", projects: 5 });
    const other = await learning.measure(projects[5] as string, { value: 60, unit: "constructor" });
    expect([other.unit, other.cohort.status]).toEqual(["constructor", "insufficient_data"]);
  });

  it("converts between % and share, and keeps both apart from a bare number", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 6);
    const rate = (index: number, value: number, unit?: string) =>
      learning.measure(projects[index] as string, { type: "test_pass_rate", value, unit });
    for (const index of [0, 1, 2]) await rate(index, 50, "%");
    await rate(3, 0.5, "share");
    expect((await rate(4, 0.5)).cohort.status).toBe("insufficient_data");
    const whole = await rate(5, 0.5, "share");
    expect(whole.cohort).toMatchObject({ projects: 5, p50: 0.5012 });
    const inPercent = await learning.insight("acc0/project0", "test_pass_rate");
    expect(inPercent.cohort).toMatchObject({ projects: 5, p50: 50.12 });
    expect([inPercent.sameAs, inPercent.latest?.value]).toEqual([100, 50]);
  });

  it("without a unit excludes measurements that have one", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 6);
    const bare = { type: "quality_score", value: 7, unit: undefined };
    for (const project of projects.slice(0, 5)) {
      expect((await learning.measure(project, bare)).unit).toBeNull();
    }
    expect(await learning.insight("acc0/project0", "quality_score")).toMatchObject({
      unit: null,
      cohort: { status: "ok", projects: 5 },
    });
    const other = await learning.measure(projects[5] as string, { ...bare, unit: "points" });
    expect(other.cohort.status).toBe("insufficient_data");
  });

  it("is the narrowest of language and size that has five projects", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 16);
    const measure = (index: number, context: object) =>
      learning.measure(projects[index] as string, { value: 60 + index, context });
    for (let index = 0; index < 10; index++) {
      await measure(index, { language: index % 2 ? "Rust" : "Go", size: 4000 + index });
    }
    const rust = await learning.insight("acc1/project1");
    expect(rust.cohort).toMatchObject({ projects: 5, language: "rust", size: "1e3-1e4 lines" });
    const lone = await measure(10, { language: "Zig" });
    expect(lone.cohort).toMatchObject({ status: "ok", projects: 10 });
    expect(lone.cohort.language).toBeUndefined();
  });

  it("loses a project at once when that project changes its language", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 5);
    for (const project of projects)
      await learning.measure(project, { value: 60, context: { language: "go" } });
    await learning.measure("acc0/project0", { value: 60, context: { language: "rust" } });
    expect((await learning.insight("acc1/project1")).cohort.status).toBe("insufficient_data");
  });
});

function exact(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const [low, high] = [sorted[below] as number, sorted[Math.ceil(position)] as number];
  return low + (position - below) * (high - low);
}

describe("a share of a cohort in percent", () => {
  /** Returns a cohort whose projects all belong to one account, so that nothing must be hidden. */
  const cohortOf = (projects: number) =>
    new Cohort({ projects, accounts: 1, largest: projects, buckets: { 0: projects } });

  it.each([
    [5, 25],
    [20, 25],
    [24, 25],
    [25, 20],
    [49, 20],
    [50, 10],
    [100, 5],
    [250, 2],
    [499, 2],
    [500, 1],
  ])("of %i projects is rounded to steps of %i", (projects, step) => {
    const cohort = cohortOf(projects);
    const told = new Set(Array.from({ length: 1001 }, (_, index) => cohort.percent(index / 1000)));
    expect([...told].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 / step + 1 }, (_, index) => index * step),
    );
  });

  it("has steps by the number of projects outside the largest account", () => {
    const buckets = { 0: 100 };
    const spread = new Cohort({ projects: 100, accounts: 100, largest: 1, buckets });
    const mostly = new Cohort({ projects: 100, accounts: 21, largest: 80, buckets });
    expect([spread.percent(0.49), mostly.percent(0.49)]).toEqual([50, 50]);
    expect([spread.percent(0.06), mostly.percent(0.06)]).toEqual([5, 0]);
  });
});

it("sizeName() groups sizes by powers of ten", () => {
  const named = [undefined, "small", 0, 9, 10, 99, 100, 123_456].map(sizeName);
  expect(named).toEqual([
    undefined,
    "small",
    "under 10 lines",
    "under 10 lines",
    "1e1-1e2 lines",
    "1e1-1e2 lines",
    "1e2-1e3 lines",
    "1e5-1e6 lines",
  ]);
});
