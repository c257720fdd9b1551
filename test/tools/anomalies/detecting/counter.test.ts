import { describe, expect, it } from "vitest";
import { judge, noise } from "../series.ts";

const HOUR_MS = 3_600_000;

interface Counted {
  everyMs?: number;
  /** Length of the stop. */
  stops?: number[];
  fallsAt?: number;
}

/** Reads a counter that stops for `stops` readings each, from the 200th on, a hundred readings apart. */
function readings({ everyMs = HOUR_MS, stops = [], fallsAt = -1 }: Counted) {
  let total = 0;
  const values = noise(600).map((each, index) => {
    const stop = stops[Math.floor(index / 100) - 2] ?? 0;
    if (index === fallsAt) total = 0;
    else if (index % 100 >= stop) total += Math.round(500 + 30 * each);
    return total;
  });
  return judge(values, { times: values.map((_, index) => index * everyMs) }).findings.flatMap(
    ({ index, kind, stillness }) => (stillness ? [{ index, kind, ...stillness }] : []),
  );
}

describe("a counter that is read once an hour", () => {
  it("is reported each time that it does not grow for four hours", () => {
    expect(readings({ stops: [6, 8] })).toEqual([
      { index: 203, kind: "variance", points: 5, longest: 1 },
      { index: 303, kind: "variance", points: 5, longest: 1 },
    ]);
  });

  it("is reported once, however long it stops", () => {
    expect(readings({ stops: [60] }).map(({ index }) => index)).toEqual([203]);
  });

  it("is not for three hours, nor where it stopped for two before", () => {
    expect(readings({ stops: [3] })).toEqual([]);
    expect(readings({ stops: [2, 8] })).toEqual([]);
  });

  it("is known after a hundred readings that grew since it last fell", () => {
    expect(readings({ stops: [6], fallsAt: 98 }).map(({ index }) => index)).toEqual([203]);
    expect(readings({ stops: [6], fallsAt: 102 })).toEqual([]);
  });
});

it("a counter that is read more often is reported after 20 points, once", () => {
  const everyMs = HOUR_MS / 12;
  expect(readings({ everyMs, stops: [18] })).toEqual([]);
  expect(readings({ everyMs, stops: [60] })).toEqual([
    { index: 218, kind: "variance", points: 20, longest: 1 },
  ]);
});

it("points without times are no hours", () => {
  const values = Array.from({ length: 300 }, (_, index) => Math.min(index, 280));
  expect(judge(values).findings.filter(({ stillness }) => stillness)).toMatchObject([
    { stillness: { points: 20 } },
  ]);
});
