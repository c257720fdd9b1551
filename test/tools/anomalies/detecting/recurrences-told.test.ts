import { describe, expect, it } from "vitest";
import type { Expectation } from "../../../../src/tools/anomalies/detecting/expectation.ts";
import { lengthOf, memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createRecurrences } from "../../../../src/tools/anomalies/detecting/recurrences.ts";

const EXPECTED: Expectation = { low: -10, mid: 0, high: 10 };
/** Earlier points, from -10 to 10. */
const USUAL = Float64Array.from({ length: 101 }, (_, index) => (index - 50) / 5);

function open({ step = 0, numbers = undefined as Float64Array | undefined } = {}) {
  const smallest = { get: () => step, learn: () => {} };
  const memory = memoryOver(
    numbers ?? new Float64Array(lengthOf((memory) => createRecurrences(memory, smallest))),
  );
  const recurrences = createRecurrences(memory, smallest);
  const next = (value: number, held: Float64Array = USUAL) => recurrences.strangeness(value, () => held);
  return {
    next,
    /** Adds `count` usual points. */
    quiet(count: number) {
      let told = 0;
      for (let point = 0; point < count; point++) told += next(0);
      expect(told).toBe(0);
    },
    /** Reports the last point. */
    report: (value: number, strangeness: number, expected = EXPECTED) =>
      recurrences.report(value, strangeness, expected),
    /** Adds a point and reports it. */
    strange(value: number, strangeness: number) {
      next(value);
      recurrences.report(value, strangeness, EXPECTED);
    },
  };
}

/** Returns the strangeness of a value that comes `points` points after another was reported. */
function toldAfter(reported: number, points: number, value: number, held = USUAL): number {
  const { strange, quiet, next } = open();
  strange(reported, 3);
  quiet(points - 1);
  return next(value, held);
}

describe("createRecurrences()", () => {
  it.each<[string, number, number, number, number]>([
    ["where it comes back", 100, 400, 100, 3],
    ["from half of the way to it on", 100, 400, 50, 3],
    ["and not before", 100, 400, 49.9, 0],
    ["below as well", -100, 400, -100, 3],
    ["from half of the way on", -100, 400, -50, 3],
    ["and not before that", -100, 400, -49.9, 0],
    ["not on the other side", 100, 400, -100, 0],
    ["nor there either", -100, 400, 100, 0],
    ["however much further off", 100, 400, 1e9, 3],
    ["after 320 points", 100, 320, 100, 3],
    ["and not after fewer", 100, 319, 100, 0],
  ])("reports a value again: %s", (_, reported, points, value, told) =>
    expect(toldAfter(reported, points, value)).toBe(told),
  );

  it("reports a value again only if its occurrences are 320 points apart on average", () => {
    const { strange, quiet, next } = open();
    strange(100, 2);
    quiet(319);
    expect(next(100)).toBe(2);
    quiet(318);
    expect(next(100)).toBe(0);
    // The third time was too early. By the fourth, there are 320 points for each again.
    quiet(320);
    expect(next(100)).toBe(2);
  });

  it("reports a value again only after more than seventy points without that value", () => {
    const told = (away: number) => {
      const { strange, quiet, next } = open();
      strange(100, 2);
      quiet(1000);
      expect(next(100)).toBe(2);
      quiet(away - 1);
      return next(100);
    };
    expect([told(70), told(71)]).toEqual([0, 2]);
  });

  it("counts occurrences up to ten points apart as one", () => {
    const told = (gap: number) => {
      const { strange, quiet, next } = open();
      strange(100, 2);
      // Four more points of it, which count as the same occurrence or as new ones.
      for (let more = 0; more < 4; more++) {
        quiet(gap - 1);
        next(100);
      }
      quiet(400);
      return next(100);
    };
    expect([told(10), told(11)]).toEqual([2, 0]);
  });

  it("reports a value again only if at least half of the points before differ from that value", () => {
    const held = (share: number) =>
      Float64Array.from({ length: 100 }, (_, at) => (at < share ? 100 : at % 5));
    expect([50, 51].map((share) => toldAfter(100, 400, 100, held(share)))).toEqual([3, 0]);
  });

  it("reports a value again only if it exceeds the usual range by over half of the width", () => {
    const wide = (high: number) => Float64Array.from({ length: 101 }, (_, at) => (high * at) / 100);
    // The bounds are at 1 % and 99 %, so 50 exceeds the upper one by more than half of their distance up to 33.8.
    expect(toldAfter(100, 400, 50, wide(33.7))).toBe(3);
    expect(toldAfter(100, 400, 50, wide(33.9))).toBe(0);
  });

  it("reports a value again only if it exceeds the usual range by over one counting step", () => {
    const told = (step: number) => {
      const { strange, quiet, next } = open({ step });
      strange(100, 3);
      quiet(399);
      return next(51);
    };
    // The upper bound of the usual is 9.8.
    expect([told(41), told(41.3)]).toEqual([3, 0]);
  });

  it("remembers a value only if it exceeded the range expected then by over half of the width", () => {
    const told = (value: number) => {
      const { next, report, quiet } = open();
      next(value);
      report(value, 3, { low: -10, mid: 0, high: 10 });
      quiet(400);
      return next(100);
    };
    expect([20, 20.1, -20, -20.1].map(told)).toEqual([0, 3, 0, 0]);
  });
});

describe("heights remembered by createRecurrences()", () => {
  it("are as strange as the strangest of similar values", () => {
    const { strange, quiet, next } = open();
    strange(100, 2);
    strange(110, 5);
    strange(100, 1);
    quiet(400);
    expect(next(100)).toBe(5);
  });

  it("are separate if far apart, and the strangest one is reported", () => {
    const { strange, quiet, next } = open();
    strange(100, 2);
    strange(1000, 5);
    quiet(700);
    expect(next(100)).toBe(2);
    quiet(700);
    expect(next(1000)).toBe(5);
  });

  it("are one if the edge of one is at least half as far off as the edge of the other", () => {
    const told = (other: number) => {
      const { strange, quiet, next } = open();
      strange(100, 2);
      strange(other, 5);
      quiet(700);
      return next(100);
    };
    // Edges of 50, and of 100 or slightly more.
    expect([told(200), told(201)]).toEqual([5, 2]);
    // 40 is below the edge of the first height, so it is a second one, whose edge the first exceeds as well.
    const { strange, quiet, next } = open();
    strange(100, 2);
    strange(40, 5);
    quiet(700);
    expect(next(45)).toBe(5);
    quiet(700);
    expect(next(100)).toBe(5);
  });

  it("are separate above and below the usual range", () => {
    const { strange, quiet, next } = open();
    strange(100, 2);
    strange(-100, 5);
    quiet(700);
    expect(next(100)).toBe(2);
    quiet(700);
    expect(next(-100)).toBe(5);
  });

  it("are at most eight, and the oldest one is replaced first", () => {
    const heights = Array.from({ length: 9 }, (_, at) => 25 * 10 ** at);
    const told = (count: number) => {
      const { strange, quiet, next } = open();
      for (const [at, height] of heights.slice(0, count).entries()) strange(height, at + 2);
      quiet(9000);
      return next(25);
    };
    expect([told(8), told(9)]).toEqual([2, 0]);
  });

  it("are kept for the next session", () => {
    const numbers = new Float64Array(100);
    const first = open({ numbers });
    first.strange(100, 4);
    first.quiet(200);
    const second = open({ numbers });
    second.quiet(200);
    expect(second.next(100)).toBe(4);
  });
});
