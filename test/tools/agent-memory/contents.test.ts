import { describe, expect, it } from "vitest";
import { finish } from "../../../src/store/projection.ts";
import { asksQuestion, contentsOf, speakerOf, termsIn } from "../../../src/tools/agent-memory/contents.ts";
import type { MemoryDocument } from "../../../src/tools/agent-memory/documents.ts";
import { hashed, restates } from "../../../src/tools/agent-memory/sameness.ts";
import {
  changesMeaning,
  digestOf,
  saysNothingAlone,
  statementOf,
  turns,
} from "../../../src/tools/agent-memory/statement.ts";

const document = (more: Partial<MemoryDocument>): MemoryDocument => ({
  content: "",
  kind: "fact",
  tags: [],
  keywords: [],
  importance: 0.5,
  importanceReasons: [],
  at: Date.UTC(2023, 4, 8, 23, 59),
  createdAt: 0,
  updatedAt: 0,
  merges: 0,
  ...more,
});

describe("the search terms of a memory", () => {
  const weights = (more: Partial<MemoryDocument>) =>
    Object.fromEntries(finish(contentsOf(document(more))).weights);

  it("are its words, its tags, its date, and its metadata at half weight", () => {
    expect(weights({})).toEqual({ "8": 1, "2023": 1 });
    expect(
      weights({
        content: "The gateway retries. Gateways!",
        tags: ["gateway", "on call"],
        metadata: { source: { note: "gateway ledger" }, pages: [3, "atlas"], missing: null },
      }),
    ).toEqual({
      gatewai: 3.5,
      retri: 1,
      call: 1,
      "8": 1,
      "2023": 1,
      ledger: 0.5,
      atla: 0.5,
    });
    expect(weights({ at: Date.UTC(2024, 0, 31) })).toMatchObject({ januari: 1, "31": 1, "2024": 1 });
    expect(weights({ at: Date.UTC(2024, 11, 1) })).toMatchObject({ decemb: 1, "1": 1 });
  });

  it("are at most 1,900 of its content, and 100 others", () => {
    const words = (count: number, beginning: string) =>
      Array.from({ length: count }, (_, at) => `${beginning}${at.toString(8)}x`);
    const found = Object.keys(weights({ content: words(1950, "q").join(" "), tags: words(200, "z") }));
    expect(found.filter((term) => term.startsWith("q"))).toHaveLength(1900);
    expect(found).toHaveLength(2000);
    expect(termsIn(words(1950, "q"))).toHaveLength(1900);
    expect(termsIn(["the", "gateway", "gateways"])).toEqual(["gatewai"]);
    // Terms that are already known are still counted.
    expect(weights({ content: `${words(1950, "q").join(" ")} q0x` }).q0x).toBe(2);
  });
});

describe("speakerOf()", () => {
  it.each<[Partial<MemoryDocument>, string | undefined]>([
    [{ agent: "Ada Lovelace" }, "ada lovelace"],
    [{ agent: "Ada", thread: "t", content: "Bob: hello" }, "ada"],
    [{ thread: "t", content: "Bob: hello" }, "bob"],
    [{ thread: "t", content: "Bob O'Neill-Smith 2.: hello" }, "bob o'neill-smith 2"],
    [{ thread: "t", content: "Łucja: hello" }, "łucja"],
    [{ content: "Bob: hello" }, undefined],
    [{ thread: "t", content: "bob: hello" }, undefined],
    [{ thread: "t", content: "so said Bob: hello" }, undefined],
    [{ thread: "t", content: "Bob:hello" }, undefined],
    [{ thread: "t", content: "Bob (at home): hello" }, undefined],
    [{ thread: "t", content: `B${"o".repeat(40)}: hello` }, `b${"o".repeat(40)}`],
    [{ thread: "t", content: `B${"o".repeat(41)}: hello` }, undefined],
    [{ agent: "—" }, undefined],
  ])("returns for the memory %j the speaker %s", (more, speaker) => {
    const said = speakerOf(document(more));
    expect(said && statementOf(said)).toEqual(speaker && statementOf(speaker));
  });
});

it("asksQuestion() holds for a text that ends with a question mark", () => {
  const asks = (content: string) => asksQuestion(document({ content }));
  expect(["is it?", "is it? \n", "是吗？", "?"].filter((text) => !asks(text))).toEqual([]);
  expect(["is it? no", "it is", "is it?!"].filter(asks)).toEqual([]);
});

describe("the words of a statement", () => {
  const codes = (text: string) => [...statementOf(text)];

  it("are classified as turning the meaning, as numbers or as neither", () => {
    const turning =
      "not no never none without except unless only but however instead longer stopped cannot nor neither until formerly previously anymore deprecated";
    for (const code of codes(turning)) expect([changesMeaning(code), turns(code)]).toEqual([true, true]);
    for (const code of codes("7 v2 3rd")) expect([changesMeaning(code), turns(code)]).toEqual([true, false]);
    for (const code of codes("gateway note nothing retry"))
      expect([changesMeaning(code), turns(code)]).toEqual([false, false]);
  });

  it("say nothing alone if they only join others", () => {
    expect(codes("of in and is with on us own").map(saysNothingAlone)).toEqual([
      ...Array(6).fill(true),
      false,
      false,
    ]);
    expect(codes("gateway 7").map(saysNothingAlone)).toEqual([false, false]);
  });

  it("leave out fillers and endings, but keep their order", () => {
    expect(codes("The gateway, please, is just really that fast.")).toEqual(codes("gateway is fast"));
    expect(codes("Gateways")).toEqual(codes("gateway"));
    expect(codes("fast gateway")).not.toEqual(codes("gateway fast"));
  });

  it("have one digest per statement and group", () => {
    const digest = (text: string, group = "g") => digestOf(group, statementOf(text));
    expect(digest("The gateway is fast")).toBe(digest("gateway is fast!"));
    expect(digest("The gateway is fast")).toMatch(/^[\w-]{16}$/);
    expect(digest("The gateway is slow")).not.toBe(digest("The gateway is fast"));
    expect(digest("The gateway is fast", "h")).not.toBe(digest("The gateway is fast"));
    // A subarray of a longer statement has the digest of its own part.
    expect(digestOf("g", statementOf("so the gateway is fast").subarray(1))).toBe(digest("gateway is fast"));
  });
});

describe("restates()", () => {
  const same = (said: string, known: string) =>
    restates(hashed(statementOf(said)), hashed(statementOf(known)));

  it.each([
    ["gateway retries failed calls", "gateway retries failed calls", true],
    ["gateway retries failed calls twice", "gateway retries failed calls", true],
    ["gateway retries calls", "gateway retries", false],
    ["slow gateway retries failed calls", "gateway retries failed calls", true],
    ["gateway retries failed calls", "slow gateway retries failed calls", false],
    ["gateway retries failed calls", "gateway retries failed calls there", true],
    ["gateway retries failed calls very slow today", "gateway retries failed calls", false],
    ["gateway retries failed 5", "gateway retries failed calls", false],
    ["gateway retries failed calls 5", "gateway retries failed calls", false],
    ["never gateway retries failed calls", "gateway retries failed calls", false],
    ["", "", false],
    ["the", "a", false],
  ])("%j restates %j: %s", (said, known, expected) => expect(same(said, known)).toBe(expected));
});
