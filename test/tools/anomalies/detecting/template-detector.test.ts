import { describe, expect, it } from "vitest";
import { memoryOver } from "../../../../src/tools/anomalies/detecting/memory.ts";
import { createTemplateDetector } from "../../../../src/tools/anomalies/detecting/template-detector.ts";

const TOLERANCE = 0.05;

/** Opens a detector. `of` returns the strangeness of a feature vector of one or two features. */
function open(width: 1 | 2 = 1, numbers = new Float64Array(1000)) {
  const judge = createTemplateDetector(memoryOver(numbers), width, TOLERANCE);
  const of = (...features: number[]) => judge(Float64Array.from(features));
  /** Adds values and returns the strangeness of the last. */
  const last = (values: readonly number[]) => values.map((value) => of(value)).at(-1) as number;
  return { of, last };
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("a point", () => {
  it("is not strange if a point within the tolerance of the range is known", () => {
    const { of, last } = open();
    last([0, 100, ...times(20, 0)]);
    expect(of(4.9)).toBe(0);
    expect(of(96)).toBe(0);
    expect(of(50)).toBeGreaterThan(0);
    expect(of(50)).toBe(0);
  });

  it("is stranger the further off it is, up to five times the tolerance", () => {
    const strangeness = (value: number) => open().last([0, 100, ...times(50, 0), value]);
    expect(strangeness(10.2) / strangeness(5.1)).toBeCloseTo(2);
    expect(strangeness(25) / strangeness(5.1)).toBeCloseTo(5 / 1.02);
    expect(strangeness(50)).toBe(strangeness(25));
  });

  it("is stranger the rarer new points were of late", () => {
    const quiet = open().last([0, 100, ...times(500, 0), 50]);
    const lively = open().last([0, 100, ...times(50, 0), 50]);
    const wild = open().last([0, ...Array.from({ length: 10 }, (_, index) => 100 * (index + 1)), 2000]);
    expect(quiet).toBeGreaterThan(lively);
    expect(lively).toBeGreaterThan(wild);
    expect(wild).toBeGreaterThan(0);
  });

  it("is strange again after 4,000 points without a similar one, and fully so after 8,000", () => {
    const again = (absence: number) => open().last([0, 100, ...times(absence, 100), 0]);
    expect(again(3990)).toBe(0);
    expect(again(5000)).toBeGreaterThan(0);
    expect(again(6000)).toBeGreaterThan(again(5000));
    expect(again(12_000)).toBeGreaterThan(again(6000));
    expect(again(12_000) / again(16_000)).toBeCloseTo(1, 1);
  });

  it("is not strange if values drift slowly", () => {
    const { of, last } = open();
    last([0, 100, ...times(20, 0)]);
    for (let index = 0; index < 200; index++) expect(of(index / 10)).toBe(0);
    expect(of(0)).toBeGreaterThan(0);
  });

  it("is known by its two features together, not by each on its own", () => {
    const { of } = open(2);
    for (let round = 0; round < 20; round++) {
      of(0, 0);
      of(100, 100);
    }
    expect([of(0, 0), of(100, 100), of(2, 2), of(98, 97)]).toEqual([0, 0, 0, 0]);
    expect(of(0, 100)).toBeGreaterThan(0);
    expect(of(100, 0)).toBeGreaterThan(0);
    expect(of(0, 100)).toBe(0);
  });

  it("is strange by the average distance of its features in shares of their own ranges", () => {
    const { of } = open(2);
    for (let round = 0; round < 20; round++) {
      of(0, 0);
      of(1, 1000);
    }
    expect(of(0.09, 0)).toBe(0);
    expect(of(0, 90)).toBe(0);
    expect(of(0.09, 90)).toBeGreaterThan(0);
  });

  it("replaces the least recently met of a hundred known points", () => {
    const { of } = open(2);
    const grid = Array.from({ length: 100 }, (_, index) => [Math.floor(index / 10), index % 10] as const);
    for (const [row, column] of grid) of(row, column);
    for (const [row, column] of grid) expect(of(row, column)).toBe(0);
    expect(of(4.5, 4.5)).toBeGreaterThan(0);
    expect([of(4.5, 4.5), of(0, 5)]).toEqual([0, 0]);
    expect(of(0, 0)).toBeGreaterThan(0);
    expect(of(0, 1)).toBeGreaterThan(0);
    expect([of(0, 5), of(9, 9)]).toEqual([0, 0]);
  });
});

it("the template detector keeps known points for the next session", () => {
  const numbers = new Float64Array(1000);
  open(1, numbers).last([0, 100, ...times(20, 50)]);
  const next = open(1, numbers);
  expect([next.of(0), next.of(100), next.of(50)]).toEqual([0, 0, 0]);
  expect(next.of(75)).toBeGreaterThan(0);
});

it("the template detector finds nothing strange in the first two points or in equal values", () => {
  expect(open().last([7])).toBe(0);
  expect(open().last([7, 1000])).toBe(0);
  expect(open().last(times(100, 7))).toBe(0);
});
