import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { contextOptimizerContract, type Kind } from "../../../src/tools/context-optimizer/contract.ts";
import { optimize } from "../../../src/tools/context-optimizer/optimize.ts";

/** Returns a text of `tokens` tokens. */
const text = (tokens: number) => " a".repeat(tokens);

async function isWhole(segments: readonly { id: string; content: string; kind?: Kind }[], maxTokens: number) {
  const input = { segments, budget: { maxTokens }, query: "a b" };
  const { method } = await optimize(contextOptimizerContract.optimize.input.parse(input));
  return method === "retrieval";
}

describe("whole pieces for a small budget", () => {
  it("are tested with texts of the exact token counts", () => {
    expect([countTokens(text(2000)), countTokens(`${text(2000)}${text(1)}`)]).toEqual([2000, 2001]);
  });

  it.each<[string, Kind | undefined, boolean]>([
    ["a", "code", true],
    ["a", "json", true],
    ["a.ts", undefined, true],
    ["a.json", undefined, true],
    ["a.md", undefined, true],
    ["a", "prose", false],
    ["a", undefined, false],
    ["a.log", undefined, false],
    ["a", "dialogue", false],
    ["a.md", "log", false],
  ])("are used for code, data and prose files: %s as %s, %s", async (id, kind, expected) => {
    expect(await isWhole([{ id, content: text(2000), ...(kind && { kind }) }], 500)).toBe(expected);
  });

  it.each([
    [2000, 500, true],
    [2000, 499, false],
    [2000, 501, false],
    [2004, 501, true],
    [2400, 600, true],
    [2399, 600, false],
  ])(
    "are used for at least 500 tokens and at most a quarter of the text: %d %d, %s",
    async (all, budget, expected) => {
      expect(await isWhole([{ id: "a.ts", content: text(all) }], budget)).toBe(expected);
    },
  );

  it("are whole records of JSON, however few tokens there are", async () => {
    const orders = Array.from({ length: 300 }, (_, id) => ({
      id,
      by: `b${id}`,
      state: id === 144 ? "lost" : "paid",
    }));
    const segments = [{ id: "orders.json", content: JSON.stringify({ orders }, null, 2) }];
    const input = { segments, budget: { maxTokens: 120 }, query: "which order was lost" };
    const { segments: [kept] = [] } = await optimize(contextOptimizerContract.optimize.input.parse(input));
    const records = kept?.content.match(/\{[^{}]*\}/g) ?? [];
    expect(records.map((record) => Object.keys(JSON.parse(record)))).toContainEqual(["id", "by", "state"]);
    expect(records.join()).toContain("lost");
    expect(kept?.content.match(/"id"/g)).toHaveLength(records.length);
  });

  it("are not used for few tokens of JSON without records", async () => {
    const names = Array.from({ length: 200 }, (_, index) => [`library-${index}`, `^${index}.0.0`]);
    const content = JSON.stringify({ dependencies: Object.fromEntries(names) }, null, 2);
    expect(await isWhole([{ id: "package.json", content }], 120)).toBe(false);
  });

  it.each([
    [1001, 1000, true],
    [1000, 1000, false],
    [1000, 1001, false],
  ])(
    "are used if code is more than half of the tokens: %d of code, %d of other text, %s",
    async (structured, other, expected) => {
      const segments = [
        { id: "a.ts", content: text(structured) },
        { id: "b", content: text(other) },
      ];
      expect(await isWhole(segments, 500)).toBe(expected);
      expect(await isWhole(segments.reverse(), 500)).toBe(expected);
    },
  );
});
