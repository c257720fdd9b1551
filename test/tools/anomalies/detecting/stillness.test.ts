import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createStillnessWatch } from "../../../../src/tools/anomalies/detecting/stillness.ts";
import { builds, judge, noise } from "../series.ts";

/** Returns builds in which 60 points from some indexes on repeat the first of them. */
function frozen(...places: number[]): number[] {
  const values = builds(1500);
  for (const from of places) values.fill(values[from] as number, from, from + 60);
  return values;
}

function told(values: readonly number[]) {
  return judge(values).findings.filter(({ stillness }) => stillness);
}

describe("a gauge that always changed", () => {
  it("is reported once each time that it stands still", () => {
    expect(told(frozen(600, 1000))).toMatchObject([
      { index: 619, kind: "variance", stillness: { points: 20, longest: 1 } },
      { index: 1019, kind: "variance", stillness: { points: 20, longest: 1 } },
    ]);
  });

  it("is judged by the longest earlier run of equal values", () => {
    const steps = builds(1500).map((_, index, all) => all[index - (index % 10)] as number);
    expect(told(steps)).toEqual([]);
    steps.fill(steps[1200] as number, 1200, 1300);
    expect(told(steps)).toMatchObject([{ index: 1249, stillness: { points: 50, longest: 10 } }]);
  });

  it("is not judged before it has changed often", () => {
    expect(told(frozen(60))).toEqual([]);
    expect(told(Array.from({ length: 1000 }, (_, index) => Math.floor(index / 30)))).toEqual([]);
  });
});

it("after a hundred changes, 20 equal values or five times the longest earlier run are reported", () => {
  const lengths = fc
    .tuple(
      fc.array(fc.integer({ min: 1, max: 24 }), { maxLength: 10 }),
      fc.integer({ min: 85, max: 100 }),
      fc.array(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 15, max: 130 })), {
        maxLength: 10,
      }),
    )
    .map(([early, often, late]) => [...early, ...Array<number>(often).fill(1), ...late]);
  fc.assert(
    fc.property(lengths, (lengths) => {
      let longest = 0;
      const expected = lengths.flatMap((length, stretch) => {
        const points = Math.max(20, 5 * longest);
        if (stretch >= 100 && length >= points) return [{ stretch, points, longest }];
        longest = Math.max(longest, length);
        return [];
      });
      const watch = createStillnessWatch(memoryOver(new Float64Array(4)));
      const found = lengths.flatMap((length, stretch) =>
        Array.from({ length }, () => watch.next(stretch % 2)).flatMap((told) =>
          told ? [{ stretch, ...told }] : [],
        ),
      );
      expect(found).toEqual(expected);
    }),
  );
});

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
