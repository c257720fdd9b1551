import { describe, expect, it } from "vitest";
import { timed } from "../../../../src/cli/tools/anomalies/times.ts";

const points = (...times: (number | string)[]) => times.map((at, value) => ({ at, value }));
const timesOf = (metrics: ReturnType<typeof timed>["metrics"], name = "secs") =>
  metrics[name]?.map((point) => (typeof point === "number" ? undefined : point.at));

const SOME_DAY = Date.UTC(2026, 8, 21, 14, 13, 20);

describe("numbers that are times", () => {
  it.each<[string, number[], number[]]>([
    ["seconds", [1.79e9, 1.79e9 + 60], [SOME_DAY, SOME_DAY + 60_000]],
    ["seconds with a fraction", [1.79e9 + 0.25], [SOME_DAY + 250]],
    ["microseconds", [1.79e15, 1.79e15 + 1e6], [SOME_DAY, SOME_DAY + 1000]],
    ["nanoseconds", [1.79e18, 1.79e18 + 1e9], [SOME_DAY, SOME_DAY + 1000]],
  ])("are read as %s by their magnitude, which is said", (unit, sent, read) => {
    const { metrics, notes } = timed({ secs: points(...sent) });
    expect(timesOf(metrics)).toEqual(read);
    expect(notes).toEqual([`Times are read as ${unit.split(" ")[0]} since 1970.`]);
  });

  it.each<[string, number[]]>([
    ["milliseconds of now", [1.79e12, 1.79e12 + 60_000]],
    ["milliseconds from a start", [0, 1.79e9]],
    ["small ones", [5, 6]],
    ["before 1970", [-1.79e9, -1.7e9]],
  ])("stay as they are where they are %s", (_, sent) => {
    const { metrics, notes } = timed({ secs: points(...sent) });
    expect(timesOf(metrics)).toEqual(sent);
    expect(notes).toEqual([]);
  });

  it("have the unit of their metric, beside texts, and leave to the engine what is no point", () => {
    const { metrics, notes } = timed({
      secs: points("2026-01-05 10:00", 1.79e9, "1790000060"),
      load: points(1.79e12),
      wrong: [{ at: null }, null, 5] as never,
      none: "text" as never,
    });
    expect(timesOf(metrics)).toEqual(["2026-01-05T10:00", SOME_DAY, SOME_DAY + 60_000]);
    expect(timesOf(metrics, "load")).toEqual([1.79e12]);
    expect(metrics).toMatchObject({ wrong: [{ at: null }, null, 5], none: "text" });
    expect(notes).toEqual(['Times of "secs" are read as seconds since 1970.']);
  });
});

describe("texts that are times", () => {
  it.each([
    ["2026-01-05", "2026-01-05T00:00"],
    ["2026-01-05 10:00", "2026-01-05T10:00"],
    ["2026-01-05 10:00:00,5", "2026-01-05T10:00:00.5"],
    ["2026-01-05 10:00:00+00", "2026-01-05T10:00:00+00:00"],
    ["2026-01-05 10:00:00.123 UTC", "2026-01-05T10:00:00.123Z"],
    ["2026-01-05T10:00 +0100", "2026-01-05T10:00+0100"],
    ["2026-01-05T10:00Z", "2026-01-05T10:00Z"],
  ])("may be %s", (text, read) => expect(timesOf(timed({ secs: points(text) }).metrics)).toEqual([read]));

  it.each(["2026-02-30", "2026-13-01", "2026-01-05 25:00", "05.01.2026", "10:00", "soon", ""])(
    "stay as they are where they are none: %s",
    (text) => expect(timesOf(timed({ secs: points(text) }).metrics)).toEqual([text]),
  );
});
