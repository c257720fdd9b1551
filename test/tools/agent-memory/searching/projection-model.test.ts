import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import { analyse } from "../../../../src/tools/agent-memory/analyse.ts";
import type { MemoryDocument } from "../../../../src/tools/agent-memory/documents.ts";
import { list } from "../../../../src/tools/agent-memory/searching/list.ts";
import { MemoryProjection } from "../../../../src/tools/agent-memory/searching/memory-projection.ts";
import { recall } from "../../../../src/tools/agent-memory/searching/recall.ts";
import { statisticsOf } from "../../../../src/tools/agent-memory/searching/statistics.ts";
import { runs } from "../../../support/runs.ts";

const NOW = Date.UTC(2026, 0, 15);
const DAY = 86_400_000;
const HALF_LIFE_DAYS = 30;

interface Kept {
  document: MemoryDocument;
  uses: number;
}

/** Ids of memories. An id determines the agent, the thread and the superseded memory. */
const IDS = Array.from({ length: 9 }, (_, at) => `m${at}`);
const agentOf = (id: string) => ["ann", "bob", undefined][Number(id.slice(1)) % 3];
/** Whether a memory supersedes another. It is then scored like that one. */
const takesAnothersPlace = (id: string) => Number(id.slice(1)) % 4 === 3;
const threadOf = (id: string) => ["t", undefined][Number(id.slice(1)) % 2];

const documents = fc
  .record({
    id: fc.constantFrom(...IDS),
    words: fc.array(fc.constantFrom("port", "gateway", "ledger", "moves"), { minLength: 1, maxLength: 5 }),
    kind: fc.constantFrom("fact" as const, "decision" as const, "event" as const),
    tags: fc.uniqueArray(fc.constantFrom("red", "green"), { maxLength: 2 }),
    importance: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    ageDays: fc.nat(100),
    lastsDays: fc.constantFrom(undefined, undefined, -1, 0, 1),
    asks: fc.boolean(),
  })
  .map(({ id, words, ageDays, lastsDays, asks, ...given }): [string, MemoryDocument] => {
    const [agent, thread] = [agentOf(id), threadOf(id)];
    const content = `${id}x ${words.join(" ")}${asks ? "?" : ""}`;
    const memory = { ...given, content, ...(agent && { agent }), ...(thread && { thread }) };
    const { document } = finish(analyse(memory)).analysed;
    const at = NOW - ageDays * DAY;
    const expiresAt = lastsDays === undefined ? {} : { expiresAt: NOW + lastsDays * DAY };
    const before = takesAnothersPlace(id) ? { supersedes: [`m${Number(id.slice(1)) - 1}`] } : {};
    return [id, { ...document, ...expiresAt, ...before, at, createdAt: at, updatedAt: at, merges: 0 }];
  });
type Step = { put: [string, MemoryDocument] } | { remove: string } | { use: string; count: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { arbitrary: documents.map((put) => ({ put })), weight: 6 },
    { arbitrary: fc.constantFrom(...IDS).map((remove) => ({ remove })), weight: 2 },
    {
      arbitrary: fc.record({ use: fc.constantFrom(...IDS), count: fc.integer({ min: 1, max: 90 }) }),
      weight: 2,
    },
  ),
  { minLength: 3, maxLength: 40 },
);

/** Applies steps. Returns the projection, and the remaining memories in the order of writing. */
function done(all: readonly Step[]): { projection: MemoryProjection; kept: Map<string, Kept> } {
  const projection = new MemoryProjection();
  const kept = new Map<string, Kept>();
  for (const step of all) {
    if ("put" in step) {
      const [id, document] = step.put;
      const uses = kept.get(id)?.uses ?? 0;
      kept.delete(id);
      kept.set(id, { document, uses });
      finish(projection.put(id, document, document.content.length));
    } else if ("remove" in step) {
      kept.delete(step.remove);
      projection.remove(step.remove);
    } else {
      const known = kept.get(step.use);
      if (known) known.uses = step.count;
      projection.use(step.use, { count: step.count, lastAt: NOW });
    }
  }
  return { projection, kept };
}

