import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import { InvertedIndex } from "../../../../src/text/search/inverted-index.ts";
import { analyse } from "../../../../src/tools/agent-memory/analyse.ts";
import { agree } from "../../../../src/tools/agent-memory/searching/agreement.ts";
import { expand, scorer } from "../../../../src/tools/agent-memory/searching/feedback.ts";
import { match } from "../../../../src/tools/agent-memory/searching/matching.ts";
import { MemoryProjection } from "../../../../src/tools/agent-memory/searching/memory-projection.ts";
import { recall } from "../../../../src/tools/agent-memory/searching/recall.ts";
import { relevance } from "../../../../src/tools/agent-memory/searching/relevance.ts";
import { Threads } from "../../../../src/tools/agent-memory/searching/threads.ts";

const NOW = Date.UTC(2026, 0, 15);
const DAY = 86_400_000;

interface Given {
  content: string;
  agent?: string;
  importance?: number;
  ageDays?: number;
  uses?: number;
  supersedes?: string[];
}

/** Recalls memories m000, m001 …, and returns them by id. */
function recalled(q: string, given: readonly Given[], order: "weighed" | "relevance" = "weighed") {
  const projection = new MemoryProjection();
  for (const [index, { ageDays = 0, uses = 0, supersedes, ...memory }] of given.entries()) {
    const id = `m${String(index).padStart(3, "0")}`;
    const at = NOW - ageDays * DAY;
    const { document } = finish(analyse({ importance: 0.5, ...memory, kind: "fact", tags: [] })).analysed;
    const written = { ...document, at, createdAt: at, updatedAt: at, merges: 0 };
    finish(projection.put(id, { ...written, ...(supersedes && { supersedes }) }, 100));
    if (uses > 0) projection.use(id, { count: uses, lastAt: at });
  }
  return new Map(recall(projection, { q, limit: 200, order }, NOW).map((each) => [each.id, each]));
}

describe("the factor of a memory's relevance", () => {
  const content = "the gateway has a port";

  // 1 plus 0.2 × (importance − 0.5) if above, 0.1 that halves every 30 days, and 0.02 for each doubling of uses.
  it.each([
    [{}, 1.1],
    [{ importance: 1 }, 1.2],
    [{ importance: 0 }, 1],
    [{ ageDays: 30 }, 1.05],
    [{ ageDays: 60 }, 1.025],
    [{ ageDays: -60 }, 1.1],
    [{ uses: 1 }, 1.12],
    [{ uses: 7 }, 1.16],
    [{ uses: 31 }, 1.2],
    [{ uses: 1000 }, 1.2],
    [{ importance: 0.8, ageDays: 30, uses: 3 }, 1.15],
  ])("for %j is %f", (more, factor) => {
    const found = recalled("gateway port", [{ content, ...more }]).get("m000");
    expect(found?.score).toBeCloseTo((found?.relevance ?? 0) * factor, 9);
  });

  it("is 1.3 for a memory of a named speaker, and 0.9 for a question", () => {
    const given = [
      { content, agent: "ann" },
      { content, agent: "bob" },
      { content: "nothing of it", agent: "bob" },
      { content: `${content}?`, agent: "ann" },
    ];
    const found = recalled("gateway port of bob", given, "relevance");
    const of = (id: string) => found.get(id)?.relevance ?? 0;
    expect(of("m001") / of("m000")).toBeCloseTo(1.3, 9);
    expect(of("m003") / of("m000")).toBeCloseTo(0.9, 9);
    expect(found.get("m001")?.score).toBe(of("m001"));
  });
});

