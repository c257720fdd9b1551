import { describe, expect, it } from "vitest";
import { GLOBAL } from "../../../src/store/store.ts";
import { patterns, patternsByAuthor } from "../../../src/tools/learning/documents.ts";
import { openLearning, participants } from "./learning.ts";

const iso = (at: number) => new Date(at).toISOString();

describe("answers", () => {
  it("have the status no_measurements for a type that was never measured", async () => {
    const learning = await openLearning();
    await learning.optIn("acc/one");
    expect(await learning.insight("acc/one", "quality_score")).toEqual({
      type: "quality_score",
      better: "higher",
      status: "no_measurements",
      unit: null,
      latest: null,
      trend: { direction: "insufficient_data", slope: null, measurements: 0, values: [] },
      percentile: null,
      betterThan: null,
      sameAs: null,
      cohort: { status: "insufficient_data" },
      patterns: [],
    });
  });

  it("give time and unit of a measurement, and the latest value and trend of all", async () => {
    const learning = await openLearning();
    await learning.optIn("acc/one");
    const first = await learning.measure("acc/one", { type: "quality_score", value: 7, unit: undefined });
    expect(first).toEqual({
      type: "quality_score",
      value: 7,
      unit: null,
      recordedAt: iso(learning.clock.now()),
      percentile: null,
      betterThan: null,
      sameAs: null,
      cohort: { status: "insufficient_data" },
    });
    for (const value of [8, 9, 10, 11]) {
      const { unit } = await learning.measure("acc/one", { type: "quality_score", value, unit: undefined });
      expect(unit).toBeNull();
    }
    expect(await learning.insight("acc/one", "quality_score")).toEqual({
      type: "quality_score",
      better: "higher",
      status: "insufficient_data",
      unit: null,
      latest: { value: 11, at: iso(learning.clock.now()) },
      trend: { direction: "improving", slope: 1, measurements: 5, values: [7, 8, 9, 10, 11] },
      percentile: null,
      betterThan: null,
      sameAs: null,
      cohort: { status: "insufficient_data" },
      patterns: [],
    });
  });

  it("give a pattern with each part masked, and the kinds of masked text", async () => {
    const learning = await openLearning(["Acme Shop"]);
    await learning.optIn("acc/one");
    const said = {
      title: "Ask ada@acme.test",
      description: "Acme Shop does it",
      category: "10.0.0.1",
      context: { language: "acme/one", size: "acme-shop" },
      outcome: "see /home/ada/shop",
    };
    const { pattern, masked } = await learning.share("acc/one", said);
    expect(pattern).toEqual({
      id: expect.stringMatching(/^pat_/),
      title: "Ask [email]",
      description: "[name] does it",
      category: "[address]",
      context: { language: "[path]", size: "[name]" },
      outcome: "see [path]",
      sharedAt: iso(learning.clock.now()),
    });
    expect(masked).toEqual(["address", "email", "name", "path"]);
    const plain = { title: "Cache it", description: "It is faster.", category: "build" };
    expect(await learning.share("acc/one", plain)).toEqual({
      pattern: { id: expect.any(String), ...plain, context: {}, sharedAt: iso(learning.clock.now()) },
      masked: [],
    });
  });
});

describe("patterns", () => {
  it.each(["c%+ #_-.", "größe", "pl/sql", "pl/pgsql", "tcl/tk", "c/c++"])(
    "are found by their language: %s",
    async (language) => {
      const learning = await openLearning();
      const projects = await participants(learning, 5);
      for (const [index, project] of projects.entries()) {
        const context = { language };
        await learning.measure(project, { value: 10 ** (index + 1), context });
      }
      await learning.share(projects[0] as string, { title: "mine", context: { language } });
      await learning.share(projects[0] as string, { title: "other", context: { language: "c" } });
      const { cohort, patterns } = await learning.insight(projects[4] as string);
      expect(cohort).toMatchObject({ status: "ok", language });
      expect(patterns.map(({ title, context }) => [title, context])).toEqual([["mine", { language }]]);
    },
  );

  it("are limited to 200 per project, all of which an opt-out deletes", async () => {
    const learning = await openLearning();
    await learning.optIn("acc/one", "acc/two");
    for (let count = 0; count < 200; count++) await learning.share("acc/one", { title: `p${count}` });
    await expect(learning.share("acc/one")).rejects.toMatchObject({
      error: "conflict",
      detail: expect.stringContaining("200 patterns"),
    });
    await learning.share("acc/two", { title: "of another" });
    await learning.optOut("acc/one");
    const left = await learning.store.transact(async (tx) => ({
      titles: (await tx.list(patterns, GLOBAL)).map(({ value }) => value.title),
      byAuthor: await tx.ids(patternsByAuthor, GLOBAL),
    }));
    expect(left).toEqual({ titles: ["of another"], byAuthor: [expect.any(String)] });
    await learning.optIn("acc/one");
    await learning.share("acc/one");
  });

  it("are not shown if their project measured another type only or is not yet published", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 7);
    const [a = "", b = "", c = "", d = "", worst = "", waiting = "", other = ""] = projects;
    for (const [index, project] of [a, b, c, d, worst].entries())
      await learning.measure(project, 10 ** (index + 1));
    await learning.measure(waiting, 1);
    await learning.measure(other, { type: "quality_score", value: 1, unit: "points" });
    for (const project of [a, waiting, other]) await learning.share(project, { title: project.slice(0, 4) });
    expect((await learning.insight(worst)).patterns.map(({ title }) => title)).toEqual([a.slice(0, 4)]);
  });
});

it("a project without opt-in is refused with the request to opt in, its name URL-encoded", async () => {
  const learning = await openLearning();
  const refusal = learning.insight("acc/läden 1");
  await expect(refusal).rejects.toMatchObject({
    error: "opt_in_required",
    detail: expect.stringContaining('PUT /api/v1/projects/l%C3%A4den%201 {"learningOptIn": true}'),
  });
  await learning.optIn("acc/other");
  await expect(learning.measure("acc/läden 1", 5)).rejects.toMatchObject({ error: "opt_in_required" });
});
