import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf } from "../../../src/tools/models/cost.ts";
import { difficultyOf } from "../../../src/tools/models/difficulty/difficulty.ts";
import { readPrompt } from "../../../src/tools/models/difficulty/read-prompt.ts";
import { loadOf } from "../../../src/tools/models/load.ts";
import { usd } from "../../../src/tools/models/requirements.ts";
import { strengthsOf } from "../../../src/tools/models/strength.ts";
import { chanceOf } from "../../../src/tools/models/success.ts";
import { afterOutcome, recordOf, type Tally, UNTRIED } from "../../../src/tools/models/tally.ts";
import { codePoint } from "../../support/code-point.ts";
import { runs } from "../../support/runs.ts";
import { model } from "./models.ts";

describe("the difficulty of a prompt", () => {
  const score = (prompt: string) => difficultyOf(prompt).score;

  it("grows with length, related quantities and long words", () => {
    const short = "Ann has 3 apples and buys 4. How many has she?";
    const related =
      "Ann has twice as many apples as Bob, who has 3 more than Eve. Eve has 4. How many has Ann?";
    expect(score(related)).toBeGreaterThan(score(short));
    expect(score(`${short} ${short}`)).toBeGreaterThan(score(short));
    expect(score("Ann owns 3 apples. Bob owns 9 apples, and eats 4.")).toBeLessThan(
      score("Ann owns 3 apples. Bob owns 2 more than half of that."),
    );
    expect(score("is it so or not")).toBeLessThan(
      score("demonstrate noncommutative isomorphism classification exhaustively"),
    );
    expect(difficultyOf(related)).toMatchObject({ words: 21, relations: 4 });
    const of = (letters: number) => score(Array(6).fill("o".repeat(letters)).join(" "));
    expect(of(12)).toBeGreaterThan(of(4));
    expect(of(40)).toBe(of(12));
  });

  it.each([
    ["arithmetic", "measured", "Tom has 3 apples and buys twice as many. How many has he?"],
    ["mathematics", "presumed", "Prove that the sum of two odd integers is divisible by two."],
    ["code", "presumed", "Write a Python function that merges two sorted lists."],
    ["code", "presumed", "def add(a, b):\n    return a - b\n\nWhy is this wrong?"],
    ["code", "presumed", "Move the store to PostgreSQL"],
    ["code", "presumed", "write a test for the parser"],
    ["code", "presumed", "why is this slow"],
    ["code", "presumed", "Why does the login page crash after a timeout?"],
    ["code", "presumed", "Can you please add a retry to the client?"],
    ["code", "presumed", "How do I rename getUser to loadUser in src/users.ts"],
    ["code", "presumed", "panic: runtime error: index out of range [3] with length 3"],
    ["transformation", "presumed", "Rewrite this letter so that it sounds friendlier."],
    ["question", "presumed", "Why is the sky blue?"],
    ["unknown", "unknown", "Write a letter to my landlord."],
    ["unknown", "unknown", "Add some warmth to the second verse."],
    ["choice", "presumed", "Which is a mammal?\nA. Shark\nB. Whale\nC. Trout\nD. Eel"],
    ["reading", "presumed", "Passage: It rained.\n\nQuestion: What was the weather?"],
    ["transformation", "presumed", "Please translate into French: it rains."],
    ["question", "presumed", "What is the capital of Peru?"],
    ["unknown", "unknown", "Wie spät ist es in Berlin?"],
    ["unknown", "unknown", "猫が三匹います"],
    ["unknown", "unknown", ""],
  ])("names the kind of request and its basis: %s, %s", (asks, basis, prompt) => {
    expect(difficultyOf(prompt)).toMatchObject({ asks, basis });
  });

  it("depends on the request much more than on the given text", () => {
    const text = `Text: ${"The river rose and the town slept on. ".repeat(60)}`;
    const question = "Question: When did the river rise?";
    expect(score(`${text}\n\n${question}`)).toBeLessThan(
      score("Prove that the primes are infinitely many integers."),
    );
    const asked = (task: string) => score(`${task} ${"word ".repeat(40)}`);
    expect(asked("Summarize this:")).toBeLessThan(asked("Implement this as a program:"));
  });

  it.each([
    ["named roles", (system: string, task: string) => `System: ${system}\n\nUser: ${task}\n`],
    [
      "marked roles",
      (system: string, task: string) => `<|system|>\n${system}\n<|user|>\n${task}\n<|assistant|>\n`,
    ],
    ["headings", (system: string, task: string) => `### System\n${system}\n\n### Instruction:\n${task}`],
    [
      "an agent's calls after it",
      (system: string, task: string) =>
        `user: ${task}\nassistant: I look.\ntool_result: ${system}\nassistant:`,
    ],
  ])("depends on what the user asked last, not on the rest of a conversation: %s", (_, prompt) => {
    const system = "Follow the style guide, and prove each integer prime by a theorem. ".repeat(200);
    const easy = prompt(system, "What is the capital of Peru?");
    expect(difficultyOf(easy)).toMatchObject({ asks: "question", words: easy.match(/\S+/g)?.length });
    expect(score(easy)).toBeLessThan(score("Write a function that merges two sorted lists of numbers."));
    expect(score(prompt(system, "Write a program that proves the theorem."))).toBeGreaterThan(score(easy));
  });

  it("takes a prompt as a whole where nobody asks in a conversation", () => {
    const asked = { asks: "code" };
    expect(difficultyOf("User: write a function that adds")).toMatchObject(asked);
    expect(difficultyOf("Assistant: hello\nUser:\nAssistant: write a function that adds")).toMatchObject(
      asked,
    );
    expect(difficultyOf("System: write a function that adds\nTool: done")).toMatchObject(asked);
  });

  it("counts long quoted code less than what is asked of it", () => {
    const lines = (count: number) => "const one = two(three) + four;\n".repeat(count);
    const quoted = `Fix the bug.\n\n\`\`\`ts\n${lines(100)}\`\`\`\n`;
    expect(score(quoted)).toBeLessThan(score(`Fix the bug.\n\n${lines(100)}`));
    expect(score(quoted)).toBeGreaterThan(score(`Fix the bug.\n\n\`\`\`ts\n${lines(2)}\`\`\`\n`));
  });

  it("counts words in a script without spaces", () => {
    expect(difficultyOf("猫が三匹います").words).toBe(4);
    expect(difficultyOf("").score).toBeLessThan(0.05);
  });

  it.each([
    "\n",
    " \n",
    "is ",
    "A. x ",
    "B) y ",
    "$=",
    "from ",
    "write ",
    "please, ",
    "why is ",
    "aB",
    "  at x:1",
    "1,",
    "please ",
    "#",
    "text:",
    "\\\\",
  ])("is computed fast for long repetitions of %j", (piece) => {
    // In quadratic time this would take ten minutes.
    expect(score(piece.repeat(150_000))).toBeLessThanOrEqual(1);
  });

  it("lies between 0 and 1 for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(score(text)).toBeGreaterThan(0);
        expect(score(text)).toBeLessThan(1);
      }),
    );
  });

  it("is returned by readPrompt() with the number of tokens", async () => {
    expect(await readPrompt("hello world")).toEqual({ tokens: 2, difficulty: difficultyOf("hello world") });
  });
});

