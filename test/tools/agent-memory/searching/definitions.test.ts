import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvertedIndex } from "../../../../src/text/search/inverted-index.ts";
import { agree } from "../../../../src/tools/agent-memory/searching/agreement.ts";
import { expand, scorer } from "../../../../src/tools/agent-memory/searching/feedback.ts";
import { type Corpus, match } from "../../../../src/tools/agent-memory/searching/matching.ts";
import { relevance } from "../../../../src/tools/agent-memory/searching/relevance.ts";
import { Threads } from "../../../../src/tools/agent-memory/searching/threads.ts";
import { runs } from "../../../support/runs.ts";

/* Computes what a search finds, word by word, from the formulas that it names. */

interface Text {
  words: string[];
  thread?: string | undefined;
  asks?: boolean;
}
type Weights = ReadonlyMap<string, number>;

const VOCABULARY = Array.from({ length: 60 }, (_, at) => `w${at}`);

function corpusOf(texts: readonly Text[]): Corpus {
  const index = new InvertedIndex();
  const threads = new Threads();
  const written = { count: 0, length: 0 };
  for (const [memory, { words, thread }] of texts.entries()) {
    const weights = new Map<string, number>();
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + 1);
    index.add(memory, weights);
    if (thread !== undefined) threads.add(thread, memory, (one, other) => one < other);
    else {
      written.count++;
      written.length += words.length;
    }
  }
  const asksQuestion = (memory: number) => texts[memory]?.asks === true;
  return { index, threads, asksQuestion, count: texts.length, written, end: texts.length };
}

const numbered = ({ index }: Corpus, weights: Weights) =>
  new Map([...weights].map(([word, weight]) => [index.numberOf(word) as number, weight]));

const timesIn = ({ words }: Text, word: string) => words.filter((each) => each === word).length;

function rarity(texts: readonly Text[], word: string): number {
  const having = texts.filter(({ words }) => words.includes(word)).length;
  return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
}

/** Computes BM25 of a text without a thread, with k1 = 2 and b = 0.75. */
function gainAlone(texts: readonly Text[], text: Text, word: string): number {
  const alone = texts.filter(({ thread }) => thread === undefined);
  const average = alone.reduce((sum, { words }) => sum + words.length, 0) / alone.length;
  const times = timesIn(text, word);
  const norm = 0.25 + (0.75 * text.words.length) / average;
  return (rarity(texts, word) * times * 3) / (times + 2 * norm);
}

/** Computes BM25 in a thread, with k1 = 0.4 and b = 0. Texts lend to the three after them and the two before. */
function gainInThread(texts: readonly Text[], text: Text, word: string): number {
  const thread = texts.filter(({ thread }) => thread === text.thread);
  const place = thread.indexOf(text);
  let times = timesIn(text, word);
  for (const [at, other] of thread.entries()) {
    const onwards = place - at === 1 && other.asks ? 1 : ([0.5, 0.3, 0.15][place - at - 1] ?? 0);
    times += timesIn(other, word) * (onwards + ([0.3, 0.1][at - place - 1] ?? 0));
  }
  return (rarity(texts, word) * times * 1.4) / (times + 0.4);
}

function scoresByDefinition(texts: readonly Text[], inShort: Weights, inContext: Weights): number[] {
  return texts.map((text) => {
    const isShort = text.thread === undefined && text.words.length < 25;
    const gain = text.thread === undefined ? gainAlone : gainInThread;
    let score = 0;
    for (const [word, weight] of inShort) {
      score += (isShort ? weight : (inContext.get(word) ?? 0)) * gain(texts, text, word);
    }
    return score;
  });
}

/** Expands a query: half its own words, half the thirty best of the five best texts, by their score and length. */
function expandedByDefinition(best: readonly { text: Text; score: number }[], query: Weights): Weights {
  const model = VOCABULARY.map((word): [string, number] => [
    word,
    best.reduce((sum, { text, score }) => sum + (score * timesIn(text, word)) / text.words.length, 0),
  ]);
  const added = model.sort(([, one], [, other]) => other - one).slice(0, 30);
  const total = added.reduce((sum, [, weight]) => sum + weight, 0);
  const asked = [...query.values()].reduce((sum, weight) => sum + weight, 0);
  return new Map(
    VOCABULARY.map((word) => {
      const share = (added.find(([each]) => each === word)?.[1] ?? 0) / total;
      return [word, 0.5 * (query.get(word) ?? 0) + 0.5 * asked * share];
    }),
  );
}

function cosine(texts: readonly Text[], one: Text, other: Text): number {
  const vectors = [one, other].map((text) =>
    VOCABULARY.map((word) => {
      const times = timesIn(text, word);
      return times === 0 ? 0 : (1 + Math.log(times)) * rarity(texts, word);
    }),
  ) as [number[], number[]];
  const product = (left: number[], right: number[]) =>
    left.reduce((sum, each, at) => sum + each * (right[at] as number), 0);
  const [left, right] = vectors;
  return product(left, right) / Math.sqrt(product(left, left) * product(right, right));
}

/** Smooths scores in three rounds towards the four most similar texts, weighted by three times the similarity. */
function agreedByDefinition(texts: readonly Text[], compared: readonly Text[], scores: readonly number[]) {
  const nearest = compared.map((text) =>
    compared
      .map((other, at) => ({ at, weight: 3 * cosine(texts, text, other), isOther: other !== text }))
      .filter(({ isOther }) => isOther)
      .sort((one, other) => other.weight - one.weight)
      .slice(0, 4),
  );
  let agreed = [...scores];
  for (let round = 0; round < 3; round++) {
    const before = agreed;
    agreed = scores.map((score, at) => {
      const others = nearest[at] ?? [];
      const drawn = others.reduce((sum, other) => sum + other.weight * (before[other.at] as number), score);
      return drawn / others.reduce((sum, { weight }) => sum + weight, 1);
    });
  }
  return agreed;
}

