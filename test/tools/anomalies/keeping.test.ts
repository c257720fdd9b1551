import { expect, it } from "vitest";
import type { Caller } from "../../../src/contract/caller.ts";
import type { Work } from "../../../src/contract/compute.ts";
import { projectSpace } from "../../../src/store/store.ts";
import type { Findings, Judgement, KnownMetric } from "../../../src/tools/anomalies/analyze-job.ts";
import { anomaliesCollections, metrics } from "../../../src/tools/anomalies/documents.ts";
import { createAnomalies } from "../../../src/tools/anomalies/service.ts";
import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";

interface Answers {
  known(names: string[]): Promise<KnownMetric[]>;
  keep(findings: Findings): Promise<boolean | Judgement>;
}

it("findings are stored unless another analysis of the metric came in between", async () => {
  const clock = fakeClock();
  const store = await openTestStore({ collections: anomaliesCollections, clock });
  const { analyze } = createAnomalies({ store, clock, raise: async () => undefined as never });
  const seen = { points: 1, digest: "d", anomalies: [] };
  const findings = (memory: string, ...versions: (number | undefined)[]): Findings => ({
    learned: versions.map((version, index) => ({ name: `m${index}`, memory, version, seen })),
    found: [],
    kept: { analysisId: "ana_1", anomalies: [], verdicts: [] },
  });
  const run = async ({ answers }: { answers: Answers }) => {
    const { known, keep } = answers;
    const now = async () => (await known(["m0", "m1"])).map(({ version, memory }) => [version, memory]);
    const none = [undefined, undefined];
    expect(await now()).toEqual([none, none]);
    expect(await keep(findings("a", undefined))).toBe(true);
    expect(await keep(findings("b", undefined))).toBe(false);
    expect(await keep(findings("b", 1, 1))).toBe(false);
    expect(await now()).toEqual([[1, "a"], none]);
    expect(await keep(findings("c", 1, undefined))).toBe(true);
    expect(await keep(findings("d", 2, 2))).toBe(false);
    expect(await now()).toEqual([
      [2, "c"],
      [1, "c"],
    ]);
    const answer = new TextEncoder().encode("{}");
    expect(await keep({ ...findings("e", 1), answer })).toBe(false);
    expect(await keep({ ...findings("e", 2), answer })).toBe(true);
    expect(await now()).toEqual([
      [3, "e"],
      [1, "c"],
    ]);
  };
  await analyze({ run } as unknown as Work, { accountId: "acc", projectId: "one" } as Caller);
  expect.assertions(11);
});

it("each dismissal multiplies the weight of its kind by 0.7, down to 0.2", async () => {
  const clock = fakeClock();
  const store = await openTestStore({ collections: anomaliesCollections, clock });
  const { analyze } = createAnomalies({ store, clock, raise: async () => undefined as never });
  const dismissed = { spike: 1, drop: 4, trend: 5, variance: 100 };
  await store.transact((tx) =>
    tx.put(metrics, projectSpace("acc", "one"), "m", { low: 1, high: 2, dismissed }),
  );
  const asked: KnownMetric[] = [];
  const run = async ({ answers }: { answers: Answers }) => {
    asked.push(...(await answers.known(["m", "other"])));
    await answers.keep({ learned: [], found: [], answer: new TextEncoder().encode("{}") });
  };
  await analyze({ run } as unknown as Work, { accountId: "acc", projectId: "one" } as Caller);
  const weights = {
    spike: expect.closeTo(0.7),
    drop: expect.closeTo(0.2401),
    trend: 0.2,
    variance: 0.2,
  };
  expect(asked).toEqual([
    { version: undefined, settings: { low: 1, high: 2 }, weights },
    { version: undefined, settings: {}, weights: {} },
  ]);
});
