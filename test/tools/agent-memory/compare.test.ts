import { describe, expect, it } from "vitest";
import { finish } from "../../../src/store/projection.ts";
import { analyse } from "../../../src/tools/agent-memory/analyse.ts";
import { compare, type Verdict } from "../../../src/tools/agent-memory/compare.ts";
import { MemoryProjection } from "../../../src/tools/agent-memory/searching/memory-projection.ts";

interface Given {
  content: string;
  agent?: string;
  thread?: string;
  supersedes?: string[];
  /** Time of the last recall. */
  usedAt?: number;
}

type Text = string | Given;
const givenOf = (text: Text): Given => (typeof text === "string" ? { content: text } : text);

/** Stores memories m0, m1 … one after another, and returns the verdicts on further texts. */
function beside(known: readonly Text[], texts: readonly Text[], since = 0): Verdict[] {
  const projection = new MemoryProjection();
  for (const [index, text] of known.entries()) {
    const { supersedes, usedAt, ...given } = givenOf(text);
    const { document } = finish(analyse({ ...given, kind: "fact", tags: [] })).analysed;
    const times = { at: 0, createdAt: 0, updatedAt: 0, merges: 0 };
    const id = `m${String(index).padStart(2, "0")}`;
    finish(projection.put(id, { ...document, ...times, ...(supersedes && { supersedes }) }, 10));
    if (usedAt !== undefined) projection.use(id, { count: 1, lastAt: usedAt });
  }
  const probes = texts.map((text) => {
    const { supersedes: _, usedAt: __, ...given } = givenOf(text);
    return finish(analyse({ ...given, kind: "fact", tags: [] })).probe;
  });
  return finish(compare(projection, probes, since));
}

const NEW = { outcome: "new" };
const PORT = { 3000: "The API listens on port 3000", 4000: "The API listens on port 4000" };

describe("a text compared with memories", () => {
  it("is the same as a memory of the same agent and thread, with the word count of that memory", () => {
    expect(beside([PORT[3000], { content: PORT[3000], agent: "ann" }], [PORT[3000]])).toEqual([
      { outcome: "same", id: "m00", words: 5 },
    ]);
    expect(beside([PORT[3000]], [{ content: PORT[3000], agent: "ann" }])).toEqual([NEW]);
    expect(beside([PORT[3000]], [{ content: PORT[3000], thread: "t" }])).toEqual([NEW]);
    expect(beside(["The API really listens, on port 3000"], [`${PORT[3000]} there`])).toMatchObject([
      { outcome: "same", id: "m00" },
    ]);
  });

  it("is new if it has no words, even if repeated", () => {
    expect(beside(["..."], ["...", "!"])).toEqual([NEW, NEW]);
  });

  it("supersedes the memories that it contradicts, newest first, ten at most", () => {
    const hours = Array.from({ length: 12 }, (_, hour) => `Backups run at ${hour}`);
    const [verdict] = beside(hours, ["Backups run at noon"]) as [Extract<Verdict, { outcome: "new" }>];
    expect(verdict.supersedes).toHaveLength(10);
    expect(verdict.supersedes?.slice(0, 2)).toEqual([{ id: "m11" }, { id: "m10" }]);
    expect(beside(hours.slice(0, 2), ["Backups run at noon"])).toEqual([
      { outcome: "new", supersedes: [{ id: "m01" }, { id: "m00" }] },
    ]);
  });

  it.each(["also", "too", "additionally", "besides"])("supersedes nothing if it says %s", (word) => {
    expect(beside(["The API runs on Debian"], ["The API now runs on Alpine"])).toEqual([
      { outcome: "new", supersedes: [{ id: "m00" }] },
    ]);
    expect(beside(["The API runs on Debian"], [`The API ${word} now runs on Alpine`])).toEqual([NEW]);
  });

  it("is new if it restates a superseded memory, and supersedes the later one", () => {
    const known = [PORT[3000], { content: PORT[4000], supersedes: ["m00"] }];
    expect(beside(known, [PORT[3000]])).toEqual([{ outcome: "new", supersedes: [{ id: "m01" }] }]);
    expect(beside(known, [PORT[4000]])).toMatchObject([{ outcome: "same", id: "m01" }]);
  });

  it("supersedes a first-person statement only of the same agent", () => {
    const [home, moved] = ["I live in Paris near the canal", "I live in Rome near the canal"];
    const by = (agent: string | undefined, content: string) => ({ content, ...(agent && { agent }) });
    const superseded = { outcome: "new", supersedes: [{ id: "m00" }] };
    expect(beside([by("ann", home)], [by("bob", moved)])).toEqual([NEW]);
    expect(beside([by("ann", home)], [by(undefined, moved)])).toEqual([NEW]);
    expect(beside([by("ann", home)], [{ ...by("ann", moved), thread: "t" }])).toEqual([superseded]);
    expect(beside([by("ann", PORT[3000])], [by("bob", PORT[4000])])).toEqual([superseded]);
  });

  it("supersedes nothing if it has more than 48 words", () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `common${at}`).join(" ");
    const run = (count: number, hour: string) => `Backups run ${words(count)} at ${hour}`;
    expect(beside([run(44, "noon")], [run(44, "midnight")])).toEqual([
      { outcome: "new", supersedes: [{ id: "m00" }] },
    ]);
    expect(beside([run(45, "noon")], [run(45, "midnight")])).toEqual([NEW]);
  });
});

