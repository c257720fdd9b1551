import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import {
  type Field,
  type Hit,
  SearchIndex,
} from "../../../../src/tools/knowledge-graph/graph/search-index.ts";
import { runs } from "../../../support/runs.ts";
import { stands, typosBetween } from "./typos.ts";

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 });
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(" "));
const fields = fc.array(fc.record({ text, weight: fc.constantFrom(1, 2) }), { maxLength: 2 });
const change = fc.record({ document: fc.nat({ max: 9 }), fields: fc.option(fields, { nil: undefined }) });

const wordsOf = (text: string) => text.split(" ").filter((word) => word !== "");
const put = (index: SearchIndex, document: number, fields: readonly Field[]) =>
  finish(index.put(document, fields));

function search(index: SearchIndex, query: string, limit = 100, accepts = (_: number) => true): Hit[] {
  return finish(index.search(query, limit, accepts, (document, other) => document < other));
}

function holding(...texts: string[]): SearchIndex {
  const index = new SearchIndex();
  for (const [document, text] of texts.entries()) put(index, document, [{ text, weight: 1 }]);
  return index;
}

/** Scores documents naively: each word of the query adds the best score of a word of the document. */
function scoresOf(documents: ReadonlyMap<number, readonly Field[]>, query: string): Map<number, number> {
  const counted = new Map(
    [...documents].map(([document, fields]) => {
      const all = fields.flatMap(({ text, weight }) => wordsOf(text).map((word) => ({ word, weight })));
      const weights = new Map<string, number>();
      for (const { word, weight } of all) weights.set(word, (weights.get(word) ?? 0) + weight);
      return [document, { weights, length: all.length }];
    }),
  );
  const lengths = [...counted.values()].map(({ length }) => length);
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const rarityOf = (word: string) => {
    const having = [...counted.values()].filter(({ weights }) => weights.has(word)).length;
    return Math.log(1 + (counted.size - having + 0.5) / (having + 0.5));
  };
  const scores = new Map<number, number>();
  for (const asked of new Set(wordsOf(query))) {
    const isIndexed = [...counted.values()].some(({ weights }) => weights.has(asked));
    const most = isIndexed ? rarityOf(asked) : Number.POSITIVE_INFINITY;
    for (const [document, { weights, length }] of counted) {
      const gains = [...weights].map(([word, frequency]) => {
        const likeness =
          word === asked
            ? 1
            : word.startsWith(asked)
              ? 0.3 + (0.3 * asked.length) / word.length
              : asked.length >= 3 && typosBetween(asked, word) === 1
                ? 0.25
                : 0;
        const often = (frequency * 2.2) / (frequency + 1.2 * (0.5 + (0.5 * length) / average));
        return likeness * Math.min(most, rarityOf(word)) * often;
      });
      const gain = Math.max(0, ...gains);
      if (gain > 0) scores.set(document, (scores.get(document) ?? 0) + gain);
    }
  }
  return scores;
}

describe("the search index", () => {
  it("finds and scores like a naive model, best hit first, after any changes", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), text, (changes, query) => {
        const index = new SearchIndex();
        const model = new Map<number, Field[]>();
        for (const { document, fields } of changes) {
          if (fields === undefined) {
            index.remove(document);
            model.delete(document);
          } else {
            put(index, document, fields);
            model.set(document, fields);
          }
        }
        const expected = scoresOf(model, query);
        const hits = search(index, query);
        expect(new Set(hits.map(({ document }) => document))).toEqual(new Set(expected.keys()));
        for (const [at, { document, score, matched }] of hits.entries()) {
          expect(score).toBeCloseTo(expected.get(document) as number, 9);
          const held = new Set((model.get(document) as Field[]).flatMap(({ text }) => wordsOf(text)));
          expect(matched).toEqual(
            [...held].filter((each) => wordsOf(query).some((asked) => stands(asked, each))),
          );
          const next = hits[at + 1];
          if (next)
            expect(score > next.score || (score === next.score && document < next.document)).toBe(true);
        }
        const isOdd = (document: number) => document % 2 === 1;
        expect(search(index, query, 2, isOdd)).toEqual(
          hits.filter(({ document }) => isOdd(document)).slice(0, 2),
        );
      }),
      { numRuns: runs(150) },
    );
  });

  it("uses as many bytes after changes as a fresh index of the same content", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const [changed, fresh] = [holding("a b c"), holding("a b c")];
        const left = new Map<number, Field[]>();
        for (const { document, fields = [] } of changes) {
          put(changed, document + 1, fields);
          left.set(document + 1, fields);
        }
        for (const [document, fields] of left) put(fresh, document, fields);
        expect(changed.bytes).toBe(fresh.bytes);
      }),
      { numRuns: runs(50) },
    );
  });

  it("grows by a constant number of bytes per occurrence, per word and per letter", () => {
    const sizes = (texts: string[]) => texts.map((_, at) => holding(...texts.slice(0, at + 1)).bytes);
    const [one = 0, two = 0, three = 0, four = 0] = sizes(["ab ba", "ab", "ba", "ab ba"]);
    const place = two - one;
    expect(place).toBeGreaterThan(0);
    expect([three - two, four - three]).toEqual([place, 2 * place]);
    const [before = 0, known = 0, others = 0] = sizes(["ab ba", "aab", "aba bab"]);
    const ofWord = known - before - place;
    expect(ofWord).toBeGreaterThan(place);
    expect(others - known).toBe(2 * (place + ofWord));
    const [ascii = 0, letter = 0, letters = 0] = sizes(["ab ba", "c", "dx"]);
    const ofLetter = letter - ascii - place - ofWord;
    expect(ofLetter).toBeGreaterThan(place);
    expect(letters - letter).toBe(place + ofWord + 2 * ofLetter);
    expect(new SearchIndex().bytes).toBe(0);
  });

  it("finds words by prefix among thousands of words", () => {
    const words = Array.from({ length: 3000 }, (_, number) => `w${number}`);
    const index = new SearchIndex();
    for (const [document, text] of words.entries()) {
      put(index, document, [{ text, weight: 1 }]);
      if (document % 500 !== 0) continue;
      const beginning = words.slice(0, document + 1).filter((word) => word.startsWith("w1"));
      expect(search(index, "w1", 200).length).toBeGreaterThanOrEqual(Math.min(200, beginning.length));
    }
  });
});