const inputs = fc.record({
  minImportance: fc.constantFrom<number | undefined>(undefined, 0.3, 0.5),
  agent: fc.constantFrom(undefined, "ann"),
  thread: fc.constantFrom(undefined, "t"),
  tag: fc.constantFrom(undefined, "red"),
  kind: fc.constantFrom(undefined, "decision" as const),
});
type Filter = typeof inputs extends fc.Arbitrary<infer T> ? T : never;

const isWanted = ({ document }: Kept, { minImportance = 0, agent, thread, tag, kind }: Filter): boolean =>
  (document.expiresAt ?? Number.POSITIVE_INFINITY) > NOW &&
  document.importance >= minImportance &&
  (agent === undefined || document.agent === agent) &&
  (thread === undefined || document.thread === thread) &&
  (tag === undefined || document.tags.includes(tag)) &&
  (kind === undefined || document.kind === kind);

describe("the projection after any changes", () => {
  it("equals a fresh projection of the remaining memories", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { projection, kept } = done(all);
        const anew = new MemoryProjection();
        for (const [id, { document, uses }] of kept) {
          finish(anew.put(id, document, document.content.length));
          if (uses > 0) anew.use(id, { count: uses, lastAt: NOW });
        }
        const known = (each: MemoryProjection) => ({
          statistics: statisticsOf(each),
          written: each.written,
          bytes: each.bytes,
          traits: IDS.map((id) => {
            const memory = each.numberOf(id);
            if (memory === undefined) return undefined;
            const [by, digest] = [each.supersededBy(memory), each.withDigest(each.traitsOf(memory).digest)];
            return {
              ...each.traitsOf(memory),
              supersededBy: by === undefined ? undefined : each.idOf(by),
              withDigest: digest === undefined ? undefined : each.idOf(digest),
              speaker: each.speakers.nameOf(memory),
              named: each.speakers.namedIn("what did ann tell bob").named,
            };
          }),
          recalled: recall(each, { q: "gateway port", limit: 200, order: "weighed" }, NOW)
            .map(({ score, relevance, ...rest }) => ({
              ...rest,
              score: score.toFixed(9),
              relevance: relevance.toFixed(9),
            }))
            .sort((a, b) => (a.id < b.id ? -1 : 1)),
        });
        expect(known(projection)).toEqual(known(anew));
      }),
      { numRuns: runs(30) },
    );
  });

  it("counts the remaining memories by agent, thread, tag and kind", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { projection, kept } = done(all);
        const documents = [...kept.values()].map(({ document }) => document);
        const times = documents.map(({ at }) => at);
        const mean = documents.reduce((sum, { importance }) => sum + importance, 0) / documents.length;
        const iso = (time: number) => new Date(time).toISOString();
        const count = (names: readonly (string | undefined)[]) =>
          ["ann", "bob", "green", "red", "t"]
            .map((name): [string, number] => [name, names.filter((each) => each === name).length])
            .filter(([, count]) => count > 0)
            .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
        const found = statisticsOf(projection);
        expect(found).toMatchObject({
          memories: documents.length,
          contentBytes: documents.reduce((sum, { content }) => sum + content.length, 0),
          averageImportance: documents.length === 0 ? null : expect.closeTo(mean, 2),
          oldestAt: documents.length === 0 ? null : iso(Math.min(...times)),
          newestAt: documents.length === 0 ? null : iso(Math.max(...times)),
        });
        expect(found.byAgent.map(({ agent, count }) => [agent, count])).toEqual(
          count(documents.map(({ agent }) => agent)),
        );
        expect(found.byThread.map(({ thread, count }) => [thread, count])).toEqual(
          count(documents.map(({ thread }) => thread)),
        );
        expect(found.byTag.map(({ tag, count }) => [tag, count])).toEqual(
          count(documents.flatMap(({ tags }) => tags)),
        );
        for (const kind of ["fact", "decision", "event"] as const)
          expect(found.byKind[kind]).toBe(documents.filter((each) => each.kind === kind).length);
        expect(found).not.toHaveProperty("partial");
      }),
      { numRuns: runs(25) },
    );
  });

  it("weighs recalled memories by importance, freshness and use", () => {
    fc.assert(
      fc.property(steps, inputs, (all, filter) => {
        const { projection, kept } = done(all);
        const ask = (q: string, order: "weighed" | "relevance") =>
          recall(projection, { q, ...filter, limit: 200, order }, NOW);
        const weighed = ask("gateway port", "weighed");
        for (const { id, score, relevance, size } of weighed.filter(({ id }) => !takesAnothersPlace(id))) {
          const { document, uses } = kept.get(id) as Kept;
          const age = (NOW - document.at) / DAY;
          const weight =
            1 +
            0.2 * (document.importance - 0.5) +
            0.1 * 0.5 ** (age / HALF_LIFE_DAYS) +
            0.02 * Math.min(5, Math.log2(uses + 1));
          expect(score / relevance).toBeCloseTo(weight, 9);
          expect(size).toBe(document.content.length);
        }
        const wanted = [...kept].filter(([, each]) => isWanted(each, filter)).map(([id]) => id);
        for (const { id, score, relevance } of ask("gateway port", "relevance")) {
          expect(wanted).toContain(id);
          expect(score).toBe(relevance);
        }
        // Memories of an agent that the query names score 1.3 times as much. Nothing else differs.
        const agents = [...kept.values()].filter(({ document }) => document.agent === "ann");
        const named = new Map(ask("gateway port ann", "relevance").map(({ id, score }) => [id, score]));
        for (const { id, score } of ask("gateway port", "relevance")) {
          if (takesAnothersPlace(id)) continue;
          const factor = agents.length > 1 && agentOf(id) === "ann" ? 1.3 : 1;
          expect((named.get(id) ?? 0) / score).toBeCloseTo(factor, 9);
        }
      }),
      { numRuns: runs(25) },
    );
  });

  it("lists by importance for an empty query, and a speaker's memories for a name alone", () => {
    fc.assert(
      fc.property(steps, inputs, (all, filter) => {
        const { projection, kept } = done(all);
        const listed = (isOf: (id: string) => boolean) =>
          [...kept]
            .filter(([id, each]) => isOf(id) && isWanted(each, filter))
            .sort(
              ([a, one], [b, other]) =>
                other.document.importance - one.document.importance || (a > b ? -1 : 1),
            )
            .map(([id, { document }]) => [id, document.importance, 0, []]);
        const ask = (q: string) => recall(projection, { q, ...filter, limit: 200, order: "weighed" }, NOW);
        const shown = (q: string) =>
          ask(q).map(({ id, score, relevance, matched }) => [id, score, relevance, matched]);
        expect(shown(" ")).toEqual(listed(() => true));
        expect(shown("unheard")).toEqual([]);
        for (const { why, score } of ask(" ")) expect(why).toEqual([`importance ${score}`]);
        const isKnown = [...kept.keys()].filter((id) => agentOf(id) === "bob").length > 1;
        expect(shown("bob")).toEqual(isKnown ? listed((id) => agentOf(id) === "bob") : []);
        for (const { why, score } of isKnown ? ask("bob") : [])
          expect(why).toEqual(["said by bob", `importance ${score}`]);
      }),
      { numRuns: runs(25) },
    );
  });

  it("lists each memory once, in pages and in the given order", () => {
    const sorts = fc.constantFrom(
      "importance" as const,
      "-importance" as const,
      "at" as const,
      "-at" as const,
    );
    const more = fc.record({
      limit: fc.integer({ min: 1, max: 4 }),
      sort: sorts,
    });
    fc.assert(
      fc.property(steps, inputs, more, (all, filter, { limit, sort }) => {
        const { projection, kept } = done(all);
        const expected = [...kept]
          .filter(([, each]) => isWanted(each, filter))
          .map(([id, { document }]) => ({
            id,
            value: sort.endsWith("at") ? document.at : document.importance,
          }))
          .sort((one, other) => one.value - other.value || (one.id < other.id ? -1 : 1))
          .map(({ id }) => id);
        if (sort.startsWith("-")) expected.reverse();
        const found: string[] = [];
        let after: { value: number; id: string } | undefined;
        do {
          const input = { ...filter, limit, sort, cursor: undefined };
          const page = finish(list(projection, input as Parameters<typeof list>[1], { after, now: NOW }));
          expect(page.items.length).toBe(Math.min(limit, expected.length - found.length));
          found.push(...page.items.map(({ id }) => id));
          after = page.next;
          if (after) expect(found.length).toBeLessThan(expected.length);
        } while (after);
        expect(found).toEqual(expected);
      }),
      { numRuns: runs(25) },
    );
  });
});