function expectClose(found: ArrayLike<number>, expected: readonly number[]): void {
  expect(found.length).toBe(expected.length);
  for (const [at, value] of expected.entries()) expect(found[at]).toBeCloseTo(value, 9);
}

const text: fc.Arbitrary<Text> = fc.record({
  words: fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 30 }),
  thread: fc.constantFrom("s", "t", undefined),
  asks: fc.boolean(),
});
/** Texts in which every word is in at least two. */
const texts = fc
  .array(text, { minLength: 1, maxLength: 14 })
  .map((some): Text[] => [...some, { words: ["a", "b", "c"] }, { words: [..."abcde".repeat(5)] }]);

/** Returns texts long enough to be compared by subject. Two pairs are seldom equally similar. */
function documents(count: number, seed: number): Text[] {
  const length = (at: number) => 40 + ((at * 7 + seed) % 23);
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length: count }, (_, at) => ({
    words: Array.from({ length: length(at) }, () => VOCABULARY[Math.floor(60 * next() ** 2)] as string),
  }));
}

describe("a match", () => {
  it("scores texts by BM25 with the context of their threads, like a naive model", () => {
    const query = (names: string) =>
      fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 3 })), {
        selector: ([word]) => word,
        minLength: 1,
      });
    fc.assert(
      fc.property(texts, query("abcde"), query("abc"), (given, inShort, inContext) => {
        const corpus = corpusOf(given);
        const asked = { inShort: new Map(inShort), inContext: new Map(inContext) };
        const { scores, found } = match(corpus, {
          inShort: numbered(corpus, asked.inShort),
          inContext: numbered(corpus, asked.inContext),
        });
        const expected = scoresByDefinition(given, asked.inShort, asked.inContext);
        expectClose(scores, expected);
        const matching = expected.flatMap((score, at) => (score > 0 ? [at] : []));
        expect([...found].sort((a, b) => a - b)).toEqual(matching);
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("relevance of documents", () => {
  const asked = new Map([
    ["w20", 1],
    ["w35", 2],
  ]);

  it.each([3, 11])("reranks by the five best's words and by similarity, like a naive model (%i)", (seed) => {
    const given = [...documents(30, seed), { words: ["w20"] }, { words: ["w35", "w1"], thread: "t" }];
    const corpus = corpusOf(given);
    const query = numbered(corpus, asked);
    const isAccepted = (memory: number) => memory !== 4;
    const { scores } = relevance(corpus, { inShort: query, inContext: query }, isAccepted);

    const matched = scoresByDefinition(given, asked, asked);
    const expected = [...matched];
    const again = matched.flatMap((score, at) => (score > 0 && at < 30 && isAccepted(at) ? [at] : []));
    again.sort((one, other) => (matched[other] as number) - (matched[one] as number));
    const document = (at: number) => given[at] as Text;
    const best = again.slice(0, 5).map((at) => ({ text: document(at), score: matched[at] as number }));
    const expanded = expandedByDefinition(best, asked);
    const rescored = again.map((at) =>
      VOCABULARY.reduce((sum, word) => {
        const weight = expanded.get(word) ?? 0;
        return weight === 0 ? sum : sum + weight * gainAlone(given, document(at), word);
      }, 0),
    );
    const agreed = agreedByDefinition(given, again.map(document), rescored);
    const reranked = again.map((at, place) => ({ at, score: agreed[place] as number }));
    reranked.sort((one, other) => other.score - one.score);
    for (const [rank, { at }] of reranked.entries()) expected[at] = matched[again[rank] as number] as number;
    expect(again.length).toBeGreaterThan(8);
    expect(reranked.map(({ at }) => at)).not.toEqual(again);
    expectClose(scores, expected);
  });

  it("expands a query by at most thirty words", () => {
    const given = documents(5, 5);
    const corpus = corpusOf(given);
    const scores = [5, 4, 3, 2, 1];
    const found = expand(corpus.index, numbered(corpus, asked), [0, 1, 2, 3, 4], Float64Array.from(scores));
    const expected = expandedByDefinition(
      given.map((text, at) => ({ text, score: scores[at] as number })),
      asked,
    );
    const isThere = (word: string) => corpus.index.numberOf(word) !== undefined;
    const words = VOCABULARY.filter((word) => isThere(word) && (expected.get(word) as number) > 0);
    expect(found?.size).toBe(words.length);
    expectClose(
      words.map((word) => found?.get(corpus.index.numberOf(word) as number) as number),
      words.map((word) => expected.get(word) as number),
    );
    const [one] = given as [Text];
    const sum = words.reduce(
      (sum, word) => sum + (expected.get(word) as number) * gainAlone(given, one, word),
      0,
    );
    expect(scorer(corpus, found as Map<number, number>)(0)).toBeCloseTo(sum, 9);
  });

  it("compares long texts by their first 256 words", () => {
    const own = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);
    const shared = own("s", 40);
    const [far, near] = [256, 250].map((count) =>
      corpusOf(["x", "y"].map((name) => ({ words: [...own(name, count), ...shared] }))),
    ) as [Corpus, Corpus];
    expect(agree(far, [0, 1], [9, 1])).toEqual([9, 1]);
    expect(agree(near, [0, 1], [9, 1])[0]).toBeLessThan(9);
  });
});
