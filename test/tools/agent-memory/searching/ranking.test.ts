import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import { InvertedIndex } from "../../../../src/text/search/inverted-index.ts";
import { analyse } from "../../../../src/tools/agent-memory/analyse.ts";
import { agree } from "../../../../src/tools/agent-memory/searching/agreement.ts";
import { expand } from "../../../../src/tools/agent-memory/searching/feedback.ts";
import { MemoryProjection } from "../../../../src/tools/agent-memory/searching/memory-projection.ts";
import { recall } from "../../../../src/tools/agent-memory/searching/recall.ts";
import { Threads } from "../../../../src/tools/agent-memory/searching/threads.ts";
import { relatedTo, sharingWords, similarTo } from "../../../../src/tools/agent-memory/similar.ts";
import { runs } from "../../../support/runs.ts";

const NOW = Date.UTC(2026, 0, 15);
const DAY = 86_400_000;

interface Given {
  content: string;
  agent?: string;
  thread?: string;
  importance?: number;
  /** Ids of superseded memories. */
  supersedes?: string[];
  ageDays?: number;
  uses?: number;
}

/** Stores memories m000, m001 … one after another. */
function projectionOf(given: readonly Given[]): MemoryProjection {
  const projection = new MemoryProjection();
  for (const [index, { ageDays = 0, uses = 0, supersedes, ...memory }] of given.entries()) {
    const id = `m${String(index).padStart(3, "0")}`;
    const at = NOW - ageDays * DAY;
    const { document } = finish(analyse({ ...memory, kind: "fact", tags: [] })).analysed;
    const written = { ...document, at, createdAt: at, updatedAt: at, merges: 0 };
    finish(projection.put(id, { ...written, ...(supersedes && { supersedes }) }, 100));
    if (uses > 0) projection.use(id, { count: uses, lastAt: at });
  }
  return projection;
}

function indexOf(texts: readonly string[]): InvertedIndex {
  const index = new InvertedIndex();
  for (const [document, text] of texts.entries()) {
    const weights = new Map<string, number>();
    for (const word of text.split(" ")) weights.set(word, (weights.get(word) ?? 0) + 1);
    index.add(document, weights);
  }
  return index;
}

