import { describe, expect, it } from "vitest";
import { createRandom } from "../../../src/system/random.ts";
import {
  beginsWith,
  idsOf,
  type Reported,
  seen,
  withReported,
} from "../../../src/tools/anomalies/already-seen.ts";
import type { MetricResult } from "../../../src/tools/anomalies/detecting/analyse.ts";
import type { AnomalyDocument } from "../../../src/tools/anomalies/documents.ts";
import { fakeClock } from "../../support/clock.ts";

const NONE = Number.NaN;
const seriesOf = (values: readonly number[], times = values.map(() => NONE)) => ({
  values: Float64Array.from(values),
  times: Float64Array.from(times),
});
/** Returns a series with `changes` changes, the last of them at the last point. */
const changing = (changes: number) => Array.from({ length: changes + 1 }, (_, index) => index % 2);

describe("points of an earlier analysis", () => {
  it.each<[string, ReturnType<typeof seriesOf>, boolean]>([
    ["by one known time", seriesOf([5, 5, 5], [NONE, 60_000, NONE]), true],
    ["by that of the last", seriesOf([5, 5], [NONE, 60_000]), true],
    ["by none", seriesOf([5, 5, 5]), false],
    ["by ten changes", seriesOf(changing(10)), true],
    ["by nine", seriesOf(changing(9)), false],
    ["by nine and a point like the last", seriesOf([...changing(9), 1]), false],
    ["by many that are equal", seriesOf(Array(100).fill(7)), false],
    ["by none at all", seriesOf([]), false],
  ])("are recognised %s: %o, %s", (_, series, expected) => {
    const before = seen(series, undefined, []);
    expect(before.points).toBe(series.values.length);
    expect(beginsWith(series, before)).toBe(expected);
  });

  it("are recognised only if the series begins with the same values and times", () => {
    const values = changing(12);
    const times = values.map((_, index) => 60_000 * index);
    const timed = (more: number[]) => seriesOf([...values, ...more], [...times, ...more]);
    const before = seen(timed([]), "known", ["ano_1"]);
    expect(before).toMatchObject({ points: 13, memory: "known" });
    expect(idsOf(before)).toEqual(["ano_1"]);
    expect(beginsWith(timed([]), before)).toBe(true);
    expect(beginsWith(timed([9, 8]), before)).toBe(true);
    expect(beginsWith(seriesOf(values.slice(0, 12), times.slice(0, 12)), before)).toBe(false);
    expect(beginsWith(seriesOf(values), before)).toBe(false);
    expect(beginsWith(seriesOf(values.with(5, 3), times), before)).toBe(false);
    expect(beginsWith(seriesOf(values, times.with(5, 3)), before)).toBe(false);
    expect(beginsWith(timed([]), undefined)).toBe(false);
  });

  it("are not recognised by times or changes of later points", () => {
    const before = seen(seriesOf([5, 5]), undefined, []);
    expect(beginsWith(seriesOf([5, 5, 5], [NONE, NONE, 60_000]), before)).toBe(false);
    expect(beginsWith(seriesOf([5, 5, ...changing(20)]), before)).toBe(false);
  });

  it("are stored with all ids of anomalies, in little room where these were made together", () => {
    const clock = fakeClock();
    const random = createRandom(clock, (length) => Buffer.alloc(length, 0xff));
    const made = Array.from({ length: 50_000 }, (_, index) => {
      if (index % 10_000 === 0) clock.advance(1);
      return random.id("ano");
    });
    const stored = seen(seriesOf([1]), undefined, made);
    expect(idsOf(stored)).toEqual(made);
    expect(JSON.stringify(stored).length).toBeLessThan(1000);
    expect(idsOf(seen(seriesOf([1]), undefined, [...made].reverse().slice(0, 99)))).toHaveLength(99);
  });

  it("are stored with the first thousand ids that do not follow each other", () => {
    const ids = Array.from({ length: 1001 }, (_, index) => `ano_${2 * index}`);
    expect(idsOf(seen(seriesOf([1]), undefined, ids))).toEqual(ids.slice(0, 1000));
  });

  it("have ids as older documents keep them, one by one", () => {
    expect(idsOf({ anomalies: ["ano_1", ["ano_00000002", 2]] })).toEqual([
      "ano_1",
      "ano_00000002",
      "ano_00000003",
    ]);
  });
});

describe("withReported()", () => {
  const finding = (index: number, kind: string) => ({ index, kind });
  const result = (verdict: string, ...findings: object[]) =>
    ({ verdict, findings }) as unknown as MetricResult;
  const entry = (id: string, index: number, kind: string, state: string) =>
    [id, { index, kind, state } as AnomalyDocument] as const;

  it("matches reported anomalies by index and kind, and omits dismissed ones", () => {
    const reported: Reported = [
      entry("a", 1, "spike", "open"),
      entry("b", 2, "drop", "dismissed"),
      entry("c", 3, "spike", "applied"),
    ];
    const found = [finding(1, "spike"), finding(1, "trend"), finding(2, "drop"), finding(3, "spike")];
    expect(withReported(result("anomalous", ...found), reported)).toEqual({
      verdict: "anomalous",
      findings: [
        { index: 1, kind: "spike", entry: reported[0] },
        { index: 1, kind: "trend", entry: undefined },
        { index: 3, kind: "spike", entry: reported[2] },
      ],
    });
  });

  it("returns the verdict ok if all findings were dismissed", () => {
    const reported = [entry("a", 1, "spike", "dismissed")];
    const verdictOf = (verdict: string, ...found: object[]) =>
      withReported(result(verdict, ...found), reported).verdict;
    expect(verdictOf("anomalous", finding(1, "spike"))).toBe("ok");
    expect(verdictOf("anomalous", finding(1, "spike"), finding(2, "spike"))).toBe("anomalous");
    expect(verdictOf("ok")).toBe("ok");
    expect(verdictOf("insufficient_data")).toBe("insufficient_data");
  });
});
