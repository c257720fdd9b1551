import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestOf } from "../../../src/text/search/best.ts";
import { InvertedIndex } from "../../../src/text/search/inverted-index.ts";
import { scoreImportance } from "../../../src/tools/agent-memory/importance.ts";
import { keywordsOf } from "../../../src/tools/agent-memory/keywords.ts";
import { echoes, hashed, restates } from "../../../src/tools/agent-memory/sameness.ts";
import { relevance } from "../../../src/tools/agent-memory/searching/relevance.ts";
import { NONE, Threads } from "../../../src/tools/agent-memory/searching/threads.ts";
import { statementOf } from "../../../src/tools/agent-memory/statement.ts";
import { codePoint } from "../../support/code-point.ts";
import { runs } from "../../support/runs.ts";

const documents = fc.array(
  fc.array(fc.constantFrom<string>("a", "b", "c", "d"), { minLength: 1, maxLength: 6 }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

function weightsOf(words: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const word of words) weights.set(word, (weights.get(word) ?? 0) + 1);
  return weights;
}

describe("the inverted index", () => {
  it("holds exactly the words of the documents that were not removed", () => {
    fc.assert(
      fc.property(documents, fc.array(fc.nat(11)), (all, removed) => {
        const index = new InvertedIndex();
        const gone = new Set(removed);
        for (const [document, words] of all.entries()) index.add(document, weightsOf(words));
        for (const document of gone) index.remove(document);
        for (const word of ["a", "b", "c", "d"]) {
          const number = index.numberOf(word);
          const postings = number === undefined ? [] : index.postingsOf(number);
          const holders = postings.map((posting) => posting >>> 8).sort((x, y) => x - y);
          const expected = all.flatMap((words, document) =>
            words.includes(word) && !gone.has(document) ? [document] : [],
          );
          expect(holders).toEqual(expected);
        }
        const left = new Set(all.flatMap((words, document) => (gone.has(document) ? [] : words)));
        expect(index.vocabularySize).toBe(left.size);
      }),
    );
  });
});

describe("threads", () => {
  it("keep their order through additions and removals", () => {
    const order = (one: number, other: number) => one < other;
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(30), { minLength: 1 }), fc.array(fc.nat(30)), (added, removed) => {
        const threads = new Threads();
        for (const memory of added) threads.add("t", memory, order);
        for (const memory of removed) threads.remove(memory);
        const left = added.filter((memory) => !removed.includes(memory)).sort((x, y) => x - y);
        for (const [at, memory] of left.entries()) {
          expect(threads.before(memory)).toBe(left[at - 1] ?? NONE);
          expect(threads.after(memory)).toBe(left[at + 1] ?? NONE);
        }
      }),
    );
  });
});

describe("bestOf()", () => {
  it("returns what sorting all items would give", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(8), (items, limit) => {
        const sorted = [...items].sort((a, b) => b - a);
        expect(bestOf(items, limit + 1, (a, b) => a > b)).toEqual(sorted.slice(0, limit + 1));
      }),
    );
  });
});

describe("relevance of documents", () => {
  const filler = (subject: string) => `${`${subject} study of `.repeat(12)}results method`;
  it("draws documents of one subject together", () => {
    const index = new InvertedIndex();
    const texts = [
      ...Array.from({ length: 6 }, () => `${filler("wing")} lift`),
      filler("wing"),
      ...Array.from({ length: 6 }, () => `${filler("soup")} lift`),
      filler("soup"),
    ];
    let length = 0;
    for (const [document, text] of texts.entries()) {
      index.add(document, weightsOf(text.split(" ")));
      length += index.lengthOf(document);
    }
    const corpus = {
      index,
      threads: new Threads(),
      asksQuestion: () => false,
      count: texts.length,
      written: { count: texts.length, length },
      end: texts.length,
    };
    const query = new Map([
      [index.numberOf("lift") as number, 1],
      [index.numberOf("wing") as number, 1],
    ]);
    const { scores } = relevance(corpus, { inShort: query, inContext: query }, () => true);
    const [wings, soups] = [scores.slice(0, 7), scores.slice(7)];
    expect(Math.min(...wings)).toBeGreaterThan(Math.max(...soups));
  });
});