describe("recalled memories", () => {
  const memory = fc.record({
    content: fc
      .array(fc.constantFrom("port", "gateway", "ledger", "night", "moves", "answers"), {
        minLength: 2,
        maxLength: 6,
      })
      .chain((words) => fc.constantFrom("", "?").map((end) => `The ${words.join(" ")}${end}`)),
    agent: fc.constantFrom("ann", "bob"),
    importance: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    ageDays: fc.nat(400),
    uses: fc.nat(200),
  });

  it("are the same at the top for any limit", () => {
    fc.assert(
      fc.property(
        fc.array(memory, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom("port gateway", "night of bob", "ledger"),
        fc.constantFrom("weighed" as const, "relevance" as const),
        (given, limit, q, order) => {
          const projection = projectionOf(given);
          const all = recall(projection, { q, limit: 200, order }, NOW);
          expect(recall(projection, { q, limit, order }, NOW)).toEqual(all.slice(0, limit));
        },
      ),
      { numRuns: runs(100) },
    );
  });

  const content = "The gateway listens on a port of the ledger";
  const first = (...given: Partial<Given>[]) => {
    const found = recall(
      projectionOf(given.map((more) => ({ content, importance: 0.5, ...more }))),
      { q: "gateway port", limit: 200, order: "weighed" },
      NOW,
    );
    return found.map(({ id }) => Number(id.slice(1)));
  };

  it("are ordered by importance, freshness, use and time of writing", () => {
    expect(first({ importance: 0.6 }, { importance: 0.4 })).toEqual([0, 1]);
    expect(first({ ageDays: 1 }, { ageDays: 60 })).toEqual([0, 1]);
    expect(first({ uses: 9 }, { uses: 1 })).toEqual([0, 1]);
    expect(first({}, {})).toEqual([1, 0]);
    expect(first({ importance: 0.7, ageDays: 20 }, { importance: 0.4 })).toEqual([0, 1]);
  });

  it("have a superseding memory first, or alone if the query asks for the current state", () => {
    const given = [
      { content: "The port of the gateway is 1", importance: 0.9 },
      { content: "The port of the gateway is 2", importance: 0.5, supersedes: ["m000"] },
      { content: "The port of the gateway is 3", importance: 0.3, supersedes: ["m001"] },
    ];
    const found = (q: string, minImportance = 0) =>
      recall(projectionOf(given), { q, minImportance, limit: 200, order: "weighed" }, NOW).map(
        ({ id }) => id,
      );
    expect(found("port of the gateway")).toEqual(["m002", "m000", "m001"]);
    expect(found("port of the gateway now")).toEqual(["m002"]);
    expect(found("port of the gateway", 0.4)).toEqual(["m001", "m000"]);
    expect(found("current port of the gateway", 0.4)).toEqual(["m001"]);
    expect(found("latest port of the gateway", 0.8)).toEqual(["m000"]);
  });

  it("have statements before questions", () => {
    expect(first({}, { content: `${content}?` })).toEqual([0, 1]);
  });
});

describe("a query expanded by the best documents", () => {
  const texts = ["wing lift", "wing drag drag", "wing flap", "wing lift lift", "wing tail", "soup bowl"];

  it("keeps half of its own weight, and the same total weight", () => {
    const index = indexOf(texts);
    const number = (word: string) => index.numberOf(word) as number;
    const query = new Map([[number("wing"), 2]]);
    const expanded = expand(index, query, [0, 1, 2, 3, 4, 5], Float64Array.of(5, 4, 3, 2, 1, 9));
    const weights = [...(expanded?.values() ?? [])];
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(2, 6);
    const weightOf = (word: string) => expanded?.get(number(word)) ?? 0;
    expect(weightOf("wing")).toBeGreaterThan(1);
    expect(weightOf("wing")).toBeLessThan(2);
    // By the document's score, the share of its words, and the number of occurrences.
    expect(weightOf("lift")).toBeGreaterThan(weightOf("drag"));
    expect(weightOf("drag")).toBeGreaterThan(weightOf("flap"));
    expect(weightOf("flap")).toBeGreaterThan(weightOf("tail"));
    expect(weightOf("soup")).toBe(0);
    const model = { lift: 5 / 2 + 2 * (2 / 3), flap: 3 / 2 };
    expect(weightOf("lift") / weightOf("flap")).toBeCloseTo(model.lift / model.flap, 6);
  });

  it("needs at least five documents", () => {
    const index = indexOf(texts);
    const query = new Map([[index.numberOf("wing") as number, 1]]);
    const scores = Float64Array.of(5, 4, 3, 2, 1, 0);
    expect(expand(index, query, [0, 1, 2, 3], scores)).toBeUndefined();
    expect(expand(index, query, [0, 1, 2, 3, 4], scores)).toBeDefined();
  });
});

describe("agree()", () => {
  const texts = ["wing lift drag", "wing lift flap", "wing lift tail", "soup bowl spoon", "lamp desk chair"];
  const index = indexOf(texts);
  const corpus = {
    index,
    threads: new Threads(),
    asksQuestion: () => false,
    count: texts.length,
    written: { count: texts.length, length: 15 },
    end: texts.length,
  };
  const everyone = [0, 1, 2, 3, 4];

  it("draws the scores of similar documents together, and leaves others unchanged", () => {
    const scores = agree(corpus, everyone, [9, 1, 1, 6, 2]) as [number, number, number, number, number];
    expect(scores[0]).toBeLessThan(9);
    expect(scores[1]).toBeGreaterThan(1);
    expect(scores[1]).toBeLessThan(scores[0]);
    expect(scores[1]).toBeCloseTo(scores[2], 9);
    expect(scores.slice(3)).toEqual([6, 2]);
  });

  it("leaves equal scores unchanged", () => {
    for (const score of agree(corpus, everyone, [3, 3, 3, 3, 3])) expect(score).toBeCloseTo(3, 9);
  });

  it("does not depend on the order of the documents", () => {
    const order = [3, 2, 0, 4, 1];
    const scores = [9, 1, 4, 6, 2];
    const straight = agree(corpus, everyone, scores);
    const turned = agree(
      corpus,
      order,
      order.map((memory) => scores[memory] as number),
    );
    for (const [at, memory] of order.entries()) expect(turned[at]).toBeCloseTo(straight[memory] as number, 9);
  });
});

it("a memory that says a word of the query precedes one that has a rare one of many other words for another", () => {
  const projection = projectionOf(
    [
      ...["Mina drives the van", "Mina paints doors", "The phone is upstairs"],
      ...["invoices", "parking", "doors", "crates", "lamps", "paint"].map((what) => `Ask Bo about ${what}`),
      ...["noon", "night", "lunch"].map((when) => `Call Bo at ${when}`),
      ...Array.from({ length: 40 }, (_, at) => `Crate ${at} holds apples`),
    ].map((content) => ({ content, importance: 0.5 })),
  );
  const found = recall(projection, { q: "Can I reach Mina?", limit: 3, order: "weighed" }, NOW);
  const ids = found.map(({ id }) => id);
  expect(ids.slice(0, 2).sort()).toEqual(["m000", "m001"]);
  expect(ids[2]).toBe("m002");
});

describe("memories similar to a text", () => {
  const projection = projectionOf([
    { content: "the mailer queue drains at midnight" },
    { content: "the mailer queue drains at noon" },
    { content: "the mailer stops" },
    { content: "the mailer queue drains at midnight", thread: "t" },
    { content: "a lighthouse" },
  ]);
  const idsOf = (numbers: readonly number[]) => numbers.map((memory) => projection.idOf(memory));
  const termsOf = (content: string) => finish(analyse({ content, kind: "fact", tags: [] })).probe.terms;
  const groupOf = (id: string) => projection.traitsOf(projection.numberOf(id) as number).group;

  it("share most of its words and its thread according to similarTo()", () => {
    const similar = (content: string, id: string) =>
      idsOf(similarTo(projection, groupOf(id), termsOf(content)));
    expect(similar("mailer queue drains midnight", "m000").sort()).toEqual(["m000", "m001"]);
    expect(similar("mailer queue drains midnight", "m003")).toEqual(["m003"]);
    expect(similar("mailer unknown other words", "m000")).toEqual([]);
  });

  it("are ordered by shared words, then newest first, by relatedTo()", () => {
    const related = (content: string, most = 48) => idsOf(relatedTo(projection, termsOf(content), most));
    expect(related("mailer queue drains midnight")).toEqual(["m003", "m000", "m001", "m002"]);
    expect(related("mailer queue drains midnight", 2)).toEqual(["m002"]);
    expect(related("unheard")).toEqual([]);
  });

  it("cover nearly all of its words together according to sharingWords()", () => {
    const sharing = (content: string, ...ids: string[]) => sharingWords(projection, ids, termsOf(content));
    expect(sharing("mailer queue drains midnight lighthouse", "m000", "m004")).toEqual(["m000"]);
    expect(sharing("mailer queue drains midnight unheard", "m000")).toEqual(["m000"]);
    expect(sharing("mailer queue drains unheard other", "m000")).toEqual([]);
    expect(sharing("mailer queue drains lighthouse", "m004", "m002")).toEqual([]);
    expect(sharing("lighthouse", "m000", "m004", "gone")).toEqual(["m004"]);
    expect(sharing("mailer queue drains midnight")).toEqual([]);
    expect(sharing("mailer unheard words of another", "m000")).toEqual([]);
  });
});