describe("the limits of a query", () => {
  it("are its first 256 distinct words", () => {
    const index = holding("100255", "100256");
    const numbers = Array.from({ length: 257 }, (_, at) => String(100_000 + at));
    const query = [...numbers.slice(0, 9), ...numbers].join(" ");
    expect(search(index, query).map(({ document }) => document)).toEqual([0]);
  });

  it("are the first 2,000 words with the prefix that is searched for", () => {
    const words = Array.from({ length: 2001 }, (_, at) => `q${100_000 + at}`);
    const found = search(holding(...words), "q", 3000).map(({ document }) => document);
    expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2000 }, (_, at) => at));
  });

  it("are 400,000 occurrences of words, without words that occur more often than are left", () => {
    const stem = "q".repeat(60);
    const index = holding(
      ...Array.from({ length: 2000 }, () => ["a", "b", "c", "d"].map((end) => stem + end).join(" ")),
    );
    put(index, 2000, [{ text: "zebra", weight: 1 }]);
    // Each prefix matches four words in two thousand documents.
    const beginnings = Array.from({ length: 50 }, (_, at) => "q".repeat(at + 1));
    const ask = (count: number) =>
      search(
        index,
        [...beginnings.slice(0, count), "zebra"].join(" "),
        3000,
        (document) => document === 2000,
      );
    expect(ask(49)).toHaveLength(1);
    expect(ask(50)).toHaveLength(0);
  });

  it("are 100,000 lookups for typos, with only exact matches of words that need more than are left", () => {
    const index = holding("abcdefghijklmnopqrstuvwxyz0123456789", "abc".repeat(10), "x".repeat(31));
    // Words of 32 letters over an alphabet of 36 take 2442 lookups each, forty times.
    const long = Array.from({ length: 40 }, (_, at) => `z${100 + at}`.repeat(8));
    const ask = (count: number, query: string) => search(index, [...long.slice(0, count), query].join(" "));
    const [shorter, longer] = [`${"abc".repeat(9)}abb`, `${"x".repeat(30)}y`];
    expect(ask(40, shorter).map(({ document }) => document)).toEqual([1]);
    expect(ask(40, longer)).toEqual([]);
    expect(ask(39, longer).map(({ document }) => document)).toEqual([2]);
    expect(ask(40, "x".repeat(31)).map(({ document }) => document)).toEqual([2]);
  });
});

it("a hit names the first 100 matched words", () => {
  const words = Array.from({ length: 150 }, (_, at) => `q${at}`);
  const [hit] = search(holding(words.join(" ")), "q");
  expect(hit?.matched).toEqual(words.slice(0, 100));
});

it("a document is found by its first 2,000 words, scored with their later repetitions", () => {
  const words = Array.from({ length: 2001 }, (_, at) => String(100_000 + at));
  const [first, last] = [words[0] as string, words[2000] as string];
  const often = holding(
    [...words, ...Array(40).fill(first)].join(" "),
    [...words, ...Array(40).fill("7")].join(" "),
  );
  expect(search(often, last)).toEqual([]);
  expect(search(often, words[1999] as string)).toHaveLength(2);
  const [one, other] = search(often, first);
  expect([one?.document, other?.document]).toEqual([0, 1]);
  expect(one?.score).toBeGreaterThan(other?.score as number);
});
