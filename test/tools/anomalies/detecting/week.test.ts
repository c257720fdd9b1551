import { describe, expect, it } from "vitest";
import { NUMBERS } from "../../../../src/tools/anomalies/detecting/counter.ts";
import { createDetector } from "../../../../src/tools/anomalies/detecting/detector.ts";
import { lengthOf } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { ADDED } from "../../../../src/tools/anomalies/detecting/week.ts";
import { packed, unpacked } from "../../../../src/tools/anomalies/packed.ts";
import { judge, noise } from "../series.ts";

const HOUR = 3_600_000;
/** A Monday. */
const START = Date.UTC(2026, 0, 5);
const DAYS = 84;
const SUNDAY = 69;
const TUESDAY = 64;

interface Day {
  day: number;
  /** Load of each hour of that day, instead of the usual. */
  load: (hour: number) => number;
}

/** Returns twelve weeks of load, a point every quarter of an hour, which is low at night and at weekends. */
function weeks(otherwise?: Day, seed = 5): { values: number[]; times: number[] } {
  const times = Array.from({ length: DAYS * 96 }, (_, index) => START + (index * HOUR) / 4);
  const jitter = noise(times.length, seed);
  const values = times.map((_, index) => {
    const [day, hour] = [Math.floor(index / 96), (index % 96) / 4];
    const usual = otherwise?.day === day ? otherwise.load(hour) : loadOf(day, hour);
    return usual + 2 * (jitter[index] as number);
  });
  return { values, times };
}

function loadOf(day: number, hour: number): number {
  return (day % 7 > 4 ? 20 : 100) * (0.3 + Math.max(0, Math.sin(((hour - 6) / 14) * Math.PI)));
}

function departures({ values, times }: { values: number[]; times: number[] }) {
  return judge(values, { times })
    .findings.filter(({ departure }) => departure)
    .map(({ index, kind }) => `${kind} on day ${Math.floor(index / 96)}`);
}

describe("weekly departures of a metric", () => {
  it("are not reported while the weeks are alike", () => {
    expect(departures(weeks())).toEqual([]);
  });

  it("include one spike for a Sunday that is like a Monday", () => {
    const monday = weeks({ day: SUNDAY, load: (hour) => loadOf(0, hour) });
    expect(departures(monday)).toEqual([`spike on day ${SUNDAY}`]);
  });

  it("include one drop for a missing daily peak, with the actual and the usual mean", () => {
    const flat = weeks({ day: TUESDAY, load: () => 30 });
    expect(departures(flat)).toEqual([`drop on day ${TUESDAY}`]);
    const found = judge(flat.values, { times: flat.times }).findings.find(({ departure }) => departure);
    expect(found?.departure?.usual).toBeGreaterThan(60);
    expect(found?.departure?.mean).toBeLessThan(35);
  });

  it("include one drop for a missing daily peak with any noise", () => {
    for (const seed of [5, 6, 7]) {
      const flat = weeks({ day: TUESDAY, load: () => 30 }, seed);
      expect(departures(flat)).toEqual([`drop on day ${TUESDAY}`]);
    }
  });

  it("are not reported in the first three weeks, nor without times", () => {
    const early = weeks({ day: 15, load: () => 30 });
    expect(
      departures({ values: early.values.slice(0, 96 * 21), times: early.times.slice(0, 96 * 21) }),
    ).toEqual([]);
    const { values } = weeks({ day: TUESDAY, load: () => 30 });
    expect(departures({ values, times: values.map(() => Number.NaN) })).toEqual([]);
  });

  it("have finite strangeness for huge values and times in any order", () => {
    const { times } = weeks();
    const huge = times.map((_, index) => (index % 2 === 0 ? 1 : -1) * 1e100);
    for (const order of [times, times.toReversed()]) {
      for (const { strangeness } of judge(huge, { times: order }).findings) {
        expect(Number.isFinite(strangeness)).toBe(true);
      }
    }
  });

  it("include a drop by a third for a day of a metric that grows, when the weeks before lag behind it", () => {
    const { values, times } = weeks();
    const grown = values.map((value, index) => {
      const day = Math.floor(index / 96);
      return (value + 30) * (1 + 0.004 * day) * (day === TUESDAY ? 0.7 : 1);
    });
    expect(departures({ values: grown, times })).toEqual([`drop on day ${TUESDAY}`]);
  });
});

describe("points that come once a day", () => {
  const DAY = 24 * HOUR;
  const times = Array.from({ length: 140 }, (_, day) => START + day * DAY);
  const jitter = noise(times.length, 3);
  const signUps = times.map(
    (_, day) => (1000 + 5 * day) * (day % 7 > 4 ? 0.5 : 1) * (1 + 0.015 * (jitter[day] as number)),
  );

  it("are not reported while they grow as they did", () => {
    expect(judge(signUps, { times }).findings.filter(({ departure }) => departure)).toEqual([]);
  });

  it("are reported at once if one is far off for its day of the week, though not for a week-end", () => {
    const dropped = signUps.map((value, day) => (day === 121 ? value * 0.7 : value));
    const found = judge(dropped, { times }).findings.filter(({ departure }) => departure);
    expect(found).toMatchObject([{ index: 121, kind: "drop", departure: { alone: true } }]);
    const { mean, usual } = found[0]?.departure ?? { mean: 0, usual: 0 };
    expect(mean / usual).toBeGreaterThan(0.65);
    expect(mean / usual).toBeLessThan(0.75);
  });

  it("are not judged by their day if only the night before them is a pause", () => {
    const daytime = weeks();
    const office = daytime.times.flatMap((at, index) => ((at / HOUR) % 24 >= 12 ? [index] : []));
    const result = judge(
      office.map((index) => daytime.values[index] as number),
      { times: office.map((index) => daytime.times[index] as number) },
    );
    expect(result.findings.filter(({ departure }) => departure?.alone)).toEqual([]);
  });
});

describe("what was learned before the growth of a metric was", () => {
  it("is continued", () => {
    const { values, times } = weeks({ day: TUESDAY, load: () => 30 });
    const [before, after] = [
      [0, 60 * 96],
      [60 * 96, values.length],
    ].map(([from, to]) => ({ values: values.slice(from, to), times: times.slice(from, to) })) as [
      { values: number[]; times: number[] },
      { values: number[]; times: number[] },
    ];
    const { memory } = judge(before.values, { times: before.times });
    const length = lengthOf(createDetector);
    const shorter = packed(unpacked(memory, length).slice(0, length - ADDED - NUMBERS));
    const found = judge(after.values, { times: after.times, memory: shorter }).findings;
    expect(found.filter(({ departure }) => departure).map(({ index }) => Math.floor(index / 96))).toEqual([
      TUESDAY - 60,
    ]);
  });
});
