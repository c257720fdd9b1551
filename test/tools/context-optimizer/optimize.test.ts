import fc from "fast-check";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { loadTokenizer } from "../../../src/text/tokens/tokenizer.ts";
import { contextOptimizerContract, KINDS } from "../../../src/tools/context-optimizer/contract.ts";
import { recognise } from "../../../src/tools/context-optimizer/kinds.ts";
import { optimize } from "../../../src/tools/context-optimizer/optimize.ts";
import { sentenceStarts } from "../../../src/tools/context-optimizer/sentences.ts";
import { codePoint } from "../../support/code-point.ts";
import { runs } from "../../support/runs.ts";

const asText = { disallowedSpecial: new Set<string>() };
const counters = {
  o200k_base: (text: string) => countO200k(text, asText),
  cl100k_base: (text: string) => countCl100k(text, asText),
};

function run(input: unknown) {
  return optimize(contextOptimizerContract.optimize.input.parse(input));
}

it("counts what it drops as the text that it is, and not piece by piece", async () => {
  const content = "é.\n".repeat(40);
  const { content: kept = "", dropped, tokens } = await run({ content, budget: { maxTokens: 1 } });
  const sizes = dropped.map((gap) => gap.tokens);
  expect(sizes).toEqual([counters.o200k_base(content.slice(kept.length))]);
  expect(sizes[0]).toBeLessThanOrEqual(tokens.before);
});

