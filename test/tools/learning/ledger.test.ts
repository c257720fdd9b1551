import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GLOBAL } from "../../../src/store/store.ts";
import { bucketOf } from "../../../src/tools/learning/buckets.ts";
import { cohorts, histories, learningCollections, shares } from "../../../src/tools/learning/documents.ts";
import { Ledger } from "../../../src/tools/learning/publishing/ledger.ts";
import { standingIn } from "../../../src/tools/learning/standing.ts";
import { runs } from "../../support/runs.ts";
import { openTestStore } from "../../support/store.ts";
import { openLearning, participants } from "./learning.ts";

const open = () => openTestStore({ collections: learningCollections });

describe("cohorts counted by the ledger", () => {
  it("have the projects, accounts and buckets added and not removed, in any transactions", async () => {
    const step = fc.record({
      account: fc.constantFrom("a", "b", "c"),
      bucket: fc.integer({ min: 0, max: 2 }),
      key: fc.constantFrom("k|", "k|l|"),
      takes: fc.boolean(),
      writes: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const store = await open();
        const members: { key: string; account: string; bucket: number }[] = [];
        const sessions: (typeof steps)[] = [[]];
        for (const each of steps) {
          sessions.at(-1)?.push(each);
          if (each.writes) sessions.push([]);
        }
        for (const session of sessions) {
          await store.transact(async (tx) => {
            const ledger = new Ledger(tx);
            for (const { key, account, bucket, takes } of session) {
              const known = members.findIndex(
                (each) => each.key === key && each.account === account && each.bucket === bucket,
              );
              if (takes && known < 0) continue;
              if (takes) members.splice(known, 1);
              else members.push({ key, account, bucket });
              await ledger.count(key, account, bucket, takes ? -1 : 1);
              for (const asked of ["a", "b"]) {
                const own = new Set(members.filter((each) => each.key === key).map((each) => each.account));
                expect(await ledger.isOnly(key, asked)).toBe(
                  own.size === 0 || (own.size === 1 && own.has(asked)),
                );
              }
            }
            await ledger.write();
          });
        }
        const expected = ["k|", "k|l|"].flatMap((key) => {
          const own = members.filter((each) => each.key === key);
          const count = <T>(all: T[]) =>
            Object.fromEntries(
              [...new Set(all)].map((each) => [each, all.filter((one) => one === each).length]),
            );
          const accounts = count(own.map(({ account }) => account)) as Record<string, number>;
          if (own.length === 0) return [];
          const value = {
            projects: own.length,
            accounts: Object.keys(accounts).length,
            largest: Math.max(...Object.values(accounts)),
            buckets: count(own.map(({ bucket }) => bucket)),
          };
          return [{ id: key, value, accounts }];
        });
        const [found, shared] = await store.transact(async (tx) => [
          await tx.list(cohorts, GLOBAL),
          await tx.list(shares, GLOBAL),
        ]);
        expect(found.map(({ id, value }) => ({ id, value }))).toEqual(
          expected.map(({ id, value }) => ({ id, value })),
        );
        expect(Object.fromEntries(shared.map(({ id, value }) => [id, value.projects]))).toEqual(
          Object.fromEntries(
            expected.flatMap(({ id, accounts }) =>
              Object.entries(accounts).map(([account, projects]) => [`${id}>${account}`, projects]),
            ),
          ),
        );
      }),
      { numRuns: runs(25) },
    );
  });

  it.each([
    ["account0", "account220"],
    ["account220", "account0"],
  ])(
    "know the new largest of hundreds of accounts after removals: of %s, beside %s",
    async (shrinks, next) => {
      const store = await open();
      const projects: Record<string, number> = { [shrinks]: 4, [next]: 3 };
      const names = Array.from({ length: 221 }, (_, index) => `account${index}`);
      const largest = async (change: (ledger: Ledger) => Promise<void>) => {
        await store.transact(async (tx) => {
          const ledger = new Ledger(tx);
          await change(ledger);
          await ledger.write();
        });
        return (await store.transact((tx) => tx.get(cohorts, GLOBAL, "k|")))?.largest;
      };
      const filled = await largest(async (ledger) => {
        for (const name of names)
          for (let count = 0; count < (projects[name] ?? 1); count++) await ledger.count("k|", name, 0, 1);
      });
      const less = () => largest((ledger) => ledger.count("k|", shrinks, 0, -1));
      expect([filled, await less(), await less()]).toEqual([4, 3, 3]);
      expect(await largest((ledger) => ledger.count("k|", next, 0, -1))).toBe(2);
    },
  );
});