describe("a text compared with earlier ones of the call", () => {
  it("is the same as an earlier one, or as a longer one that was merged into that", () => {
    expect(beside([], [PORT[3000], PORT[3000], `${PORT[3000]} there`, `${PORT[3000]} there`])).toEqual([
      NEW,
      { outcome: "same", item: 0 },
      { outcome: "same", item: 0 },
      { outcome: "same", item: 0 },
    ]);
    expect(beside([], [PORT[3000], { content: PORT[3000], thread: "t" }])).toEqual([NEW, NEW]);
    // Alone, the last text has too many words more than the first.
    const [more, most] = [`${PORT[3000]} there`, `${PORT[3000]} there too`];
    expect(beside([], [PORT[3000], most])).not.toMatchObject([NEW, { outcome: "same" }]);
    const same = { outcome: "same", item: 0 };
    expect(beside([], [PORT[3000], more, most])).toEqual([NEW, same, same]);
    expect(beside([], [PORT[3000], more, PORT[3000], most])).toEqual([NEW, same, same, same]);
  });

  it("supersedes an earlier one, and is superseded if that is repeated", () => {
    expect(beside([], [PORT[3000], PORT[4000], PORT[3000], PORT[3000]])).toEqual([
      NEW,
      { outcome: "new", supersedes: [{ item: 0 }] },
      { outcome: "new", supersedes: [{ item: 1 }] },
      { outcome: "same", item: 2 },
    ]);
  });

  it("supersedes a memory that an earlier text was merged into, once", () => {
    expect(beside([PORT[3000]], [PORT[3000], PORT[4000], PORT[4000]])).toEqual([
      { outcome: "same", id: "m00", words: 5 },
      { outcome: "new", supersedes: [{ id: "m00" }] },
      { outcome: "same", item: 1 },
    ]);
  });

  it("does not supersede again what an earlier text superseded", () => {
    expect(beside([PORT[3000]], [PORT[4000], "The API listens on port 5000"])).toEqual([
      { outcome: "new", supersedes: [{ id: "m00" }] },
      { outcome: "new", supersedes: [{ item: 0 }] },
    ]);
  });
});

describe("a text compared with recalled memories", () => {
  const cats = "Ann moved to Lisbon with her two cats";
  const bikes = "Bob repairs old bicycles in his garage";
  const recalled = (content: string, usedAt: number) => ({ content, agent: "ann", usedAt });

  it("is an echo of a memory recalled since the given time, for any agent", () => {
    const echo = { content: cats, agent: "bob" };
    expect(beside([recalled(cats, 7)], [echo], 7)).toEqual([{ outcome: "echo", id: "m00" }]);
    expect(beside([recalled(cats, 7)], [echo], 8)).toEqual([NEW]);
    expect(beside([{ content: cats, agent: "ann" }], [echo], 0)).toEqual([NEW]);
  });

  it("is an echo of the memory that shares most of its words", () => {
    const known = [recalled(cats, 1), recalled(bikes, 2)];
    expect(beside(known, [`${cats}. ${bikes}.`])).toEqual([{ outcome: "echo", id: "m00" }]);
    const longer = `${bikes} behind the old harbour of the town`;
    expect(beside([recalled(cats, 1), recalled(longer, 2)], [`${cats}. ${longer}.`])).toEqual([
      { outcome: "echo", id: "m01" },
    ]);
    expect(beside(known, [`${bikes}, and then ${cats}.`])).toEqual([{ outcome: "echo", id: "m00" }]);
    expect(beside(known, [`${cats}. ${bikes}, unlike Eve.`])).toEqual([NEW]);
  });

  it("is new if the memory was contradicted since", () => {
    const known = [recalled(PORT[3000], 5), { content: PORT[4000], supersedes: ["m00"] }];
    expect(beside(known, [PORT[3000]])).toEqual([{ outcome: "new", supersedes: [{ id: "m01" }] }]);
    const both = [...known, recalled(PORT[3000], 6)];
    expect(beside(both, [PORT[3000]])).toMatchObject([{ outcome: "echo" }]);
  });
});