describe("sameness", () => {
  const same = (one: string, other: string) => restates(hashed(statementOf(one)), hashed(statementOf(other)));
  it("holds for each text with itself, but not for one with a replaced word", () => {
    fc.assert(
      fc.property(fc.lorem(), fc.nat(), (text, place) => {
        expect(same(text, text)).toBe(statementOf(text).length > 0);
        const words = text.split(" ");
        // Replacing an article only adds a word, and a text with more words may still restate the other.
        fc.pre(words[place % words.length]?.toLowerCase() !== "a");
        words[place % words.length] = "zebra";
        expect(same(words.join(" "), text)).toBe(false);
      }),
    );
  });

  it("agrees with a naive comparison at every position", () => {
    const word = fc.constantFrom("red", "green", "these", "not", "7");
    const words = fc.array(word, { maxLength: 9 });
    const related = fc
      .tuple(words, words, words)
      .map(([front, middle, back]): [string[], string[]] => [
        [...front.slice(0, 2), ...middle, ...back.slice(0, 2)],
        middle,
      ]);
    fc.assert(
      fc.property(fc.oneof(related, fc.tuple(words, words)), ([one, other]) => {
        const statements = [one, other].map((words) => statementOf(words.join(" ")));
        const [left, right] = statements as [Uint32Array, Uint32Array];
        expect(restates(hashed(left), hashed(right))).toBe(naivelyRestates(one, other));
      }),
      { numRuns: runs(100) },
    );
  });

  it("does not hold if a number, a negation or too much is added", () => {
    const text = "the gateway retries failed calls to the ledger";
    expect(same(`${text} twice`, text)).toBe(true);
    expect(same(text, `${text} twice`)).toBe(false);
    expect(same(text, `${text} again`)).toBe(true);
    expect(same(`${text} 3 times`, text)).toBe(false);
    expect(same(`not ${text}`, text)).toBe(false);
    expect(same(`${text} and tells the operator about it`, text)).toBe(false);
  });

  it("recognises an echo of several sources, but not a text that adds to them", () => {
    const sources = ["Ann moved to Lisbon with her two cats", "Bob repairs old bicycles in his garage"].map(
      (text) => hashed(statementOf(text)),
    );
    const isEcho = (text: string) => echoes(hashed(statementOf(text)), sources);
    const echo = "Ann moved to Lisbon with her two cats. Bob repairs old bicycles in his garage.";
    expect(isEcho(echo)).toBe(true);
    expect(isEcho(`${echo} no longer since winter came`)).toBe(false);
    expect(isEcho(echo.replace(". ", ", and then "))).toBe(true);
    expect(isEcho(echo.replace("old", "new"))).toBe(false);
    expect(isEcho(echo.replace("old", "old rusty"))).toBe(false);
    expect(isEcho(echo.replace("old", "old never"))).toBe(false);
    expect(isEcho(echo.replace("old", "old 7"))).toBe(false);
    expect(isEcho("Ann moved to Porto")).toBe(false);
    // A mix of two sources is a statement that neither of them made.
    expect(isEcho("Ann moved to Lisbon with her two cats in his garage")).toBe(false);
    expect(isEcho("")).toBe(false);
    const few = ["red cats sleep", "Bob repairs old bicycles"].map((text) => hashed(statementOf(text)));
    expect(echoes(hashed(statementOf("Bob repairs old bicycles. Bob repairs old bicycles")), few)).toBe(true);
    expect(echoes(hashed(statementOf("red cats sleep. Bob repairs old bicycles")), few)).toBe(false);
  });
});

/** Compares word by word, at every place where the shorter could be in the longer. */
function naivelyRestates(said: readonly string[], known: readonly string[]): boolean {
  const [short, long] = said.length < known.length ? [said, known] : [known, said];
  if (short.length === 0 || short.length < 0.8 * long.length) return false;
  if (short.length < long.length && short.length < 4) return false;
  const starts = long.map((_, at) => at).filter((at) => short.every((word, i) => word === long[at + i]));
  const [start] = starts;
  if (start === undefined) return false;
  const rest = [...long.slice(0, start), ...long.slice(start + short.length)];
  const allowed = said.length < known.length ? ["these"] : ["these", "red", "green"];
  return rest.every((word) => allowed.includes(word));
}

describe("importance and keywords", () => {
  it("put rules and failures above small talk", () => {
    const importance = (text: string) => scoreImportance(text, "fact").importance;
    expect(importance("Never deploy on Fridays: the outage of 2024-03-01 cost $40,000.")).toBeGreaterThan(
      importance("The office has a new plant."),
    );
    expect(importance("Hi, thanks!")).toBeLessThan(importance("The office has a new plant."));
  });

  it("stay between 0 and 1 for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const { importance } = scoreImportance(text, "decision");
        expect(importance).toBeGreaterThan(0);
        expect(importance).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("name the most repeated word first, once for all its forms", () => {
    expect(keywordsOf("The scheduler schedules; the Schedulers queue waits for a scheduler")[0]).toBe(
      "scheduler",
    );
    expect(keywordsOf("it is what it is")).toEqual([]);
    // Words of two letters are dropped in Latin script, and kept in others.
    expect(keywordsOf("ИИ db")).toEqual(["ии"]);
  });
});
