import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byBytes, byUnits, SortedStrings } from "../../src/store/sorted-strings.ts";

const id = fc.string({
  unit: fc.constantFrom("a", "b", "é", "\ud7ff", "\ue000", "\uffff", "😀", "🎉"),
  maxLength: 5,
});

describe("sorted strings", () => {
  it("compare by their UTF-8 bytes or by their UTF-16 units", () => {
    fc.assert(
      fc.property(id, id, (left, right) => {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(byBytes(left, right))).toBe(bytes);
        expect([byBytes(left, left), byUnits(left, left)]).toEqual([0, 0]);
        expect(byUnits(left, right)).toBe(left === right ? 0 : [left, right].sort()[0] === left ? -1 : 1);
      }),
      { numRuns: 2000 },
    );
  });

  it("are sorted by a given comparison", () => {
    fc.assert(
      fc.property(fc.array(id), (given) => {
        expect([...new SortedStrings(given, byUnits).from("")]).toEqual([...new Set(given)].sort());
      }),
    );
  });

  it("are sorted by their bytes by default, without duplicates", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(id, fc.constantFrom("a", "b", "ab"))), (given) => {
        const expected = [...new Set(given)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        const strings = new SortedStrings(given);
        expect([...strings.from("")]).toEqual(expected);
        expect(strings.size).toBe(expected.length);
      }),
    );
  });

  it("stay a sorted set through additions and deletions", () => {
    const change = fc.record({
      from: fc.nat(6000),
      count: fc.integer({ min: 1, max: 2500 }),
      add: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.nat(6000), (changes, from) => {
        const name = (index: number) => `id${String((index * 7919) % 6000).padStart(4, "0")}`;
        const ids = new SortedStrings([]);
        const model = new Set<string>();
        for (const { from: first, count, add } of changes) {
          for (let index = first; index < first + count; index++) {
            if (add) ids.add(name(index));
            else ids.delete(name(index));
            if (add) model.add(name(index));
            else model.delete(name(index));
          }
        }
        const sorted = [...model].sort();
        expect(ids.size).toBe(model.size);
        const bound = name(from);
        const before = (other: string) => other < bound;
        expect([...ids.ascending(before)]).toEqual(sorted.filter((other) => other >= bound));
        expect([...ids.from(bound)]).toEqual(sorted.filter((other) => other >= bound));
        expect([...ids.descending(before)]).toEqual(sorted.filter(before).reverse());
        expect([...new SortedStrings(model).ascending(() => false)]).toEqual(sorted);
      }),
      { numRuns: 60 },
    );
  });
});
