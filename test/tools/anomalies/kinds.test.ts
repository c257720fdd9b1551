import { describe, expect, it } from "vitest";
import { builds, found, judge, noise } from "./series.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const from = 300;

describe("anomaly detection", () => {
  it("reports nothing in a constant series", () => {
    expect(judge(Array.from({ length: 1000 }, () => 5))).toMatchObject({
      findings: [],
      verdict: "ok",
      baseline: { low: 5, mid: 5, high: 5 },
    });
  });

  it("reports a spike or a drop for a single outlier", () => {
    for (const [add, kind] of [
      [60, "spike"],
      [-60, "drop"],
    ] as const) {
      const result = judge(builds(600, { from, add: (since) => (since === 0 ? add : 0) }));
      const finding = result.findings.find(({ index }) => index === from);
      expect(finding).toMatchObject({ kind, before: 288 });
      expect(finding?.expected.low).toBeGreaterThan(90);
      expect(finding?.expected.high).toBeLessThan(110);
      expect(found(result)).toEqual(
        expect.not.arrayContaining([expect.stringMatching(/level_shift|trend|missing/)]),
      );
    }
  });

  it("reports a spike even in a short first session", () => {
    expect(found(judge(builds(40, { from: 30, add: (since) => (since === 0 ? 60 : 0) })))).toEqual([
      "30 spike",
    ]);
  });

  it("reports a level shift once a step has lasted for eight points", () => {
    const up = judge(builds(600, { from, add: () => 40 }));
    expect(found(up).slice(0, 2)).toEqual(["300 spike", "307 level_shift"]);
    const [spike, shift] = up.findings;
    expect(shift).toMatchObject({ expected: spike?.expected, before: spike?.before });
    const down = judge(builds(600, { from, add: () => -40 }));
    expect(found(down).slice(0, 2)).toEqual(["300 drop", "307 level_shift"]);
  });

  it("reports a trend for steadily rising or falling values", () => {
    for (const slope of [3, -3]) {
      const kinds = found(judge(builds(360, { from, add: (since) => slope * since })));
      expect(kinds.some((kind) => /^3[01]\d trend$/.test(kind))).toBe(true);
    }
  });

  it("reports a variance once values spread wider to both sides", () => {
    const wild = builds(400).map((each, index) => (index < from ? each : 100 + 6 * (each - 100)));
    const result = judge(wild);
    const finding = result.findings.find(({ kind }) => kind === "variance");
    expect(finding?.index).toBeGreaterThan(from);
    expect(finding?.index).toBeLessThan(from + 30);
  });

  it("reports missing data after a pause of more than ten usual intervals", () => {
    const values = builds(100);
    const at = (pause: number) => values.map((_, index) => index * MINUTE + (index >= 60 ? pause : 0));
    const result = judge(values, { times: at(30 * MINUTE) });
    expect(result.findings).toMatchObject([
      { index: 60, kind: "missing_data", pause: { ms: 31 * MINUTE, usualMs: MINUTE } },
    ]);
    expect(judge(values, { times: at(5 * MINUTE) }).findings).toEqual([]);
  });

  it("reports no missing data between sessions, or if long pauses are frequent", () => {
    const first = judge(builds(50), { times: builds(50).map((_, index) => index * MINUTE) });
    const later = builds(50).map((_, index) => 1e9 + index * MINUTE);
    expect(judge(builds(50), { times: later, memory: first.memory }).findings).toEqual([]);
    let now = 0;
    const often = builds(400).map((_, index) => {
      now += index % 5 === 0 ? 60 * MINUTE : MINUTE;
      return now;
    });
    expect(judge(builds(400), { times: often }).findings.map(({ kind }) => kind)).not.toContain(
      "missing_data",
    );
  });

  it("finds a spike, but no missing data, if times repeat or run backwards", () => {
    const values = builds(400, { from, add: (since) => (since === 0 ? 60 : 0) });
    for (const times of [values.map(() => 0), values.map((_, index) => -index * MINUTE)]) {
      expect(found(judge(values, { times }))).toContain("300 spike");
      expect(found(judge(values, { times })).filter((each) => each.includes("missing"))).toEqual([]);
    }
  });

  it("reports a spike for a value that is unusual only at its time of day", () => {
    const values = builds(3000).map((each, index) => 0.1 * each + (index % 96 >= 48 ? 200 : 100));
    const times = values.map((_, index) => index * 15 * MINUTE);
    const night = 96 * 28 + 20;
    values[night] = 210;
    const finding = judge(values, { times }).findings.find(({ index }) => index === night);
    expect(finding).toMatchObject({ kind: "spike" });
    expect(finding?.expected.high).toBeGreaterThan(205);
  });

  it("reports a spike soon after another only if the later one is stranger", () => {
    const add = (since: number) => ([15, 25, 35].includes(since) ? 60 : since === 0 ? 15 : 0);
    const spikes = found(judge(builds(600, { from, add }))).filter((each) => each.endsWith("spike"));
    expect(spikes.filter((each) => /^3[0123]/.test(each))).toEqual(["300 spike", "315 spike"]);
  });
});

