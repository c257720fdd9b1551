import { describe, expect, it } from "vitest";
import { optimize } from "../../../src/tools/context-optimizer/optimize.ts";
import { sentenceStarts } from "../../../src/tools/context-optimizer/sentences.ts";

const LENGTH = 256 * 1024;

const budget = { ratio: 0.5 };
const tokenizer = "o200k_base" as const;

describe("a very long or minified text", () => {
  // Texts that take quadratic time or more in a naive implementation.
  it.each([
    ["a row of marks", "x.".padEnd(LENGTH, ".")],
    ["minified code", `import a;\n${"const ".padEnd(LENGTH, "a ")}= (b);\nimport b;\n`],
    ["brackets on a line", `a(b)\n${"a(".repeat(LENGTH / 2)}\na(b)\n`],
  ])(
    "is optimized within the time limit: %s",
    async (_, content) => {
      const { tokens } = await optimize({ content, budget, tokenizer });
      expect(tokens.after).toBeLessThanOrEqual(tokens.before / 2);
    },
    10_000,
  );
});

describe("sentences after rows of punctuation marks", () => {
  it.each([
    ["Really?! Yes... No.", ["Really?! ", "Yes... ", "No."]],
    ["What…?! I see.", ["What…?! ", "I see."]],
    ['He said "Yes." She left.', ['He said "Yes." ', "She left."]],
    ["好。。 .. Yes.", ["好。。 ", ".. ", "Yes."]],
  ])("begin after the marks: %s", (text, sentences) => {
    const starts = sentenceStarts(text);
    expect(starts.map((start, index) => text.slice(start, starts[index + 1]))).toEqual(sentences);
  });
});