describe("standingIn()", () => {
  const read = (documents: Record<string, object>) => async (key: string) => documents[key] as never;
  /** Returns a cohort of ten projects of ten accounts, from 1.2 s to about 12 h. */
  const ten = (first = 1.2) => ({
    projects: 10,
    accounts: 10,
    largest: 1,
    buckets: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [bucketOf(first * 3 ** at), 1])),
  });
  const key = "build_duration|s|go|big|";
  const bucket = bucketOf(1.2 * 3 ** 2);

  it("uses the narrowest cohort that has projects", async () => {
    const wide = { "build_duration|s|": ten() };
    const narrower = { ...wide, "build_duration|s|go|": ten() };
    const narrowest = { ...narrower, [key]: ten() };
    const of = async (documents: Record<string, object>) => {
      const { answer, within } = await standingIn(read(documents), "build_duration", { key, bucket }, "s");
      const { status, language, size } = answer.cohort;
      return [status, language, size, within?.depth];
    };
    expect(await of({})).toEqual(["insufficient_data", undefined, undefined, undefined]);
    expect(await of({ [key]: { ...ten(), projects: 0 } })).toEqual([
      "insufficient_data",
      undefined,
      undefined,
      undefined,
    ]);
    expect(await of(wide)).toEqual(["ok", undefined, undefined, 0]);
    expect(await of({ ...wide, [key]: { ...ten(), projects: 0 } })).toEqual(["ok", undefined, undefined, 0]);
    expect(await of(narrower)).toEqual(["ok", "go", undefined, 1]);
    expect(await of(narrowest)).toEqual(["ok", "go", "big", 2]);
  });

  it("counts higher or lower values as better, by type of measurement", async () => {
    const document = read({ "build_duration|s|": ten(), "quality_score|s|": ten() });
    const of = async (type: "build_duration" | "quality_score") =>
      (await standingIn(document, type, { key: `${type}|s|`, bucket }, "s")).answer;
    // Two have less and seven more, reported in steps of a quarter.
    expect(await of("build_duration")).toMatchObject({ percentile: 25, betterThan: 75, sameAs: 0 });
    expect(await of("quality_score")).toMatchObject({ percentile: 25, betterThan: 25, sameAs: 0 });
  });

  it("excludes the project's own value if it is counted in the cohort", async () => {
    const document = read({
      "build_duration|s|": { ...ten(), projects: 5, buckets: { [bucket]: 1, [bucketOf(1e4)]: 4 } },
    });
    const of = async (depth: number | undefined) => {
      const told = depth === undefined ? {} : { told: { depth, bucket, batch: "b" } };
      const standing = { key: "build_duration|s|", bucket, ...told };
      const { betterThan, sameAs } = (await standingIn(document, "build_duration", standing, "s")).answer;
      return [betterThan, sameAs];
    };
    expect([await of(undefined), await of(0)]).toEqual([
      [75, 25],
      [100, 0],
    ]);
  });

  it("returns quantiles in the requested unit", async () => {
    const document = read({ "build_duration|s|": ten(120) });
    const p50 = async (unit: string) => {
      const { answer } = await standingIn(
        document,
        "build_duration",
        { key: "build_duration|s|", bucket },
        unit,
      );
      return answer.cohort.p50 as number;
    };
    expect((await p50("s")) / (await p50("min"))).toBeCloseTo(60, 1);
    expect((await p50("ms")) / (await p50("s"))).toBeCloseTo(1000, 1);
  });

  it("calls another project better only if it is in a better quarter", async () => {
    const isBetter = async (type: "build_duration" | "quality_score", own: number, of: number) => {
      const document = read({ [`${type}|s|`]: ten() });
      const standing = { key: `${type}|s|`, bucket: bucketOf(1.2 * 3 ** own) };
      const { within } = await standingIn(document, type, standing, "s");
      return within?.isBetter(bucketOf(1.2 * 3 ** of));
    };
    // The quarters of ten begin with the first, the fourth, the sixth and the ninth.
    expect(await Promise.all([4, 3, 5, 0].map((of) => isBetter("build_duration", 5, of)))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(await Promise.all([4, 6, 7, 9].map((of) => isBetter("quality_score", 5, of)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe("a project's own measurements", () => {
  const historyOf = async (...measured: [value: number, unit?: string][]) => {
    const learning = await openLearning();
    await learning.optIn("acc/one");
    for (const [value, unit] of measured) await learning.measure("acc/one", { value, unit });
    const [only] = await learning.store.transact((tx) => tx.list(histories, GLOBAL));
    return [only?.value.unit, only?.value.values.map((each) => each.value)];
  };

  it("are converted to the unit of the newest, or dropped if not convertible", async () => {
    expect(await historyOf([1, "min"], [90, "s"])).toEqual(["s", [60, 90]]);
    expect(await historyOf([90, "s"], [2, "min"])).toEqual(["min", [1.5, 2]]);
    expect(await historyOf([0.1, "s"], [0.2, "s"])).toEqual(["s", [0.1, 0.2]]);
    expect(await historyOf([5, "points"], [6, "points"])).toEqual(["points", [5, 6]]);
    expect(await historyOf([5, "points"], [6, "s"])).toEqual(["s", [6]]);
  });

  it("are limited to the last hundred", async () => {
    const [, values] = await historyOf(
      ...Array.from({ length: 101 }, (_, at): [number, string] => [at + 1, "s"]),
    );
    expect(values).toEqual(Array.from({ length: 100 }, (_, at) => at + 2));
  });
});

describe("patterns shown to a project", () => {
  it("are the five newest of a better project, of the same language or of none", async () => {
    const learning = await openLearning();
    const projects = await participants(learning, 5);
    const measure = (project: string, value: number) =>
      learning.measure(project, { value, context: { language: "go" } });
    for (const [index, project] of projects.entries()) await measure(project, 10 ** (index + 1));
    const [best = "", , , , worst = ""] = projects;
    for (const [title, language] of [
      ["a", "go"],
      ["b", undefined],
      ["c", "rust"],
      ["d", "go"],
      ["e", undefined],
      ["f", "go"],
      ["g", undefined],
    ] as const)
      await learning.share(best, { title, ...(language && { context: { language } }) });
    await learning.share(worst, { title: "worst" });
    const shown = async (project: string) => (await learning.insight(project)).patterns;
    expect((await shown(worst)).map(({ title }) => title)).toEqual(["g", "f", "e", "d", "b"]);
    expect((await shown(worst))[1]).toMatchObject({ context: { language: "go" }, category: "build" });
    expect(await shown(best)).toEqual([]);
    await learning.optOut(best);
    expect(await shown(worst)).toEqual([]);
  });
});
