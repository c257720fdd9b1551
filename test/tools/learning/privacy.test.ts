import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GLOBAL, type Store } from "../../../src/store/store.ts";
import { bucketOf, publishedValue } from "../../../src/tools/learning/buckets.ts";
import { pathOf } from "../../../src/tools/learning/cell.ts";
import { Cohort } from "../../../src/tools/learning/cohort.ts";
import {
  batches,
  cohorts,
  learningCollections,
  publishedPlaces,
  shares,
  standings,
  waiting,
} from "../../../src/tools/learning/documents.ts";
import { runs } from "../../support/runs.ts";
import { openLearning, participants, type TestLearning } from "./learning.ts";

/** By cohort and project, the account and the reported bucket. */
type Told = Map<string, Map<string, { account: string; bucket: number }>>;

async function toldIn(store: Store): Promise<Told> {
  const found: Told = new Map();
  for (const { id, value } of await store.transact((tx) => tx.list(standings, GLOBAL))) {
    const { account, key, told: place } = value;
    for (const cohort of place ? pathOf(key).slice(0, place.depth + 1) : []) {
      const members = found.get(cohort) ?? new Map();
      found.set(cohort, members.set(id, { account, bucket: place?.bucket as number }));
    }
  }
  return found;
}

/**
 * Asserts what docs/tools/learning.md promises: nothing is reported of fewer than five projects. Of the projects that
 * are reported, at least four belong to other accounts than any given one, unless all are of one account.
 */
function expectHidden(members: Iterable<{ account: string }>, what: string): void {
  const byAccount = new Map<string, number>();
  for (const { account } of members) byAccount.set(account, (byAccount.get(account) ?? 0) + 1);
  const projects = [...byAccount.values()].reduce((sum, own) => sum + own, 0);
  if (projects === 0) return;
  expect(projects, what).toBeGreaterThanOrEqual(5);
  if (byAccount.size === 1) return;
  expect(projects - Math.max(...byAccount.values()), what).toBeGreaterThanOrEqual(4);
}

/** Returns the members that were added, removed or are reported with another value. */
function changed(before: Told, after: Told, cohort: string): { account: string }[] {
  const [was, is] = [before.get(cohort) ?? new Map(), after.get(cohort) ?? new Map()];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((id) =>
    was.get(id)?.bucket === is.get(id)?.bucket ? [] : [is.get(id) ?? was.get(id)],
  );
}

async function expectConsistent(store: Store, now: Told): Promise<void> {
  const { documents, places, waits, owned } = await store.transact(async (tx) => ({
    documents: await tx.list(cohorts, GLOBAL),
    places: await tx.list(publishedPlaces, GLOBAL),
    waits: await tx.list(waiting, GLOBAL),
    owned: await tx.list(shares, GLOBAL),
  }));
  expect(documents.map(({ id }) => id).sort()).toEqual([...now.keys()].sort());
  for (const { id, value } of documents) {
    const members = [...(now.get(id)?.values() ?? [])];
    const buckets: Record<string, number> = {};
    for (const { bucket } of members) buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    const accounts = new Map<string, number>();
    for (const { account } of members) accounts.set(account, (accounts.get(account) ?? 0) + 1);
    const largest = Math.max(...accounts.values());
    expect(value).toEqual({ projects: members.length, accounts: accounts.size, largest, buckets });
    expect(owned.filter((each) => each.id.startsWith(`${id}>`))).toHaveLength(accounts.size);
  }
  const all = await store.transact((tx) => tx.list(standings, GLOBAL));
  expect(places).toHaveLength(all.filter(({ value }) => value.told).length);
  expect(await store.transact((tx) => tx.list(batches, GLOBAL))).toHaveLength(places.length);
  expect(waits).toHaveLength(all.filter(({ value }) => value.waiting).length);
}

const ACTION = fc.record({
  account: fc.integer({ min: 0, max: 5 }),
  project: fc.integer({ min: 0, max: 3 }),
  language: fc.constantFrom(undefined, "go", "go", "rust"),
  size: fc.constantFrom(undefined, undefined, "small"),
  leaves: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
});

