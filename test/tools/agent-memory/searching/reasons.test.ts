import { describe, expect, it } from "vitest";
import { finish } from "../../../../src/store/projection.ts";
import { analyse } from "../../../../src/tools/agent-memory/analyse.ts";
import { MemoryProjection } from "../../../../src/tools/agent-memory/searching/memory-projection.ts";
import { recall } from "../../../../src/tools/agent-memory/searching/recall.ts";

interface Given {
  content: string;
  agent?: string;
  thread?: string;
  supersedes?: string[];
}

/** Recalls memories m0, m1 …. Returns by id the part of the query that each matched, and the reasons. */
function reasons(
  q: string,
  ...given: (string | Given)[]
): Record<string, [matched: string, ...why: string[]]> {
  const projection = new MemoryProjection();
  for (const [index, each] of given.entries()) {
    const { supersedes, ...memory } = typeof each === "string" ? { content: each } : each;
    const { document } = finish(analyse({ ...memory, kind: "fact", tags: [] })).analysed;
    const times = { at: 0, createdAt: 0, updatedAt: 0, merges: 0 };
    finish(projection.put(`m${index}`, { ...document, ...times, ...(supersedes && { supersedes }) }, 10));
  }
  const found = recall(projection, { q, limit: 50, order: "relevance" }, 0);
  return Object.fromEntries(found.map(({ id, matched, why }) => [id, [matched.join(), ...why]]));
}

const thread = (...contents: string[]) => contents.map((content) => ({ content, thread: "t" }));

describe("the reasons for recalling a memory", () => {
  it("name its words of the query, in the order of the query, each once", () => {
    expect(reasons("port of the gateway, ports", "the gateway has a port", "a port", "tea")).toEqual({
      m0: ["port,gateway", "says port, gateway"],
      m1: ["port", "says port"],
    });
  });

  it("name the words of the query that it has other words for", () => {
    expect(reasons("postgres or which database", "we took postgres and mysql")).toEqual({
      m0: ["postgres,database", "says postgres", "has other words for database"],
    });
    expect(reasons("which database", "we took mysql and sqlite")).toEqual({
      m0: ["database", "has other words for database"],
    });
    expect(reasons("database", "a database such as mysql")).toEqual({
      m0: ["database", "says database"],
    });
  });

  it("name words said only in its thread, up to three memories before it and two after it", () => {
    const said = thread("alpha", "one", "two", "three port", "four", "five", "omega");
    expect(reasons("port alpha omega", ...said)).toMatchObject({
      m3: ["port,alpha", "says port", "its thread says alpha"],
      m4: ["port,omega", "its thread says port, omega"],
      m1: ["port,alpha", "its thread says port, alpha"],
      m0: ["alpha", "says alpha"],
      m6: ["port,omega", "says omega", "its thread says port"],
    });
    expect(reasons("port port", ...thread("a port", "a port there"))).toEqual({
      m0: ["port", "says port"],
      m1: ["port", "says port"],
    });
  });

  it("name no words of another thread or of a memory without a thread", () => {
    expect(reasons("port", { content: "a port", thread: "s" }, "two", ...thread("three"))).toEqual({
      m0: ["port", "says port"],
    });
  });

  it("name its speaker if the query does", () => {
    const said = ["a port", "tea"].map((content) => ({ content, agent: "Ann" }));
    expect(reasons("port by ann", ...said, "no port")).toEqual({
      m0: ["port", "says port", "said by ann"],
      m2: ["port", "says port"],
    });
  });

  it("say that it took the place of an earlier memory", () => {
    const later = { content: "a port of two", supersedes: ["m0"] };
    expect(reasons("port", "a port of one", later)).toEqual({
      m0: ["port", "says port"],
      m1: ["port", "says port", "took the place of what was stored before"],
    });
  });
});
