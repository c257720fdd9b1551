import { describe, expect, it } from "vitest";
import { optimize } from "../../../src/tools/context-optimizer/optimize.ts";
import { locate } from "../../../src/tools/context-optimizer/retrieval/locate.ts";
import { sentenceStarts } from "../../../src/tools/context-optimizer/sentences.ts";

const LENGTH = 256 * 1024;

const budget = { ratio: 0.5 };
const tokenizer = "o200k_base" as const;

describe("a very long or minified text", () => {
  // Texts that take quadratic time or more in a naive implementation.
  it.each([
    ["a row of marks", "x.".padEnd(LENGTH, ".")],
    ["data in hexadecimal", `module.exports = "${"a1".repeat(LENGTH / 2)}";\nmodule.exports = "b";\n`],
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

describe("a file with a very long line", () => {
  it.each([
    ["of data in hexadecimal", `module.exports = "${"a1".repeat(LENGTH / 2)}";\n`],
    ["of minified code", `export const total=(${"a,".repeat(LENGTH / 2)}b);\n`],
  ])(
    "%s is searched within the time limit",
    (_, content) => {
      const segments = [
        { id: "a.js", content, priority: 0, pinned: false },
        { id: "b.js", content: "function total() {\n  return 1;\n}\n", priority: 0, pinned: false },
      ];
      const { files } = locate({ query: "total", segments, limit: 10 });
      expect(files.map(({ path }) => path)).toContain("b.js");
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
