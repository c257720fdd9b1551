import { describe, expect, it } from "vitest";
import { builds, judge } from "../series.ts";

/** Builds, of which 60 points from each of some places on are what the first of them is. */
function frozen(...places: number[]): number[] {
  const values = builds(1500);
  for (const from of places) values.fill(values[from] as number, from, from + 60);
  return values;
}

function told(values: readonly number[]) {
  return judge(values).findings.filter(({ stillness }) => stillness);
}

describe("a gauge that always changed", () => {
  it("is reported where it stands still, each time, once", () => {
    expect(told(frozen(600, 1000))).toMatchObject([
      { index: 619, kind: "variance", stillness: { points: 20, longest: 1 } },
      { index: 1019, kind: "variance", stillness: { points: 20, longest: 1 } },
    ]);
  });

  it("is judged by how long it stayed the same before", () => {
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