describe("the cost of a request", () => {
  const tree = model("tree", {
    inputUsdPerMillion: 2,
    outputUsdPerMillion: 8,
    cachedInputUsdPerMillion: 0.5,
    tiers: [
      {
        aboveInputTokens: 200_000,
        inputUsdPerMillion: 4,
        outputUsdPerMillion: 12,
        cachedInputUsdPerMillion: 1,
      },
      { aboveInputTokens: 500_000, inputUsdPerMillion: 8, outputUsdPerMillion: 16 },
    ],
  });
  const cost = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) =>
    costOf(tree, { inputTokens, outputTokens, cachedInputTokens });

  it("is the sum of input, output and cached input at their prices", () => {
    expect(cost(1_000, 500)).toBe(0.006);
    expect(cost(1_000, 500, 800)).toBe(0.0048);
    expect(cost(0, 0)).toBe(0);
  });

  it("uses the prices of the tier that the input reaches for all tokens", () => {
    expect(cost(200_000, 0)).toBe(0.4);
    expect(cost(200_001, 0)).toBe(0.800004);
    expect(cost(300_000, 1_000_000, 100_000)).toBe(12.9);
    expect(cost(600_000, 0, 100_000)).toBe(4.8);
  });

  it("is unknown if a needed price is unknown", () => {
    const { inputUsdPerMillion, ...unpriced } = tree;
    expect(
      costOf({ ...unpriced, tiers: [] }, { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 }),
    ).toBeUndefined();
    const { outputUsdPerMillion, ...oneWay } = tree;
    expect(costOf(oneWay, { inputTokens: 1e6, outputTokens: 0, cachedInputTokens: 0 })).toBeGreaterThan(0);
    expect(costOf(oneWay, { inputTokens: 1e3, outputTokens: 1, cachedInputTokens: 0 })).toBeUndefined();
  });

  it("is written with three significant digits", () => {
    expect([usd(0.0021234), usd(12.345), usd(0.00000004), usd(0), usd(1234)]).toEqual([
      "0.00212 USD",
      "12.3 USD",
      "0.00000004 USD",
      "0 USD",
      "1230 USD",
    ]);
  });
});

