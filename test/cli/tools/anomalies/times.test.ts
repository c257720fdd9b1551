import { describe, expect, it } from "vitest";
import { timed } from "../../../../src/cli/tools/anomalies/times.ts";

const points = (...times: (number | string)[]) => times.map((at, value) => ({ at, value }));
const timesOf = (metrics: ReturnType<typeof timed>["metrics"], name = "secs") =>
  metrics[name]?.map((point) => (typeof point === "number" ? undefined : point.at));

const SOME_DAY = Date.UTC(2026, 8, 21, 14, 13, 20);

describe("timed() with numeric times", () => {
  it.each<[string, number[], number[]]>([
    ["seconds", [1.79e9, 1.79e9 + 60], [SOME_DAY, SOME_DAY + 60_000]],
    ["seconds with a fraction", [1.79e9 + 0.25], [SOME_DAY + 250]],
    ["seconds with milliseconds", [1_772_325_600.123], [1_772_325_600_123]],
    ["microseconds", [1.79e15, 1.79e15 + 1e6], [SOME_DAY, SOME_DAY + 1000]],
    ["nanoseconds", [1.79e18, 1.79e18 + 1e9], [SOME_DAY, SOME_DAY + 1000]],
  ])("reads %s by their magnitude, with a note", (unit, sent, read) => {
    const { metrics, notes } = timed({ secs: points(...sent) });
    expect(timesOf(metrics)).toEqual(read);
    expect(notes).toEqual([`Times are read as ${unit.split(" ")[0]} since 1970.`]);
  });

  it.each<[string, number[]]>([
    ["milliseconds of now", [1.79e12, 1.79e12 + 60_000]],
    ["milliseconds from a start", [0, 1.79e9]],
    ["small ones", [5, 6]],
    ["before 1970", [-1.79e9, -1.7e9]],
  ])("leaves times unchanged: %s", (_, sent) => {
    const { metrics, notes } = timed({ secs: points(...sent) });
    expect(timesOf(metrics)).toEqual(sent);
    expect(notes).toEqual([]);
  });

  it("finds the unit per metric, also beside texts, and leaves malformed points unchanged", () => {
    const { metrics, notes } = timed({
      secs: points(1.79e9, "1790000060", "2026-01-05 10:00"),
      load: points(1.79e12),
      wrong: [{ at: null }, null, 5] as never,
      none: "text" as never,
    });
    expect(timesOf(metrics)).toEqual(["2026-01-05T10:00", SOME_DAY, SOME_DAY + 60_000]);
    expect(timesOf(metrics, "load")).toEqual([1.79e12]);
    expect(metrics).toMatchObject({ wrong: [{ at: null }, null, 5], none: "text" });
    expect(notes).toEqual([
      'Times of "secs" are read as seconds since 1970.',
      'The points of "secs" are not in the order of their times: they are sorted, and counted in that order.',
    ]);
  });
});

describe("timed() and the order of points", () => {
  const SAID = "are not in the order of their times: they are sorted, and counted in that order.";

  it.each<[string, (number | string)[], number[]]>([
    ["newest first", ["2026-01-03", "2026-01-02", "2026-01-01"], [2, 1, 0]],
    ["shuffled", [1.79e12 + 2, 1.79e12, 1.79e12 + 1], [1, 2, 0]],
    ["of both forms", ["2026-01-02", Date.UTC(2026, 0, 1)], [1, 0]],
    ["in zones that the order of letters belies", ["2026-01-01T10:00Z", "2026-01-01T11:00+02:00"], [1, 0]],
    ["at one time, which stay as they came", [7, 5, 7, 5], [1, 3, 0, 2]],
  ])("sorts points that are %s", (_, times, order) => {
    const { metrics, notes } = timed({ secs: points(...times) });
    expect(metrics.secs?.map((point) => (point as { value: number }).value)).toEqual(order);
    expect(notes).toEqual([`The points ${SAID}`]);
  });

  it.each<[string, unknown[]]>([
    ["in order", points("2026-01-01", "2026-01-01", "2026-01-02")],
    ["partly without a time", [{ at: 9, value: 1 }, 5, { at: 3, value: 1 }]],
    ["partly at no time", points("2026-01-02", "2026-02-30", "2026-01-01")],
  ])("keeps the order of points that are %s", (_, sent) => {
    const { metrics, notes } = timed({ secs: sent as never });
    const values = (all: readonly unknown[] = []) => all.map((point) => (point as { value?: number }).value);
    expect(values(metrics.secs)).toEqual(values(sent));
    expect(notes).toEqual([]);
  });

  it("sorts each metric separately, and names the sorted ones", () => {
    const { metrics, notes } = timed({ a: points(5, 6), b: points(6, 5), c: [3, 2], d: points(8, 7) });
    expect(timesOf(metrics, "b")).toEqual([5, 6]);
    expect(metrics.c).toEqual([3, 2]);
    expect(notes).toEqual([`The points of "b", "d" ${SAID}`]);
  });
});

describe("timed() with textual times", () => {
  it.each([
    ["2026-01-05", "2026-01-05T00:00"],
    ["2026-01-05 10:00", "2026-01-05T10:00"],
    ["2026-01-05 10:00:00,5", "2026-01-05T10:00:00.5"],
    ["2026-01-05 10:00:00+00", "2026-01-05T10:00:00+00:00"],
    ["2026-01-05 10:00:00.123 UTC", "2026-01-05T10:00:00.123Z"],
    ["2026-01-05T10:00 +0100", "2026-01-05T10:00+0100"],
    ["2026-01-05T10:00Z", "2026-01-05T10:00Z"],
  ])("reads %s", (text, read) => expect(timesOf(timed({ secs: points(text) }).metrics)).toEqual([read]));

  it.each(["2026-02-30", "2026-13-01", "2026-01-05 25:00", "05.01.2026", "10:00", "soon", ""])(
    "leaves an invalid time unchanged: %s",
    (text) => expect(timesOf(timed({ secs: points(text) }).metrics)).toEqual([text]),
  );
});
