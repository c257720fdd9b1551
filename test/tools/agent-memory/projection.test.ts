import { describe, expect, it } from "vitest";
import { finish } from "../../../src/store/projection.ts";
import { analyse } from "../../../src/tools/agent-memory/analyse.ts";
import { compare } from "../../../src/tools/agent-memory/compare.ts";
import type { MemoryDocument } from "../../../src/tools/agent-memory/documents.ts";
import { list } from "../../../src/tools/agent-memory/searching/list.ts";
import { MemoryProjection } from "../../../src/tools/agent-memory/searching/memory-projection.ts";
import { recall } from "../../../src/tools/agent-memory/searching/recall.ts";
import { statisticsOf } from "../../../src/tools/agent-memory/searching/statistics.ts";

const NOW = Date.UTC(2026, 0, 1);

function probe(content: string, more: { thread?: string } = {}) {
  return finish(analyse({ content, kind: "fact", tags: [], ...more })).probe;
}

function put(projection: MemoryProjection, id: string, content: string): void {
  const { document } = finish(analyse({ content, kind: "fact", tags: [] })).analysed;
  const times = { at: NOW, createdAt: NOW, updatedAt: NOW };
  const memory: MemoryDocument = { ...document, ...times, merges: 0 };
  finish(projection.put(id, memory, content.length));
}

function found(projection: MemoryProjection, q: string): string[] {
  const input = { q, limit: 200, order: "relevance" as const };
  return recall(projection, input, NOW).map(({ id }) => id);
}

const verdictsOf = (projection: MemoryProjection, ...contents: string[]) =>
  finish(
    compare(
      projection,
      contents.map((content) => probe(content)),
      0,
    ),
  );

describe("the index of memories", () => {
  it("computes the digest of a memory that an earlier version stored without one", () => {
    const projection = new MemoryProjection();
    const content = "The API listens on port 3000";
    const { document } = finish(analyse({ content, kind: "fact", tags: [] })).analysed;
    const { digest: _, ...kept } = document;
    finish(projection.put("m1", { ...kept, at: NOW, createdAt: NOW, updatedAt: NOW, merges: 0 }, 10));
    expect(projection.withDigest(probe(content).digest)).toBe(projection.numberOf("m1"));
    expect(projection.withDigest(probe(content, { thread: "t" }).digest)).toBeUndefined();
  });

  it("leaves out the oldest memories beyond its limit, and reports that it is partial", () => {
    const projection = new MemoryProjection(40_000);
    for (let index = 0; index < 100; index++) put(projection, `m${index}`, `common word${index}`);
    expect(projection.bytes).toBeLessThanOrEqual(40_000);
    expect(projection.isPartial).toBe(true);
    expect(found(projection, "word99")).toEqual(["m99"]);
    expect(found(projection, "word0")).toEqual([]);
    const { count } = projection;
    expect(found(projection, "common")).toHaveLength(count);
    expect(statisticsOf(projection)).toMatchObject({ memories: count, partial: true });
  });

  it("leaves out nothing up to its limit, and never the newest memory", () => {
    const whole = new MemoryProjection();
    for (let index = 0; index < 9; index++) put(whole, `m${index}`, `common word${index}`);
    for (const [maxBytes, isPartial] of [
      [whole.bytes, false],
      [whole.bytes - 1, true],
    ] as const) {
      const projection = new MemoryProjection(maxBytes);
      for (let index = 0; index < 9; index++) put(projection, `m${index}`, `common word${index}`);
      expect([projection.isPartial, projection.count]).toEqual([isPartial, isPartial ? 8 : 9]);
    }
    const small = new MemoryProjection(1);
    put(small, "m0", "common word");
    expect([small.count, small.isPartial]).toEqual([1, false]);
    put(small, "m1", "common word");
    expect(found(small, "common")).toEqual(["m1"]);
  });

  it("yields after every 5,000 memories while listing", () => {
    const projection = new MemoryProjection();
    const document: MemoryDocument = {
      ...{ content: "", kind: "fact", tags: [], keywords: [], importance: 0.5, importanceReasons: [] },
      ...{ at: NOW, createdAt: NOW, updatedAt: NOW, merges: 0 },
    };
    for (let index = 0; index < 5000; index++) finish(projection.put(`m${index}`, document, 1));
    const input = { sort: "at", limit: 1 } as const;
    expect([...list(projection, input, { after: undefined, now: NOW })]).toHaveLength(2);
    projection.remove("m0");
    expect([...list(projection, input, { after: undefined, now: NOW })]).toHaveLength(1);
  });

  it("keeps a memory that was rewritten when the oldest are left out", () => {
    const projection = new MemoryProjection(40_000);
    for (let index = 0; index < 100; index++) {
      put(projection, `m${index}`, `common word${index}`);
      put(projection, "kept", "a lighthouse");
    }
    expect(found(projection, "lighthouse")).toEqual(["kept"]);
  });

  it("finds a memory by the first 1,900 terms of its content, and by its tags", () => {
    const projection = new MemoryProjection();
    const words = Array.from({ length: 3000 }, (_, index) => `w${index}x`);
    const { document } = finish(
      analyse({ content: words.join(" "), kind: "fact", tags: ["tagged"] }),
    ).analysed;
    finish(projection.put("m", { ...document, at: NOW, createdAt: NOW, updatedAt: NOW, merges: 0 }, 1));
    expect(found(projection, "w1899x")).toEqual(["m"]);
    expect(found(projection, "w1900x")).toEqual([]);
    expect(found(projection, "tagged")).toEqual(["m"]);
    expect(projection.index.size).toBeLessThanOrEqual(2000);
  });

  it("counts a memory of words that no other has as larger than one of words that are known", () => {
    const added = (content: string) => {
      const projection = new MemoryProjection();
      put(projection, "known", "common word");
      const { bytes } = projection;
      put(projection, "added", content);
      return projection.bytes - bytes;
    };
    expect(added("strange thing")).toBeGreaterThan(added("common word"));
  });

  it("takes no more memory after many memories were forgotten", () => {
    const projection = new MemoryProjection();
    put(projection, "kept", "one");
    const { bytes } = projection;
    for (let index = 0; index < 1000; index++) {
      put(projection, "brief", `word${index} thing${index}`);
      projection.remove("brief");
    }
    expect(projection.bytes).toBe(bytes);
    expect(projection.index.termCount).toBeLessThan(50);
  });
});

