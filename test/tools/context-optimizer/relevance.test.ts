import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Kind } from "../../../src/tools/context-optimizer/contract.ts";
import { centrality } from "../../../src/tools/context-optimizer/relevance/centrality.ts";
import { passageRelevance } from "../../../src/tools/context-optimizer/relevance/passage-relevance.ts";
import { sentenceRelevance } from "../../../src/tools/context-optimizer/relevance/sentence-relevance.ts";
import type { Unit } from "../../../src/tools/context-optimizer/units.ts";
import { runs } from "../../support/runs.ts";

const WORDS = ["zorp", "zor", "blick", "frun", "a"];
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 });
const units = fc.array(
  fc.record({ terms: words, starts: fc.boolean(), speaker: fc.constantFrom("ann", "bob", undefined) }),
  { minLength: 1, maxLength: 8 },
);
const query = fc.uniqueArray(
  fc.record({ term: fc.constantFrom(...WORDS), weight: fc.integer({ min: 1, max: 3 }) }),
  { selector: ({ term }) => term, minLength: 1, maxLength: 4 },
);

function unitsOf(
  drawn: readonly { terms: string[]; starts: boolean; speaker: string | undefined }[],
  kind: Kind,
): Unit[] {
  let paragraph = 0;
  return drawn.map(({ terms, starts, speaker }) => {
    if (starts) paragraph++;
    return { text: terms.join(" "), segment: 0, kind, paragraph, terms, ...(speaker && { speaker }) };
  });
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const times = (of: readonly string[], word: string) => of.filter((each) => each === word).length;
const asked = (all: readonly { term: string; weight: number }[], speakers: string[] = []) => ({
  terms: all.map(({ term }) => term),
  weights: all.map(({ weight }) => weight),
  speakers: new Set(speakers),
});

function expectClose(found: Float64Array, expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [index, value] of expected.entries()) expect(found[index]).toBeCloseTo(value, 9);
}

/** Computes BM25 (Robertson and Zaragoza 2009, §3.1) with k1 1.2 and b 0.6. `frequency` is by unit and term. */
function bm25(
  frequency: (unit: number, term: string) => number,
  lengths: readonly number[],
  weights: ReadonlyMap<string, number>,
): number[] {
  const average = sum(lengths) / lengths.length || 1;
  return lengths.map((length, unit) =>
    sum(
      [...weights].map(([term, weight]) => {
        const having = lengths.filter((_, other) => frequency(other, term) > 0).length;
        const idf = Math.log(1 + (lengths.length - having + 0.5) / (having + 0.5));
        const tf = frequency(unit, term);
        return tf === 0 ? 0 : (weight * idf * tf * 2.2) / (tf + 1.2 * (0.4 + (0.6 * length) / average));
      }),
    ),
  );
}

/** Returns the value of each unit with the shares that its neighbours lend. */
function lent(count: number, own: (unit: number) => number, share: (unit: number, other: number) => number) {
  const all = [...Array(count).keys()];
  return (unit: number) =>
    sum(all.map((other) => (other === unit ? own(unit) : share(unit, other) * own(other))));
}

describe("the relevance of a unit", () => {
  it("as centrality follows the formula over shared words, their rarity and the length", () => {
    fc.assert(
      fc.property(units, (drawn) => {
        const all = unitsOf(drawn, "prose");
        const everything = all.flatMap(({ terms }) => terms);
        const expected = all.map(({ terms }) => {
          const distinct = [...new Set(terms)].filter((term) => times(everything, term) > 1);
          const worth = distinct.map((term) => {
            const having = all.filter((unit) => unit.terms.includes(term)).length;
            return (1 + Math.log(times(everything, term))) * Math.log(1 + all.length / having);
          });
          return terms.length > 0 ? sum(worth) / Math.sqrt(new Set(terms).size) : 0;
        });
        expectClose(centrality(all), expected);
      }),
      { numRuns: runs(60) },
    );
  });

  it("as a sentence follows BM25 over words, parts of words and neighbours in the paragraph", () => {
    fc.assert(
      fc.property(units, query, (drawn, wanted) => {
        const all = unitsOf(drawn, "prose");
        const terms = all.map((unit) => unit.terms);
        const same = (one: number, other: number) => all[one]?.paragraph === all[other]?.paragraph;
        const share = (unit: number, other: number) => {
          if (!same(unit, other)) return 0;
          if (other < unit) return [0.3, 0.15][unit - other - 1] ?? 0;
          return [0.2, 0.1][other - unit - 1] ?? 0;
        };
        const frequency = (unit: number, term: string) =>
          lent(all.length, (each) => times(terms[each] as string[], term), share)(unit);
        const lengths = all.map((_, unit) =>
          lent(all.length, (each) => (terms[each] as string[]).length, share)(unit),
        );
        const weights = new Map(wanted.map(({ term, weight }) => [term, weight]));
        const byTerms = bm25(frequency, lengths, weights);

        const grams = (term: string) => {
          const text = `_${term}_`;
          return text.length <= 4 ? [text] : [...text].slice(3).map((_, at) => text.slice(at, at + 4));
        };
        const gramWeights = new Map<string, number>();
        for (const { term, weight } of wanted)
          for (const gram of grams(term)) gramWeights.set(gram, (gramWeights.get(gram) ?? 0) + weight);
        const inGrams = terms.map((each) => each.flatMap(grams));
        const byGrams = bm25(
          (unit, gram) => times(inGrams[unit] as string[], gram),
          inGrams.map(({ length }) => length),
          gramWeights,
        );
        const own = byTerms.map((score, unit) => score + 0.3 * (byGrams[unit] as number));
        const beside = (unit: number, other: number) => (same(unit, other) ? (own[other] ?? 0) : 0);
        expectClose(
          sentenceRelevance(all, asked(wanted)),
          own.map((score, unit) => score + 0.1 * Math.max(beside(unit, unit - 1), beside(unit, unit + 1))),
        );
      }),
      { numRuns: runs(60) },
    );
  });

  it("as a passage follows BM25 over the density of words and the requested speakers", () => {
    fc.assert(
      fc.property(units, query, (drawn, wanted) => {
        const all = unitsOf(drawn, "dialogue");
        const terms = all.map((unit) => unit.terms);
        const share = (unit: number, other: number) => [0.5, 0.25, 0.125][Math.abs(unit - other) - 1] ?? 0;
        const own = bm25(
          (unit, term) => lent(all.length, (each) => times(terms[each] as string[], term), share)(unit),
          all.map((_, unit) => lent(all.length, (each) => (terms[each] as string[]).length, share)(unit)),
          new Map(wanted.map(({ term, weight }) => [term, weight])),
        );
        const gaps = all.map(({ text }) => text.split(/\s+/).length - 1);
        const middle = gaps.map((gap, unit) => sum(gaps.slice(0, unit)) + gap / 2);
        const dense = own.map((_, unit) =>
          sum(
            own.map(
              (score, other) =>
                score * Math.exp(-Math.abs((middle[unit] as number) - (middle[other] as number)) / 300),
            ),
          ),
        );
        const [mostOwn, mostDense] = [Math.max(...own) || 1, Math.max(...dense) || 1];
        expectClose(
          passageRelevance(all, asked(wanted, ["bob"])),
          own.map((score, unit) => {
            const passage = (dense[unit] as number) / mostDense + (0.3 * score) / mostOwn;
            return mostOwn * passage * (all[unit]?.speaker === "bob" ? 1.3 : 1);
          }),
        );
      }),
      { numRuns: runs(60) },
    );
  });
});