describe("detection with settings and pauses", () => {
  it("reports values beyond a threshold once until they are back within it", () => {
    const values = builds(60).map((each, index) => ([20, 21, 22, 40].includes(index) ? 140 : each));
    const result = judge(values, { settings: { high: 130 }, sensitivity: "low" });
    expect(result.findings).toMatchObject([
      { index: 20, kind: "spike", threshold: 130 },
      { index: 40, kind: "spike", threshold: 130 },
    ]);
    const below = judge(values, { settings: { low: 120 }, sensitivity: "low" });
    expect(found(below).slice(0, 2)).toEqual(["20 spike", "23 drop"]);
  });

  it("reports values beyond a threshold at low sensitivity and after dismissals as well", () => {
    const values = builds(60).map((each, index) => (index === 40 ? 131 : each));
    const quiet = { sensitivity: "low", weights: { spike: 0.2 } } as const;
    expect(found(judge(values, { ...quiet, settings: { high: 130 } }))).toEqual(["40 spike"]);
    expect(found(judge(values, quiet))).toEqual([]);
  });

  it("reports only the first night, the first weekend and a day off as missing data", () => {
    const monday = Date.UTC(2026, 0, 5);
    const dayOff = 44;
    const days = Array.from({ length: 84 }, (_, day) => day).filter((day) => day % 7 < 5 && day !== dayOff);
    const times = days.flatMap((day) =>
      Array.from({ length: 60 }, (_, build) => monday + day * 24 * HOUR + 8 * HOUR + build * 10 * MINUTE),
    );
    const { findings } = judge(noise(times.length), { times });
    const missing = findings.flatMap(({ index, pause }) => (pause ? [[times[index], pause.ms]] : []));
    const at = (day: number) => monday + day * 24 * HOUR + 8 * HOUR;
    const night = 14 * HOUR + 10 * MINUTE;
    expect(missing).toEqual([
      [at(1), night],
      [at(7), night + 48 * HOUR],
      [at(dayOff + 1), night + 24 * HOUR],
    ]);
  });

  it("reports missing data for each of several outages at different times of day", () => {
    const outages = Array.from({ length: 10 }, (_, outage) => 200 + 137 * outage);
    let at = 0;
    const times = noise(2000).map((_, index) => {
      at += outages.includes(index) ? 2 * HOUR : MINUTE;
      return at;
    });
    const { findings } = judge(noise(2000), { times });
    expect(findings.filter(({ pause }) => pause).map(({ index }) => index)).toEqual(outages);
  });

  it("seldom reports missing data if pauses are irregular and of any length", () => {
    for (const seed of [1, 2, 3]) {
      const [chance, length] = [noise(2400, seed), noise(2400, seed + 10)];
      let at = 0;
      const times = chance.map((each, index) => {
        const pause = Math.exp(1 + 1.5 * Math.abs(length[index] as number));
        at += Math.round(5 * MINUTE * (each > 1.28 ? pause : 1));
        return at;
      });
      const { findings } = judge(noise(2400), { times });
      expect(findings.filter(({ pause }) => pause).length).toBeLessThanOrEqual(15);
    }
  });

  it("reports a pause longer than maxGapMs, regardless of the usual interval", () => {
    const values = builds(60);
    const times = values.map((_, index) => index * MINUTE + (index >= 30 ? 3 * MINUTE : 0));
    const found = (maxGapMs: number) => judge(values, { times, settings: { maxGapMs }, sensitivity: "low" });
    expect(found(2 * MINUTE).findings).toMatchObject([{ index: 30, pause: { allowedMs: 2 * MINUTE } }]);
    expect(found(5 * MINUTE).findings).toEqual([]);
  });

  it("refuses a series with too many values beyond a threshold", () => {
    const flapping = Array.from({ length: 110_000 }, (_, index) => index % 2);
    expect(() => judge(flapping, { settings: { high: 0.5 } })).toThrow(
      /"build_seconds" are beyond what was set/,
    );
  });
});