describe("the verdict on a text", () => {
  const long = Array.from({ length: 2000 }, (_, index) =>
    `w${index % 700}`.replace(/\d+/, (n) => "abcdefghij"[Number(n) % 10] + n),
  ).join(" ");

  it("is new if long texts differ in a significant word", () => {
    const texts = Array.from({ length: 100 }, (_, index) => `${long} ${index}`);
    const verdicts = verdictsOf(new MemoryProjection(), ...texts);
    expect(new Set(verdicts.map(({ outcome }) => outcome))).toEqual(new Set(["new"]));
  });

  it("is same for a repeated text of the call, and for one like an existing memory", () => {
    const projection = new MemoryProjection();
    put(projection, "m", "the queue of the mailer drains at midnight");
    expect(
      verdictsOf(
        projection,
        "invoices are sent on the first of a month",
        "The queue of the mailer drains at midnight, usually",
        "Invoices are sent on the first of a month!",
        "the queue of the mailer drains at midnight usually",
        "something else entirely is said here",
      ),
    ).toEqual([
      { outcome: "new" },
      { outcome: "same", id: "m", words: 6 },
      { outcome: "same", item: 0 },
      { outcome: "same", id: "m", words: 6 },
      { outcome: "new" },
    ]);
  });

  it("is same for a memory among many that share all its words", () => {
    const projection = new MemoryProjection();
    const words = "alpha beta gamma delta epsilon zeta eta theta".split(" ");
    const orders = words.flatMap((first) =>
      words.map((second) => [first, second, ...words.filter((word) => word !== first && word !== second)]),
    );
    for (const [index, order] of orders.entries()) put(projection, `m${index}`, order.join(" "));
    const verdicts = verdictsOf(projection, ...orders.map((order) => order.join(" ")));
    expect(verdicts.every(({ outcome }) => outcome === "same")).toBe(true);
  });

  it("is new for the same text in another thread", () => {
    const projection = new MemoryProjection();
    const probes = [
      probe("the deploy went well today"),
      probe("the deploy went well today", { thread: "t" }),
    ];
    expect(finish(compare(projection, probes, 0)).map(({ outcome }) => outcome)).toEqual(["new", "new"]);
  });

  it("is same for one of many long texts in the index", () => {
    const projection = new MemoryProjection();
    for (let index = 0; index < 200; index++) put(projection, `m${index}`, `${long} ${index}`);
    expect(verdictsOf(projection, `${long} 77`)).toMatchObject([{ outcome: "same" }]);
    expect(verdictsOf(projection, `${long} 777`)).toEqual([{ outcome: "new" }]);
  });
});