describe("publishing", () => {
  it("hides projects in each cohort, each change of one and each difference from a wider one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ACTION, { minLength: 60, maxLength: 140 }), async (actions) => {
        const learning = await openLearning();
        let before: Told = new Map();
        for (const [step, { account, project, language, size, leaves }] of actions.entries()) {
          const value = 1.02 ** ((step * 37) % 1000);
          const name = `acc${account}/${project}`;
          if (leaves) await learning.optOut(name);
          else {
            await learning.optIn(name);
            await learning.measure(name, {
              value,
              context: { ...(language && { language }), ...(size && { size }) },
            });
          }
          const after = await toldIn(learning.store);
          for (const [cohort, members] of after) {
            expectHidden(members.values(), `all of ${cohort}`);
            expectHidden(changed(before, after, cohort), `what changed in ${cohort}`);
            for (const [wider, of] of after) {
              if (wider === cohort || !cohort.startsWith(wider)) continue;
              const beyond = [...of].filter(([id]) => !members.has(id)).map(([, member]) => member);
              expectHidden(beyond, `${wider} beyond ${cohort}`);
            }
          }
          before = after;
        }
        await expectConsistent(learning.store, before);
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });

  it("hides projects in the difference between any two times if each measures once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 40, maxLength: 70 }),
        async (leavers) => {
          const learning = await openLearning();
          const all: Told[] = [];
          for (const [step, leaver] of leavers.entries()) {
            await learning.optIn(`acc${step}/project`);
            await learning.measure(`acc${step}/project`, 1.02 ** step);
            all.push(await toldIn(learning.store));
            if (leaver > 5 || leaver > step) continue;
            await learning.optOut(`acc${step - leaver}/project`);
            all.push(await toldIn(learning.store));
          }
          const root = "build_duration|s|";
          for (const [index, before] of all.entries()) {
            for (const after of all.slice(index + 1)) expectHidden(changed(before, after, root), "two times");
          }
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it("gives about the same quantiles as if each project had measured a published value", () => {
    const bucket = fc.integer({ min: -400, max: 1400 });
    fc.assert(
      fc.property(fc.array(bucket, { minLength: 5, maxLength: 150 }), bucket, (buckets, own) => {
        const cohort = cohortOf(buckets);
        const coarse = cohortOf(buckets.map((each) => bucketOf(publishedValue(each, buckets.length))));
        for (const share of [0.5, 0.9]) {
          expect(cohort.quantile(share) / coarse.quantile(share)).toBeCloseTo(1, 1);
        }
        expect(cohort.shares(own).below + cohort.shares(own).above).toBeCloseTo(1);
        expect(cohort.percent(cohort.shares(own).below) % 1).toBe(0);
      }),
    );
  });

  it("gives equal coarse values for equal finer values", () => {
    const bucket = fc.integer({ min: -2000, max: 3400 });
    const projects = fc.integer({ min: 5, max: 500 });
    fc.assert(
      fc.property(bucket, fc.integer({ min: 0, max: 60 }), projects, projects, (one, further, few, more) => {
        const [coarse, fine] = [Math.min(few, more), Math.max(few, more)];
        if (publishedValue(one, fine) !== publishedValue(one + further, fine)) return;
        expect(publishedValue(one, coarse)).toBe(publishedValue(one + further, coarse));
      }),
      { numRuns: runs(1000) },
    );
  });

  it("keeps the order of values, and a step of about 1 % or more between published values", () => {
    const bucket = fc.integer({ min: -2000, max: 3400 });
    fc.assert(
      fc.property(bucket, bucket, fc.integer({ min: 5, max: 500 }), (one, other, projects) => {
        const [low, high] = [
          publishedValue(Math.min(one, other), projects),
          publishedValue(Math.max(one, other), projects),
        ];
        expect(low).toBeLessThanOrEqual(high);
        if (low < high) expect(high / low).toBeGreaterThan(1.009);
      }),
    );
  });
});

function cohortOf(buckets: readonly number[]): Cohort {
  const counts: Record<string, number> = {};
  for (const bucket of buckets) counts[bucket] = (counts[bucket] ?? 0) + 1;
  return new Cohort({ projects: buckets.length, accounts: buckets.length, largest: 1, buckets: counts });
}

/** Returns everything that a project may see of its cohort. */
async function seen(learning: TestLearning, project: string) {
  const { cohort, percentile, betterThan, sameAs } = await learning.insight(project);
  return JSON.stringify({ cohort, percentile, betterThan, sameAs });
}

describe("stored learning data", () => {
  it("names no project and no account, and is deleted at opt-out", async () => {
    const learning = await openLearning();
    const kept = () =>
      learning.store.transact(async (tx) => {
        const lists = await Promise.all(learningCollections.map((each) => tx.list<unknown>(each, GLOBAL)));
        return lists.flat();
      });
    const projects = await participants(learning, 7);
    for (const project of projects) {
      await learning.measure(project, 60);
      await learning.measure(project, {
        type: "quality_score",
        unit: "points",
        value: 7,
        context: { size: "small" },
      });
      await learning.share(project);
    }
    expect((await kept()).length).toBeGreaterThan(50);
    expect(JSON.stringify(await kept())).not.toMatch(/acc\d|project\d/);
    await learning.optOut(...projects);
    expect((await kept()).map(({ id }) => id)).toEqual(["key"]);
  });
});

describe("an attacker", () => {
  it("who owns all projects but one learns nothing about that one", async () => {
    const learning = await openLearning();
    const own = await participants(learning, 40, { account: "mallory" });
    for (const project of own) await learning.measure(project, 60);
    const before = await seen(learning, own[0] as string);
    const [victim = ""] = await participants(learning, 1, { account: "alice", from: 100 });
    await learning.measure(victim, 4711);
    expect(await seen(learning, own[0] as string)).toBe(before);
    for (const project of own) await learning.measure(project, 1e6);
    expect(JSON.parse(await seen(learning, own[0] as string)).cohort.p50).toBeGreaterThan(9e5);
    expect(JSON.parse(await seen(learning, own[0] as string)).cohort.projects).toBe(40);
  });

  it("learns nothing from one project that joins, measures again or leaves", async () => {
    for (const act of ["join", "measure", "leave"] as const) {
      for (const value of [5, 5000]) {
        const learning = await openLearning();
        const projects = await participants(learning, 12);
        for (const [index, project] of projects.slice(0, 10).entries())
          await learning.measure(project, 50 + index);
        const [victim, asking] = act === "join" ? [projects[11], projects[0]] : [projects[3], projects[0]];
        const before = await seen(learning, asking as string);
        if (act === "leave") await learning.optOut(victim as string);
        else await learning.measure(victim as string, value);
        const after = await seen(learning, asking as string);
        if (act === "leave") expect(JSON.parse(after).cohort.projects ?? 0).toBeLessThanOrEqual(5);
        else expect(after).toBe(before);
      }
    }
  });

  it("who measures repeatedly cannot bracket an unchanged value of another account", async () => {
    const learning = await openLearning();
    const own = await participants(learning, 6, { account: "mallory" });
    const others = await participants(learning, 5, { from: 50 });
    for (const [index, project] of others.entries()) await learning.measure(project, 100 + index);
    for (const project of own) await learning.measure(project, 1);
    const answers = new Set<string>();
    for (let value = 1; value < 3000; value *= 2) {
      for (const project of own) await learning.measure(project, value);
      const { cohort } = await learning.insight(others[0] as string);
      answers.add(JSON.stringify(cohort));
    }
    expect([...answers]).toHaveLength(1);
  });

  it("who has all other keys of an account gets no closer than a step of published values", async () => {
    const victim = 173;
    const learning = await openLearning();
    const projects = await participants(learning, 5, { account: "acme" });
    await learning.measure(projects[4] as string, victim);
    let [low, high] = [0, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 30; round++) {
      const guess = low === 0 ? 200 : Math.sqrt(low * Math.min(high, 1e6));
      for (const [index, project] of projects.slice(0, 4).entries()) {
        await learning.measure(project, index < 2 ? guess / 1000 : guess * 1000);
      }
      const { cohort } = await learning.measure(projects[4] as string, victim);
      const told = cohort.p50 as number;
      [low, high] = [told / 10 ** 0.1, told * 10 ** 0.1];
    }
    expect(high / low).toBeGreaterThan(1.5);
  });
});
