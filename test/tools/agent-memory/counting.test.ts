import { describe, expect, it } from "vitest";
import { keywordsOf } from "../../../src/tools/agent-memory/keywords.ts";
import { RecentUses } from "../../../src/tools/agent-memory/searching/recent-uses.ts";
import { Speakers } from "../../../src/tools/agent-memory/searching/speakers.ts";
import { Tally } from "../../../src/tools/agent-memory/searching/tally.ts";

describe("keywords", () => {
  it("are the eight words with most weight for repetition, length and early position", () => {
    expect(keywordsOf("cat elephant cat")).toEqual(["cat", "elephant"]);
    expect(keywordsOf("cat elephant")).toEqual(["elephant", "cat"]);
    expect(keywordsOf(`gull ${"the ".repeat(100)} crow`)).toEqual(["gull", "crow"]);
    const birds = "gull crow wren swan duck coot rail ibis kite";
    expect(keywordsOf(birds)).toEqual(birds.split(" ").slice(0, 8));
  });

  it("exclude numbers, light words and masked secrets", () => {
    expect(keywordsOf("2024 release 17")).toEqual(["release"]);
    expect(keywordsOf("I think the thing is good today: nobody wants a lot of tea")).toEqual([
      "nobody",
      "tea",
    ]);
    expect(keywordsOf("[masked aws-key] of the vault")).toEqual(["vault"]);
  });

  it("have at least three letters in Latin script, or fewer in others", () => {
    expect(keywordsOf("ox cow x1")).toEqual(["cow"]);
    expect(keywordsOf("μs of latency")).toEqual(["latency", "μs"]);
  });
});

describe("Speakers", () => {
  it("recognises a name of one or more words once two memories have that speaker", () => {
    const speakers = new Speakers();
    expect(speakers.nameOf(0)).toBeUndefined();
    speakers.put(0, "ann");
    expect(speakers.namedIn("what does Ann say")).toEqual({
      named: new Set(),
      words: ["what", "does", "ann", "say"],
    });
    speakers.put(1, "ann");
    speakers.put(2, "mary ann smith");
    speakers.put(3, "mary ann smith");
    expect(speakers.namedIn("what does Ann say")).toEqual({
      named: new Set(["ann"]),
      words: ["what", "does", "say"],
    });
    expect(speakers.namedIn("Mary Ann Smith and ann")).toEqual({
      named: new Set(["mary ann smith", "ann"]),
      words: ["and"],
    });
    expect(speakers.nameOf(1)).toBe("ann");
  });

  it("forgets a speaker whose memories change to another", () => {
    const speakers = new Speakers();
    for (const memory of [0, 1, 2]) speakers.put(memory, "ann");
    speakers.put(0, undefined);
    speakers.put(1, "ann");
    expect(speakers.namedIn("ann").named).toEqual(new Set(["ann"]));
    speakers.put(1, "bob");
    expect(speakers.namedIn("ann").named).toEqual(new Set());
    expect([0, 1, 2].map((memory) => speakers.nameOf(memory))).toEqual([undefined, "bob", "ann"]);
  });
});

describe("a tally", () => {
  it("returns the most frequent names first, with ties ordered by name", () => {
    const tally = new Tally();
    const names = Array.from({ length: 60 }, (_, index) => `n${String((index * 7) % 60).padStart(2, "0")}`);
    tally.add(names, 1);
    for (const name of ["n50", "n07"]) tally.add([name, name], 1);
    tally.add(["n31"], 1);
    expect(tally.top(5)).toEqual([
      ["n07", 3],
      ["n50", 3],
      ["n31", 2],
      ["n00", 1],
      ["n01", 1],
    ]);
  });

  it("drops names whose count falls to zero", () => {
    const tally = new Tally();
    tally.add(["a", "a", "b"], 1);
    tally.add(["a", "b"], -1);
    expect([tally.of("a"), tally.of("b"), tally.of("c")]).toEqual([1, 0, 0]);
    expect(tally.top(9)).toEqual([["a", 1]]);
  });
});

it("RecentUses keeps the 20 memories that were used last", () => {
  const uses = new RecentUses();
  for (let at = 0; at < 21; at++) uses.add(`m${at}`, at);
  expect(uses.since(0)).toHaveLength(20);
  expect(uses.since(0)).not.toContain("m0");
  uses.add("m1", 30);
  uses.add("new", 31);
  expect(uses.since(0)).toContain("m1");
  expect(uses.since(0)).not.toContain("m2");
  uses.remove("m20");
  expect(uses.since(19)).toEqual(["m19", "m1", "new"]);
  expect(uses.since(31)).toEqual(["new"]);
});
