import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish } from "../../../src/store/projection.ts";
import { analyse } from "../../../src/tools/agent-memory/analyse.ts";
import { groupOf } from "../../../src/tools/agent-memory/documents.ts";
import {
  groupNumber,
  MemoryProjection,
} from "../../../src/tools/agent-memory/searching/memory-projection.ts";
import { relatedTo, sharingWords, similarTo } from "../../../src/tools/agent-memory/similar.ts";
import { runs } from "../../support/runs.ts";

const WORDS = ["zorp", "quib", "blick", "frun", "gmox", "wump", "drosk", "plim", "vext"];
const words = (minLength: number) =>
  fc.uniqueArray(fc.constantFrom(...WORDS), { minLength, maxLength: WORDS.length });
const memories = fc.array(fc.record({ words: words(1), agent: fc.constantFrom("ann", "bob") }), {
  minLength: 1,
  maxLength: 30,
});

interface Memory {
  id: string;
  words: string[];
  agent: string;
}

function keeping(drawn: readonly Omit<Memory, "id">[]) {
  const projection = new MemoryProjection();
  const all = drawn.map((each, index): Memory => ({ ...each, id: `m${String(index).padStart(2, "0")}` }));
  for (const { id, words: said, agent } of all) {
    const content = said.join(" ");
    const { document } = finish(analyse({ content, agent, kind: "fact", tags: [] })).analysed;
    const stored = { ...document, at: 0, createdAt: 0, updatedAt: 0, merges: 0 };
    finish(projection.put(id, stored, content.length));
  }
  const having = (term: string) => all.filter((each) => each.words.includes(term)).length;
  /** Sorts known terms, the rarest first. Ties keep their order. */
  const byRarity = (terms: readonly string[]) =>
    terms.filter((term) => having(term) > 0).sort((a, b) => having(a) - having(b));
  return { projection, all, byRarity };
}

const shared = (memory: Memory, terms: readonly string[]) =>
  memory.words.filter((word) => terms.includes(word)).length;

describe("memories to compare a text with", () => {
  it("share one of its three rarest words, and 70 % of all, for similarTo()", () => {
    fc.assert(
      fc.property(memories, words(1), fc.constantFrom("ann", "bob"), (drawn, terms, agent) => {
        const { projection, all, byRarity } = keeping(drawn);
        const rarest = byRarity(terms).slice(0, 3);
        const expected = all.filter(
          (each) =>
            each.agent === agent && shared(each, rarest) > 0 && shared(each, terms) >= 0.7 * terms.length,
        );
        const found = similarTo(projection, groupNumber(groupOf({ agent })), terms).map((memory) =>
          projection.idOf(memory),
        );
        expect(new Set(found).size).toBe(found.length);
        expect(found).toHaveLength(Math.min(10, expected.length));
        expect(expected.map(({ id }) => id)).toEqual(expect.arrayContaining(found));
      }),
      { numRuns: runs(60) },
    );
  });

  it("are the 20 that share most of its six rarest words, newest first, for relatedTo()", () => {
    fc.assert(
      fc.property(memories, words(1), fc.integer({ min: 1, max: 9 }), (drawn, terms, maxWords) => {
        const { projection, all, byRarity } = keeping(drawn);
        const rarest = byRarity(terms).slice(0, 6);
        const expected = all
          .filter((each) => each.words.length <= maxWords && shared(each, rarest) > 0)
          .reverse()
          .sort((a, b) => shared(b, rarest) - shared(a, rarest))
          .slice(0, 20);
        const found = relatedTo(projection, terms, maxWords).map((memory) => projection.idOf(memory));
        expect(found).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: runs(60) },
    );
  });

  it("cover 80 % of its words together, and three words each, for sharingWords()", () => {
    fc.assert(
      fc.property(memories, words(1), fc.array(fc.nat(35), { maxLength: 5 }), (drawn, terms, asked) => {
        const { projection, all } = keeping(drawn);
        const ids = asked.map((index) => all[index]?.id ?? "gone");
        const there = all.filter(({ id }) => ids.includes(id));
        const covered = terms.filter((term) => there.some((each) => each.words.includes(term)));
        const few = there.filter((each) => shared(each, terms) >= Math.min(3, terms.length));
        const expected = covered.length < 0.8 * terms.length ? [] : few.map(({ id }) => id);
        expect(sharingWords(projection, ids, terms)).toEqual(ids.filter((id) => expected.includes(id)));
      }),
      { numRuns: runs(60) },
    );
  });
});