/** Any Unicode, with lone surrogates and control characters, and pieces of each kind of text. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint, maxLength: 12 }),
      fc.constantFrom(
        "\n",
        "\n\n",
        ". ",
        "Ann: ",
        "ERROR ",
        "{",
        "}",
        '"a": 1,',
        "中文。",
        "🙂",
        "\ud83d",
        "def f():\n",
      ),
      fc.lorem({ maxCount: 4 }),
      fc.constantFrom("word ".repeat(300), "長".repeat(1500), "<|endoftext|>"),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(""));

/** Whether `kept` is `whole` with some pieces taken out. */
function isSubsequence(kept: string, whole: string): boolean {
  let at = 0;
  for (let index = 0; index < kept.length; index++) {
    at = whole.indexOf(kept[index] as string, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

describe("optimize()", () => {
  it("stays within the token budget for arbitrary input and keeps bytes and order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ content: anyText, kind: fc.option(fc.constantFrom(...KINDS), { nil: undefined }) }),
          {
            maxLength: 4,
          },
        ),
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom("o200k_base" as const, "cl100k_base" as const),
        fc.option(anyText, { nil: undefined }),
        async (parts, maxTokens, tokenizer, query) => {
          const segments = parts.map((part, index) => ({ id: String(index), ...part }));
          const answer = await run({
            segments,
            budget: { maxTokens },
            tokenizer,
            query: query?.slice(0, 3000),
          });
          const kept = answer.segments ?? [];
          const joined = kept.map(({ content }) => content).join("");
          const count = counters[tokenizer];
          expect(answer.tokens.after).toBe(count(joined));
          expect(answer.tokens.after).toBeLessThanOrEqual(maxTokens);
          expect(answer.tokens.before).toBe(count(segments.map(({ content }) => content).join("")));
          expect(kept.map(({ id }) => Number(id))).toEqual(
            kept.map(({ id }) => Number(id)).sort((a, b) => a - b),
          );
          for (const { id, content, whole } of kept) {
            const original = segments[Number(id)]?.content ?? "";
            expect(isSubsequence(content, original)).toBe(true);
            expect(whole).toBe(content === original);
          }
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it("leaves a context unchanged if it fits", async () => {
    const content = "First. Second.\n";
    const answer = await run({ content, budget: { maxTokens: 100 } });
    expect(answer).toMatchObject({
      content,
      method: "unchanged",
      dropped: [],
      tokens: { saved: 0, ratio: 1 },
    });
  });

  it("rounds a ratio down to whole tokens", async () => {
    const content = "one two three four five. ".repeat(9);
    const { tokens } = await run({ content, budget: { ratio: 0.37 } });
    expect(tokens.after).toBeLessThanOrEqual(Math.floor(tokens.before * 0.37));
    expect(tokens.saved).toBe(tokens.before - tokens.after);
  });

  it("keeps nothing of a text so short that the share of it is no token", async () => {
    const answer = await run({ content: "hello", budget: { ratio: 0.1 } });
    expect(answer).toMatchObject({ content: "", tokens: { after: 0 }, dropped: [{ preview: "hello" }] });
  });

  it("cuts a sentence if not one fits", async () => {
    const content = `${"endless ".repeat(200)}end`;
    const { content: kept = "", tokens } = await run({ content, budget: { maxTokens: 6 } });
    expect(kept.length).toBeGreaterThan(0);
    expect(tokens.after).toBeLessThanOrEqual(6);
  });

  it("keeps some of a text without spaces whose characters have several tokens each", async () => {
    const { content: kept = "", tokens } = await run({
      content: "𠮷𡈽𡌛𡑮".repeat(500),
      budget: { maxTokens: 40 },
    });
    expect(kept.length).toBeGreaterThan(0);
    expect(tokens.after).toBeLessThanOrEqual(40);
  });

  it("keeps the sentence that answers the query", async () => {
    const content = `${"The town has many parks and old trees. ".repeat(3)}The bridge was built in 1932 by Ada Moore. It is made of steel. ${"People enjoy walks along quiet streets there. ".repeat(3)}`;
    const answer = await run({ content, query: "Who built the bridge?", budget: { ratio: 0.4 } });
    expect(answer.content).toContain("The bridge was built in 1932 by Ada Moore.");
    expect(answer.method).toBe("prose:sentences");
  });

  it("keeps the passage of a conversation that a broad query is about", async () => {
    const talk = (subject: string) =>
      Array.from({ length: 120 }, (_, turn) => {
        const text =
          turn % 4 === 0
            ? `About the ${subject}, again.`
            : `I see what you say there, ${turn} ${subject[0]}.`;
        return `${turn % 2 ? "Ann" : "Bob"}: ${text}\n`;
      }).join("");
    const content = talk("budget") + talk("packaging") + talk("hiring");
    const answer = await run({
      content,
      query: "Summarize what the group discussed about packaging.",
      budget: { ratio: 0.34 },
    });
    const kept = (answer.content ?? "").split("\n").filter((line) => talk("packaging").includes(line));
    expect(kept.length).toBeGreaterThan(80);
    expect(answer.method).toBe("dialogue:passages");
  });

  it("drops redundant lines first and names that reason", async () => {
    const line = (second: number) => `2026-01-01T00:00:${second} INFO polling queue jobs with 3 workers\n`;
    const content = `${Array.from({ length: 30 }, (_, index) => line(10 + index)).join("")}2026-01-01T00:01:00 ERROR lost the connection to the ledger\n`;
    const answer = await run({ content, budget: { maxTokens: 60 } });
    expect(answer.content).toContain("ERROR lost the connection");
    expect(answer.content).toContain(line(10));
    expect(answer.dropped).toEqual([expect.objectContaining({ reason: "redundant" })]);
  });

  it("keeps signatures of code before bodies", async () => {
    const body = (name: string) =>
      `export function ${name}(input: string): number {\n  const size = input.length;\n  log(size, input);\n  return size * 2;\n}\n\n`;
    const content = ["alpha", "beta", "gamma", "delta"].map(body).join("");
    const { content: kept = "" } = await run({ content, budget: { ratio: 0.5 } });
    for (const name of ["alpha", "beta", "gamma", "delta"])
      expect(kept).toContain(`export function ${name}(`);
  });

  it("keeps pinned segments whole, then those with priority", async () => {
    const text = (word: string) => `${word} says something here. `.repeat(5);
    const segments = [
      { id: "a", content: text("Nothing") },
      { id: "b", content: text("Pinned"), pinned: true },
      { id: "c", content: text("Prior"), priority: 5 },
    ];
    const { segments: left = [] } = await run({ segments, budget: { maxTokens: 56 }, query: "nothing" });
    expect(left.find(({ id }) => id === "b")).toEqual({ id: "b", content: text("Pinned"), whole: true });
    expect(left.some(({ id }) => id === "c")).toBe(true);
    expect(left.some(({ id }) => id === "a")).toBe(false);
    await expect(run({ segments, budget: { maxTokens: 5 } })).rejects.toMatchObject({
      error: "unprocessable",
      extras: { members: { budgetTokens: 5 } },
    });
  });
});

describe("separators", () => {
  it("are kept only between kept text, or if there is nothing else", async () => {
    const content =
      "Limits are counted by account.\n\n---\n\nThe weather was fine all week.\n\n***\n\nIt rained.";
    const { content: left } = await run({ content, budget: { maxTokens: 9 }, query: "limits" });
    expect(left).toBe("Limits are counted by account.\n\n");
    const both = "Limits are counted by account.\n\n---\n\nLimits are kept for a day.\n\n";
    const fitting = { budget: { maxTokens: counters.o200k_base(both) }, query: "limits" };
    expect((await run({ content: `${both}The weather was fine all week.`, ...fitting })).content).toBe(both);
    const segments = [
      { id: "a", content: "Limits are counted." },
      { id: "b", content: "\n***\n" },
      { id: "c", content: "Limits are kept." },
      { id: "d", content: "The weather was fine all week long." },
    ];
    const { segments: files = [] } = await run({ segments, budget: { maxTokens: 10 }, query: "limits" });
    expect(files.map(({ id }) => id)).toEqual(["a", "c"]);
    const { content: marks } = await run({ content: "---\n***\n---\n***\n", budget: { maxTokens: 4 } });
    expect(marks).not.toBe("");
  });
});

describe("the tokenizer", () => {
  it("counts the same tokens as the reference implementation", async () => {
    for (const name of ["o200k_base", "cl100k_base"] as const) {
      const { count } = await loadTokenizer(name);
      fc.assert(
        fc.property(anyText, (text) => count(text) === counters[name](text)),
        { numRuns: runs(20) },
      );
    }
  });

  it("counts a very long word in linear time", async () => {
    const { count } = await loadTokenizer("o200k_base");
    expect(count("a".repeat(1_000_000))).toBe(125_000);
  });
});

describe("sentences", () => {
  it.each([
    [
      "Dr. Smith came at 5 p.m. and left. He was tired.",
      ["Dr. Smith came at 5 p.m. and left. ", "He was tired."],
    ],
    ["It is 3.5 m long! Is it? “Yes.” Good", ["It is 3.5 m long! ", "Is it? ", "“Yes.” ", "Good"]],
    ["これは文です。次の文。", ["これは文です。", "次の文。"]],
    ["One\n\nTwo", ["One\n\n", "Two"]],
    ["A heading\nAnd its text.", ["A heading\n", "And its text."]],
    [
      "Whoever writes for a narrow screen breaks their lines\nin the middle of a sentence. The next\nends.",
      [
        "Whoever writes for a narrow screen breaks their lines\nin the middle of a sentence. ",
        "The next\n",
        "ends.",
      ],
    ],
    [
      "Before a list that follows from what this line speaks of\n- one. Two\n- three",
      ["Before a list that follows from what this line speaks of\n", "- one. ", "Two\n", "- three"],
    ],
    ["| a | What? Why. |\n| b | c |", ["| a | What? Why. |\n", "| b | c |"]],
  ])("of %j are %j", (text, sentences) => {
    const starts = sentenceStarts(text);
    expect(starts.map((start, index) => text.slice(start, starts[index + 1]))).toEqual(sentences);
  });
});

describe("recognise()", () => {
  it.each([
    ['{"a": [1, 2]}', "json"],
    ["diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "diff"],
    ["2026-01-01 10:00:00 INFO start\n2026-01-01 10:00:01 WARN slow\n", "log"],
    ["Ann: Hello there.\nBob: Good morning.\nAnn: Shall we?\n", "dialogue"],
    ["import os\n\ndef main():\n    return os.getcwd()\n", "code"],
    ["A plain sentence. Another one.\nAnd a third line of prose.", "prose"],
    ["", "prose"],
  ])("recognises %j as %s", (text, kind) => {
    expect(recognise(text)).toBe(kind);
  });
});

describe("headings", () => {
  const segments = ["a.ts", "b.ts", "c.ts"].map((id, file) => ({
    id,
    priority: 0,
    pinned: false,
    content: Array.from(
      { length: 120 },
      (_, index) => `function f${file}n${index}() {\n  return ${"x".repeat(40)}${index};\n}\n\n`,
    ).join(""),
  }));
  const text = { segments, tokenizer: "o200k_base" as const, headings: true };

  it("count in the tokens before as well as after", async () => {
    const { tokens } = await run({ ...text, budget: { maxTokens: 100_000 } });
    expect(tokens).toMatchObject({ after: tokens.before, ratio: 1 });
    expect(tokens.saved).toBe(0);
  });

  it("name the lines of each piece and count in the tokens", async () => {
    const { count } = await loadTokenizer("o200k_base");
    const { text: shown = "", tokens } = await optimize({
      ...text,
      query: "f1n7",
      budget: { maxTokens: 520 },
    });
    expect(shown).toMatch(/^==> b\.ts:\d+-\d+ <==$/m);
    for (const [, id = "", from = "", to = "", piece = ""] of shown.matchAll(
      /==> (\S+):(\d+)-(\d+) <==\n([\s\S]*?)(?=\n==> |$)/g,
    )) {
      const lines = segments.find((segment) => segment.id === id)?.content.split("\n") ?? [];
      expect(
        lines
          .slice(Number(from) - 1, Number(to))
          .join("\n")
          .trim(),
      ).toBe(piece.trim());
    }
    expect(tokens.after).toBe(count(shown));
    expect(tokens.after).toBeLessThanOrEqual(520);
  });

  it("name each file once if half of the tokens fit", async () => {
    const { text: shown = "", tokens } = await optimize({ ...text, budget: { ratio: 0.5 } });
    expect(shown.match(/^==> \S+ <==$/gm)).toEqual(["==> a.ts <==", "==> b.ts <==", "==> c.ts <=="]);
    expect(tokens.after).toBeLessThanOrEqual(tokens.before / 2);
  });
});