describe("a superseding memory", () => {
  it("comes before the superseded one, up to 100 steps from it, and tolerates a cycle", () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, at): Given => {
        const content = at === 0 ? "the zeppelin lands" : `step ${at} of it`;
        return at === 0 ? { content } : { content, supersedes: [`m${String(at - 1).padStart(3, "0")}`] };
      });
    expect([...recalled("zeppelin", chain(101)).keys()]).toEqual(["m100", "m000"]);
    expect([...recalled("zeppelin", chain(150)).keys()]).toEqual(["m100", "m000"]);
    const circle = [
      { content: "the zeppelin lands", supersedes: ["m001"] },
      { content: "the balloon lands", supersedes: ["m000"] },
    ];
    expect([...recalled("zeppelin", circle).keys()]).toEqual(["m000"]);
  });

  it.each(["now", "latest", "current", "currently", "today", "nowadays"])(
    "comes alone if the query says %s",
    (word) => {
      const given = [
        { content: "the port of the gateway is 1" },
        { content: "the port of the gateway is 2", supersedes: ["m000"] },
      ];
      expect([...recalled("port of the gateway", given).keys()]).toEqual(["m001", "m000"]);
      expect([...recalled(`port of the gateway ${word}`, given).keys()]).toEqual(["m001"]);
    },
  );

  it.each(["now", "currently", "nowadays"])(
    "is not searched for by %s, unless the query says no more",
    (word) => {
      const given = [{ content: "the port of the gateway is 1" }, { content: `tests run in Node ${word}` }];
      expect([...recalled(`port of the gateway ${word}`, given).keys()]).toEqual(["m000"]);
      expect([...recalled(word, given).keys()]).toEqual(["m001"]);
    },
  );
});

function corpusOf(texts: readonly (readonly string[])[]) {
  const index = new InvertedIndex();
  let length = 0;
  for (const [memory, words] of texts.entries()) {
    const weights = new Map<string, number>();
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + 1);
    index.add(memory, weights);
    length += words.length;
  }
  const written = { count: texts.length, length };
  const corpus = { index, threads: new Threads(), asksQuestion: () => false, count: texts.length, written };
  const query = (...words: string[]) =>
    new Map(words.map((word) => [index.numberOf(word) as number, 1] as const));
  return { corpus: { ...corpus, end: texts.length }, query };
}

describe("reranked documents", () => {
  it("are the 500 best, of which the 100 best are compared with each other", () => {
    // Each is longer than the previous one, so that no two match equally well.
    const texts = Array.from({ length: 520 }, (_, at) => [
      "wing",
      ...Array.from({ length: 30 + at }, (_, word) => `w${(7 * at + word) % 90}`),
    ]);
    const { corpus, query } = corpusOf(texts);
    const asked = { inShort: query("wing"), inContext: query("wing") };
    const matched = match(corpus, asked).scores;
    const again = [...matched.keys()].sort((a, b) => (matched[b] as number) - (matched[a] as number));
    const expanded = expand(corpus.index, asked.inContext, again, matched) ?? new Map();
    const { scores } = relevance(corpus, asked, () => true);
    for (const memory of again.slice(500)) expect(scores[memory]).toBe(matched[memory]);
    const scoreOf = scorer(corpus, expanded);
    const rescored = again.slice(0, 500).map((memory) => ({ memory, score: scoreOf(memory) }));
    rescored.sort((a, b) => b.score - a.score || a.memory - b.memory);
    const compared = rescored.slice(0, 100);
    const agreed = agree(
      corpus,
      compared.map(({ memory }) => memory),
      compared.map(({ score }) => score),
    );
    const reranked = rescored.map(({ memory, score }, at) => ({ memory, score: agreed[at] ?? score }));
    reranked.sort((a, b) => b.score - a.score);
    // They exchange the scores that they had by their matches.
    for (const [rank, { memory }] of reranked.entries()) {
      expect(scores[memory]).toBe(matched[again[rank] as number]);
    }
    expect(agreed[99]).not.toBeCloseTo(compared[99]?.score as number, 9);
  });
});

it("a query reads 200,000 occurrences of words, those of the rarest words first", () => {
  const found = (many: number) => {
    const often = Array.from({ length: many }, () => ["a", "b", "c"]);
    const { corpus, query } = corpusOf([...often, ["c"]]);
    const asked = query("c", "a", "b");
    return match(corpus, { inShort: asked, inContext: asked }).scores[many] as number;
  };
  // Three words in each document, and one more place of the last.
  expect(found(66_666)).toBeGreaterThan(0);
  expect(found(66_667)).toBe(0);
});

it("a query finds the memories that hold its rarest word, however many these are", () => {
  const many = 200_001;
  const { corpus, query } = corpusOf(Array.from({ length: many }, () => ["a"]));
  const asked = query("a");
  expect(match(corpus, { inShort: asked, inContext: asked }).found).toHaveLength(many);
});
