import { describe, expect, it } from "vitest";
import { projectSpace } from "../../../src/store/store.ts";
import { createRandom } from "../../../src/system/random.ts";
import { type Concluded, conclude } from "../../../src/tools/anomalies/conclusion.ts";
import type { MetricResult } from "../../../src/tools/anomalies/detecting/analyse.ts";
import { anomaliesCollections, surroundings } from "../../../src/tools/anomalies/documents.ts";
import { readSurroundings, surroundingsOf } from "../../../src/tools/anomalies/surroundings.ts";
import { openTestStore } from "../../support/store.ts";

const SPACE = projectSpace("acc_1", "one");
const NONE = Number.NaN;
const seriesOf = (length: number, time = (index: number) => 1000 * index) => ({
  values: Float64Array.from({ length }, (_, index) => index),
  times: Float64Array.from({ length }, (_, index) => time(index)),
});
const from = (first: number, end: number) => Array.from({ length: end - first }, (_, at) => first + at);

describe("the points around an anomaly", () => {
  it("are sixty before and thirty after, with the times of the first and the last", () => {
    expect(surroundingsOf(seriesOf(200), 100, [])).toEqual({
      first: 40,
      values: from(40, 131),
      since: 40_000,
      until: 130_000,
      marks: [],
    });
  });

  it.each([
    [0, 200, 0, 31],
    [59, 200, 0, 90],
    [60, 200, 0, 91],
    [61, 200, 1, 92],
    [168, 200, 108, 199],
    [169, 200, 109, 200],
    [199, 200, 139, 200],
    [0, 1, 0, 1],
  ])("end where the series ends: around %d of %d from %d to %d", (index, length, first, end) =>
    expect(surroundingsOf(seriesOf(length), index, [])).toMatchObject({ first, values: from(first, end) }),
  );

  it("have marks for all anomalies among them only", () => {
    const { marks } = surroundingsOf(seriesOf(200), 100, [39, 40, 100, 130, 131]);
    expect(marks).toEqual([40, 100, 130]);
  });

  it("have six significant digits, and times if known", () => {
    const { values, times } = seriesOf(2, (index) => (index === 0 ? NONE : 5));
    values.set([123_456_789, 0.123456789]);
    expect(surroundingsOf({ values, times }, 0, [])).toEqual({
      first: 0,
      values: [123_457_000, 0.123457],
      until: 5,
      marks: [],
    });
    const known = seriesOf(2, (index) => (index === 0 ? 5 : NONE));
    expect(surroundingsOf(known, 0, [])).toEqual({ first: 0, values: [0, 1], since: 5, marks: [] });
  });

  it("are read as stored, or as null if none were stored", async () => {
    const store = await openTestStore({ collections: anomaliesCollections });
    const kept = { first: 3, values: [1, 2], marks: [4] };
    const read = await store.transact(async (tx) => {
      await tx.put(surroundings, SPACE, "timed", { ...kept, since: 0, until: 1000 });
      await tx.put(surroundings, SPACE, "untimed", kept);
      return Promise.all(["timed", "untimed", "none"].map((id) => readSurroundings(tx, SPACE, id)));
    });
    const times = { since: "1970-01-01T00:00:00.000Z", until: "1970-01-01T00:00:01.000Z" };
    expect(read).toEqual([{ ...kept, ...times }, { ...kept, since: null, until: null }, null]);
  });
});

describe("conclude()", () => {
  const baseline = { low: 0, mid: 1, high: 2 };
  const finding = (index: number, more: object = {}): Concluded["findings"][number] => ({
    kind: "spike",
    strangeness: 1,
    expected: baseline,
    before: 50,
    index,
    ...more,
  });
  const result = (
    name: string,
    findings: Concluded["findings"],
    verdict: MetricResult["verdict"],
  ): Concluded => ({
    name,
    findings,
    memory: "",
    verdict,
    baseline,
  });
  const about = (sessionId?: string) => ({
    analysisId: "ana_1",
    random: createRandom({ now: () => 5000 }),
    now: 5000,
    sessionId,
  });

  it("returns new anomalies with the points around them, and known anomalies as reported before", () => {
    const series = new Map([
      ["timed", seriesOf(100)],
      ["untimed", seriesOf(10, () => NONE)],
    ]);
    const known = { metric: "timed", index: 3, at: null, createdAt: 0, kind: "drop" };
    const entry = ["ano_known", known] as unknown as NonNullable<Concluded["findings"][number]["entry"]>;
    const results = [
      result("timed", [finding(3, { entry }), finding(7)], "anomalous"),
      result("untimed", [finding(9)], "anomalous"),
    ];
    const { found, around, anomalies, verdicts, ids } = conclude(results, series, about("ses_1"));
    const [first, second] = found.map(([id]) => id);
    expect(new Set([first, second]).size).toBe(2);
    expect(ids).toEqual([["ano_known", first], [second]]);
    expect(anomalies.map(({ id }) => id)).toEqual(["ano_known", first, second]);
    expect(found.map(([, document]) => document)).toMatchObject([
      { metric: "timed", index: 7, value: 7, at: 7000, sessionId: "ses_1", state: "open", createdAt: 5000 },
      { metric: "untimed", index: 9, value: 9, at: null, analysisId: "ana_1" },
    ]);
    expect(around.map(([id, { marks }]) => [id, marks])).toEqual([
      [first, [3, 7]],
      [second, [9]],
    ]);
    expect(verdicts).toEqual([
      ["timed", { points: 100, baseline, verdict: "anomalous" }],
      ["untimed", { points: 10, baseline, verdict: "anomalous" }],
    ]);
    expect(conclude(results, series, about()).found[0]?.[1]).not.toHaveProperty("sessionId");
  });

  it("returns the points around the first two hundred anomalies of all metrics", () => {
    const series = new Map(["a", "b"].map((name) => [name, seriesOf(150)]));
    const all = from(0, 101).map((index) => finding(index));
    const { found, around } = conclude(
      [result("a", all, "anomalous"), result("b", all, "anomalous")],
      series,
      about(),
    );
    expect(found).toHaveLength(202);
    expect(around.map(([id]) => id)).toEqual(found.slice(0, 200).map(([id]) => id));
  });
});
