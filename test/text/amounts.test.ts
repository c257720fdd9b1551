import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteSize, count, duration, number, relativeTime, span, wait } from "../../src/text/amounts.ts";

const DAY = 24 * 60 * 60 * 1000;
const MS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, day: DAY, days: DAY };
const BYTES = { B: 1, KiB: 1024, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 };

/** Reads amounts such as `1,023.9 KiB` or `1 h 20 min` back: each number, and how much its unit is. */
function parts(text: string, units: Record<string, number>): [value: number, size: number][] {
  return [...text.matchAll(/([\d,.]+) (\w+)/g)].map(([, value = "", unit = ""]) => {
    expect(Object.keys(units)).toContain(unit);
    return [Number(value.replaceAll(",", "")), units[unit] as number];
  });
}

const total = (text: string, units: Record<string, number>) =>
  parts(text, units).reduce((sum, [value, size]) => sum + value * size, 0);

const amount = fc.oneof(
  fc.double({ min: 0, max: 2 ** 45, noNaN: true }),
  // About where one unit ends and the next begins.
  fc
    .tuple(
      fc.constantFrom(...Object.values({ ...MS, ...BYTES })),
      fc.double({ min: -2, max: 2, noNaN: true }),
    )
    .map(([size, off]) => Math.max(0, size + off)),
);

describe.each([
  ["duration()", duration, MS],
  ["span()", span, MS],
  ["wait()", wait, MS],
  ["byteSize()", byteSize, BYTES],
] as const)("%s", (_, format, units) => {
  it("never writes as many of a unit as make up the next", () => {
    const sizes = [...new Set(Object.values(units))];
    fc.assert(
      fc.property(amount, (value) => {
        for (const [whole, size] of parts(format(value), units)) {
          const next = sizes.find((each) => each > size) ?? Number.POSITIVE_INFINITY;
          expect(whole * size).toBeLessThan(next);
        }
      }),
    );
  });

  it("never writes more for less", () => {
    fc.assert(
      fc.property(amount, amount, (one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(total(format(less), units)).toBeLessThanOrEqual(total(format(more), units));
      }),
    );
  });
});

it("wait() never promises too little", () => {
  fc.assert(
    fc.property(amount, (ms) => {
      // A tenth of a millisecond: what floating point may lose of years.
      expect(total(wait(ms), MS) + 0.1).toBeGreaterThanOrEqual(ms);
    }),
  );
});

it.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [999.6, "1 s"],
  [59_600, "1 min"],
  [3_599_000, "1 h"],
  [23.6 * 3_600_000, "1 day"],
  [90 * DAY - 1, "90 days"],
  [5000 * DAY, "5,000 days"],
])("duration() writes %d ms as %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

it.each([
  [0, "0"],
  [0.6, "1 ms"],
  [1250, "1 s 250 ms"],
  [4_800_000, "1 h 20 min"],
  [3_600_000, "1 h"],
  [59_999.6, "1 min"],
  [2 * DAY, "2 days"],
])("span() writes %d ms as %s", (ms, text) => {
  expect(span(ms)).toBe(text);
});

it.each([
  [0, "0"],
  [0.2, "1 ms"],
  [65_000, "1 min 5 s"],
  [3_599_001, "1 h"],
  [DAY - 20_000, "1 day"],
  [DAY + 1, "1 day 1 h"],
])("wait() writes %d ms as %s", (ms, text) => {
  expect(wait(ms)).toBe(text);
});

it.each([
  [0, "now"],
  [-999, "now"],
  [-59_700, "1 min ago"],
  [86_399_000, "in 1 day"],
])("relativeTime() writes %d ms from now as %s", (ahead, text) => {
  expect(relativeTime(1e12 + ahead, 1e12)).toBe(text);
  expect(relativeTime(new Date(1e12 + ahead).toISOString(), 1e12)).toBe(text);
});

it.each([
  [0, "0 B"],
  [1023, "1,023 B"],
  [1024, "1 KiB"],
  [1_048_575, "1 MiB"],
  [33_030_144, "31.5 MiB"],
  [5000 * 2 ** 40, "5,000 TiB"],
])("byteSize() writes %d bytes as %s", (bytes, text) => {
  expect(byteSize(bytes)).toBe(text);
});

it.each([
  [0, "0"],
  [999, "999"],
  [1000, "1,000"],
  [1_234_567.25, "1,234,567.3"],
  [-12_345.04, "-12,345"],
  [999.95, "1,000"],
  [0.5, "0.5"],
])("number() writes %d as %s", (value, text) => {
  expect(number(value)).toBe(text);
});

it("count() takes the singular for what reads as one", () => {
  expect([0, 0.5, 0.96, 1, 1.04, 2, 1200].map((value) => count(value, "event"))).toEqual([
    "0 events",
    "0.5 events",
    "1 event",
    "1 event",
    "1 event",
    "2 events",
    "1,200 events",
  ]);
  expect([1, 2].map((value) => count(value, "entity", "entities"))).toEqual(["1 entity", "2 entities"]);
});
