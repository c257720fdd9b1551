import { describe, expect, it } from "vitest";
import {
  analyzeJob,
  type Findings,
  type Judgement,
  type KnownMetric,
} from "../../../src/tools/anomalies/analyze-job.ts";
import { anomaliesContract } from "../../../src/tools/anomalies/contract.ts";

const NOW = Date.UTC(2026, 0, 15);

/** Runs the job. `keep` answers its requests to keep findings, by the number of requests so far. */
function analyze(
  metrics: Record<string, number[]>,
  keep: (asked: number, findings: Findings) => boolean | Judgement,
  settings: KnownMetric["settings"] = {},
) {
  const asked = { known: [] as string[][], kept: [] as Findings[] };
  const ask = async (question: string, payload: never) => {
    if (question === "keep") {
      asked.kept.push(payload);
      return keep(asked.kept.length, payload);
    }
    asked.known.push(payload);
    return asked.known.at(-1)?.map(() => ({ version: asked.known.length, settings, weights: {} }));
  };
  const input = anomaliesContract.analyze.input.parse({ metrics });
  const answer = Promise.resolve(analyzeJob.run(input, { context: { now: NOW }, ask: ask as never }));
  return { asked, answer };
}

const textOf = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));

describe("the analysis job", () => {
  it("stores the answer together with the findings and returns nothing", async () => {
    const { asked, answer } = analyze({ a: [1, 2] }, () => true);
    expect(await answer).toBeUndefined();
    expect(asked.kept).toHaveLength(1);
    const [only] = asked.kept as [Findings];
    expect(only.learned).toMatchObject([{ name: "a", version: 1, seen: { points: 2 } }]);
    expect([only.found, only.kept]).toEqual([[], undefined]);
    const series = { a: { points: 2, baseline: null, verdict: "insufficient_data" } };
    expect(textOf(only.answer)).toMatchObject({ anomalies: [], series });
  });

  it("reads the metrics again and retries if another analysis came in between", async () => {
    const { asked, answer } = analyze({ a: [1, 2] }, (count) => count === 3);
    expect(await answer).toBeUndefined();
    expect(asked.known).toEqual([["a"], ["a"], ["a"]]);
    expect(asked.kept.map(({ learned }) => learned[0]?.version)).toEqual([1, 2, 3]);
  });

  it("gives up with overloaded after twenty conflicts", async () => {
    const { asked, answer } = analyze({ a: [1, 2] }, () => false);
    await expect(answer).rejects.toMatchObject({
      error: "overloaded",
      extras: { headers: { "Retry-After": "1" } },
    });
    expect([asked.known.length, asked.kept.length]).toEqual([20, 20]);
  });

  it("returns the earlier answer if the same request came before", async () => {
    const verdict = { points: 7, baseline: null, verdict: "ok" as const };
    const before: Judgement = { analysisId: "ana_before", anomalies: [], verdicts: [["a", verdict]] };
    const { asked, answer } = analyze({ a: [1, 2] }, () => before);
    expect(textOf(await answer)).toEqual({ analysisId: "ana_before", anomalies: [], series: { a: verdict } });
    expect(asked.kept).toHaveLength(1);
  });

  it("stores thirty-two metrics at a time, and the answer with the last batch", async () => {
    const names = Array.from({ length: 65 }, (_, index) => `m${index}`);
    const metrics = Object.fromEntries(names.map((name) => [name, [1, 2]]));
    const { asked, answer } = analyze(metrics, () => true);
    expect(await answer).toBeUndefined();
    expect(asked.known).toEqual([names.slice(0, 32), names.slice(32, 64), names.slice(64)]);
    expect(asked.kept.map(({ learned }) => learned.map(({ name }) => name))).toEqual(asked.known);
    expect(asked.kept.map(({ answer }) => answer !== undefined)).toEqual([false, false, true]);
    expect(asked.kept.map(({ kept }) => kept?.verdicts.length)).toEqual([32, 32, undefined]);
    expect(Object.keys(textOf(asked.kept[2]?.answer).series)).toEqual(names);
  });

  it.each([
    [32, [true]],
    [33, [false, true]],
  ])("stores %d metrics in as few steps as possible", async (count, answers) => {
    const metrics = Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, [1]]));
    const { asked, answer } = analyze(metrics, () => true);
    expect(await answer).toBeUndefined();
    expect(asked.kept.map(({ answer }) => answer !== undefined)).toEqual(answers);
  });

  it.each([
    [1000, [1000]],
    [1001, [1000, 1]],
    [2001, [1000, 1000, 1]],
  ])("stores a thousand anomalies at a time: %d as %j", async (count, portions) => {
    // Ten points of warm-up. Then every second point exceeds the threshold.
    const values = Array.from({ length: 10 + 2 * count }, (_, index) =>
      index >= 10 && index % 2 === 1 ? 140 : 100,
    );
    const { asked, answer } = analyze({ a: values }, () => true, { high: 130 });
    expect(await answer).toBeUndefined();
    const found = asked.kept.flatMap((each) => each.found);
    expect(found.map(([, { index }]) => index)).toEqual(
      Array.from({ length: count }, (_, at) => 11 + 2 * at),
    );
    expect(asked.kept.map((each) => each.found.length)).toEqual(portions);
    expect(asked.kept.map((each) => each.answer !== undefined)).toEqual(
      portions.map((_, index) => index === portions.length - 1),
    );
    expect(asked.kept.map(({ learned }) => learned.length)).toEqual(portions.map((_, index) => +!index));
    expect(asked.kept[0]?.kept?.anomalies.length).toBe(portions.length > 1 ? count : undefined);
    expect(textOf(asked.kept.at(-1)?.answer).anomalies).toHaveLength(count);
  });
});
