import fc from "fast-check";
import { expect, it } from "vitest";
import { counted, type Series, upTo } from "../../../../src/tools/observability/groups/series.ts";

const MOST = 24;
const UNIT = 1000;

it("counted() agrees with a model that keeps all events within the window", () => {
  const event = fc.record({ at: fc.integer({ min: 0, max: 60 * UNIT }), by: fc.integer({ min: 1, max: 9 }) });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let series: Series | undefined;
      let newest = 0;
      // All events that are still within the window.
      let kept: typeof events = [];
      for (const { at, by } of events) {
        newest = Math.max(newest, Math.floor(at / UNIT));
        series = counted(series, { at, by, unitMs: UNIT, most: MOST });
        kept = [...kept, { at, by }].filter((each) => Math.floor(each.at / UNIT) > newest - MOST);
      }
      expect(series?.counts.length ?? 0).toBeLessThanOrEqual(MOST);
      const { from, counts } = upTo(series, { now: newest * UNIT, unitMs: UNIT, most: MOST });
      const expected = counts.map((_, index) =>
        kept.filter(({ at }) => Math.floor(at / UNIT) === from + index).reduce((sum, { by }) => sum + by, 0),
      );
      expect(counts).toEqual(expected);
    }),
  );
});
