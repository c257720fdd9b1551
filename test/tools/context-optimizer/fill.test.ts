import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fill } from "../../../src/tools/context-optimizer/fill.ts";
import { printed } from "../../../src/tools/context-optimizer/printed.ts";
import type { Unit } from "../../../src/tools/context-optimizer/units.ts";

/** Counts each letter, and one more for each two that meet: parts count less than the text that they make. */
const parting = { count: (text: string) => text.length + (text.match(/[a-z](?=[a-z])/g)?.length ?? 0) };
/** Counts every two letters as one token: parts count more than the text that they make. */
const merging = { count: (text: string) => Math.ceil(text.length / 2) };

const texts = fc.array(fc.stringMatching(/^[a-z]{1,7}$/), { minLength: 1, maxLength: 30 });

describe.each([
  ["part", parting],
  ["merge", merging],
])("fill() if tokens %s where pieces meet", (_, tokenizer) => {
  const keep = (pieces: readonly string[], budget: number, fixed = new Set<number>(), headings = false) => {
    const units = pieces.map((text, index) => ({ text, segment: index % 3 }) as Unit);
    const all = printed(units, [{ id: "a" }, { id: "b" }, { id: "c" }], headings);
    const costs = pieces.map((text) => tokenizer.count(text));
    const kept = fill(all, costs, [...pieces.keys()], fixed, budget, tokenizer);
    return { kept, text: all.text(kept) };
  };

  it("stays within the budget, keeps fixed pieces, and keeps everything if there is room", () => {
    fc.assert(
      fc.property(texts, fc.nat(120), fc.boolean(), (pieces, budget, headings) => {
        const { kept, text } = keep(pieces, budget, new Set(), headings);
        expect(tokenizer.count(text)).toBeLessThanOrEqual(budget);
        const whole = keep(pieces, 10_000, new Set(), headings);
        expect(whole.kept.size).toBe(pieces.length);
        const fixed = new Set([0]);
        const least = keep(pieces, 0, fixed, headings).text;
        const more = keep(pieces, tokenizer.count(least) + budget, fixed, headings);
        expect(more.kept.has(0)).toBe(true);
        expect(tokenizer.count(more.text)).toBeLessThanOrEqual(tokenizer.count(least) + budget);
        expect(kept.size).toBeLessThanOrEqual(pieces.length);
      }),
    );
  });
});

it("fill() keeps pieces by rank, then smaller ones that still fit", () => {
  const units = ["aaaaaa", "bbbb", "cc"].map((text) => ({ text, segment: 0 }) as Unit);
  const one = { count: (text: string) => text.length };
  const kept = fill(printed(units, [{ id: "a" }], false), [6, 4, 2], [0, 1, 2], new Set(), 9, one);
  expect([...kept]).toEqual([0, 2]);
});

it("fill() drops the last added pieces until the rest fits, even if a removal adds tokens", () => {
  const units = ["a", "-", "b"].map((text) => ({ text, segment: 0 }) as Unit);
  const cost = { "a-": 1, ab: 2 };
  const count = (text: string) =>
    Object.entries(cost).reduce((sum, [pair, more]) => sum + (text.includes(pair) ? more : 0), text.length);
  const kept = fill(printed(units, [{ id: "a" }], false), [1, 1, 1], [0, 2, 1], new Set(), 3, { count });
  expect([...kept]).toEqual([0]);
});