describe("loadOf()", () => {
  it("uses given token counts, then counted ones, then presumed ones that are listed", () => {
    expect(loadOf({ kind: "code", inputTokens: 10, outputTokens: 20 }, 99)).toEqual({
      inputTokens: 10,
      cachedInputTokens: 0,
      outputTokens: 20,
      presumed: [],
    });
    expect(loadOf({ kind: "summarization" }, 100)).toMatchObject({
      inputTokens: 100,
      outputTokens: 20,
      presumed: ["outputTokens"],
    });
    expect(loadOf({ kind: "chat" }, undefined).presumed).toEqual(["inputTokens", "outputTokens"]);
    expect(loadOf({ kind: "chat", cachedInputTokens: 50 }, 20).cachedInputTokens).toBe(20);
  });
});

describe("the chance that a model does a task", () => {
  const tally = fc
    .array(fc.boolean(), { maxLength: 200 })
    .map((outcomes) =>
      outcomes.reduce<Tally>((so, success) => afterOutcome(so, success, undefined, 0), UNTRIED),
    );
  const unit = fc.double({ min: 0, max: 1, noNaN: true });

  it("is never lowered by a success, nor raised by a failure", () => {
    fc.assert(
      fc.property(unit, unit, tally, (strength, difficulty, before) => {
        const chance = (of: Tally) => chanceOf(strength, difficulty, of);
        expect(chance(afterOutcome(before, true, undefined, 0))).toBeGreaterThanOrEqual(
          chance(before) - 1e-9,
        );
        expect(chance(afterOutcome(before, false, undefined, 0))).toBeLessThanOrEqual(chance(before) + 1e-9);
      }),
      { numRuns: runs(400) },
    );
  });

  it("grows with strength and falls with difficulty", () => {
    fc.assert(
      fc.property(unit, unit, unit, (one, other, third) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        expect(chanceOf(high, third, UNTRIED)).toBeGreaterThanOrEqual(chanceOf(low, third, UNTRIED));
        expect(chanceOf(third, high, UNTRIED)).toBeLessThanOrEqual(chanceOf(third, low, UNTRIED));
      }),
    );
  });

  it("follows recorded outcomes, mostly the newest, and those of other kinds a little", () => {
    const tallied = (...outcomes: boolean[]) =>
      outcomes.reduce<Tally>((so, success) => afterOutcome(so, success, 100, 0), UNTRIED);
    const often = (success: boolean) => Array.from({ length: 60 }, () => success);
    expect(chanceOf(0.1, 0.9, tallied(...often(true)))).toBeGreaterThan(0.85);
    expect(chanceOf(0.9, 0.1, tallied(...often(false)))).toBeLessThan(0.2);
    const [fell, rose] = [tallied(...often(true), ...often(false)), tallied(...often(false), ...often(true))];
    expect(chanceOf(0.5, 0.5, fell)).toBeLessThan(chanceOf(0.5, 0.5, rose));
    expect(recordOf({ code: tallied(true), chat: tallied(true, true) }, "code", 0).successes).toBeCloseTo(
      1 + 1.98 / 4,
    );
    expect(tallied(true, false)).toMatchObject({ recorded: 2, succeeded: 1, latencyMs: 100 });
  });
});

describe("the strength of a model", () => {
  it("is the catalogue's quality, or else estimated from price and date at any provider", () => {
    const strengths = strengthsOf([
      model("rated", { quality: 0.7 }),
      model("old", { releasedAt: "2023-01" }),
      model("new"),
      model("dear", { outputUsdPerMillion: 90 }),
      model("given-away", { inputUsdPerMillion: 0, outputUsdPerMillion: 0 }),
      model("hub/dear", { provider: "hub", inputUsdPerMillion: 0, outputUsdPerMillion: 0 }),
    ]);
    const of = (name: string) => strengths.get(name)?.value as number;
    expect(strengths.get("acme/rated")).toEqual({ value: 0.7, from: "quality" });
    expect(of("acme/dear")).toBe(1);
    expect(of("acme/new")).toBeGreaterThan(of("acme/old"));
    expect(of("hub/hub/dear")).toBe(1);
    expect(strengths.get("acme/given-away")?.from).toBe("nothing");
  });
});
