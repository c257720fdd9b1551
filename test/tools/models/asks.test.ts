import { describe, expect, it } from "vitest";
import { type Asks, asksOf, givenWords } from "../../../src/tools/models/difficulty/asks.ts";
import { difficultyOf } from "../../../src/tools/models/difficulty/difficulty.ts";

const words = (count: number) => "word ".repeat(count).trim();

describe("asksOf()", () => {
  const asks = (prompt: string, more: { relations?: number; isLatin?: boolean } = {}) =>
    asksOf(prompt, { relations: 0, isLatin: true, ...more });

  it.each<[Asks, string[]]>([
    [
      "code",
      [
        "Please implement the quick algorithm",
        "Complete this class",
        "Fix the bug",
        "Debug my script",
        "Refactor the component",
        "optimise these queries",
        "create unit tests",
        "def run(a)",
        "x\nimport os",
        "from os import path",
        "#include <a.h>",
        "public static void main",
        "what is\n```",
        "read from stdin",
        "within the time limit",
      ],
    ],
    [
      "transformation",
      [
        "Translate this",
        "please summarise this",
        "Can you classify it",
        "could you extract names",
        "Rewrite it",
        "proofread: a text",
        "Convert to JSON",
        "What is the sentiment of it",
        "a translation into French",
        "give a summary of it",
        "is it spam",
        "Is this positive",
      ],
    ],
    [
      "mathematics",
      [
        "Is the matrix of the polynomial there",
        "What is \\frac{a}{b}",
        "Solve $x^2_1$ as an equation",
        "a prime with n^2",
        "x = 5 of a quadratic",
        "logarithms and sin",
      ],
    ],
    ["choice", ["Which? A. one B. two C. three", "(A) one (B) two (D) three", "A: x\nB: y\nC: z"]],
    [
      "reading",
      [
        "Context: it rained.",
        "## Passage: it rained",
        "  document : it rained",
        `${words(81)}\n\nand so on`,
        `${words(81)}\nQuestion: and so on`,
      ],
    ],
    [
      "arithmetic",
      [
        "How many are 3 and 4",
        "Two and three: calculate",
        "12 or a dozen?",
        "find half of 7",
        "how old are 2 and 3",
      ],
    ],
    ["question", ["Who is there?", "Can it be?", "Where is Ann with 3?"]],
    [
      "unknown",
      ["", "  ", "Tell me of Rome", "Rome?", "3 and 4", "a prime", "x = 5", "A. one B. two A. three"],
    ],
  ])("returns %s", (expected, prompts) => {
    for (const prompt of prompts) expect([prompt, asks(prompt)]).toEqual([prompt, expected]);
  });

  it("returns arithmetic for two quantities and two words that relate them", () => {
    expect(asks("She has 3 and he has 4", { relations: 2 })).toBe("arithmetic");
    expect(asks("She has 3 and he has 4", { relations: 1 })).toBe("unknown");
    expect(asks("She has 3", { relations: 2 })).toBe("unknown");
  });

  it("returns unknown for a prompt that is not in Latin script", () => {
    expect(asks("Fix the bug", { isLatin: false })).toBe("unknown");
    expect(difficultyOf("Fix the bug: это уже не то").asks).toBe("unknown");
    expect(difficultyOf("Fix the bug in this long program: это").asks).toBe("code");
  });

  it("does not combine words that are far apart or in different sentences", () => {
    expect(asks(`Write ${"so ".repeat(30)} a program`)).toBe("unknown");
    expect(asks("Write soon. The program runs")).toBe("unknown");
    expect(asks("I wrote that the programmer left")).toBe("unknown");
  });
});

it("givenWords() counts paragraphs over 80 words in a prompt of several paragraphs", () => {
  expect(givenWords(words(200))).toBe(0);
  expect(givenWords(`${words(81)}\n\n${words(80)}`)).toBe(81);
  expect(givenWords(`${words(80)}\n\n${words(80)}`)).toBe(0);
  expect(givenWords(`${words(90)}\n \n${words(10)}\n\n${words(100)}`)).toBe(190);
  expect(givenWords(`${words(90)}\nQ: why`)).toBe(90);
  expect(givenWords(`${words(90)}\nand why`)).toBe(0);
});

describe("difficultyOf()", () => {
  const of = (prompt: string) => difficultyOf(prompt);

  it("counts words of given text far less than words of the request", () => {
    const asked = "Why did the river rise?";
    const alone = of(asked).score;
    const withText = of(`${words(300)}\n\n${asked}`);
    expect(withText).toMatchObject({ asks: "reading", words: 305 });
    // A tenth of the given text counts: as 35 words, and easier than other questions.
    expect(withText.score).toBeLessThan(of(`${words(30)} ${asked}`).score);
    expect(withText.score).toBeGreaterThan(alone / 2);
    const program = of(`${words(300)}\n\nFix the bug`);
    expect(program.asks).toBe("code");
    expect(program.score).toBeGreaterThan(of(`${words(40)} Fix the bug`).score);
  });

  it.each([
    ["than", 1],
    ["twice", 1],
    ["half, halves", 2],
    ["doubled tripled", 2],
    ["a third, quarters and tenths", 3],
    ["times as, times more", 2],
    ["as many, as much, as old, as far", 4],
    ["fewer, older, shorter, cheaper", 4],
    ["the ratio of the rest", 2],
    ["the remainder left", 2],
    ["50%, 1/2", 2],
    ["proportional fractions", 2],
    ["thane, lefty, restful", 0],
  ])("counts words that relate quantities in %j: %d", (prompt, relations) => {
    expect(of(prompt).relations).toBe(relations);
  });

  it("names its basis: measured, presumed or unknown", () => {
    expect(of("How many are twice 3 and 4?").basis).toBe("measured");
    expect(of("Fix the bug").basis).toBe("presumed");
    expect(of("Tell me").basis).toBe("unknown");
  });

  it("counts words between spaces, and every two characters of a script without spaces", () => {
    expect(of("one two  three\nfour").words).toBe(4);
    expect(of("猫が三").words).toBe(2);
    expect(of("a 猫が b").words).toBe(3);
    expect(of("ภาษาไทย").words).toBeGreaterThan(1);
  });

  it("ranks mathematics and code above questions, and questions above reading", () => {
    const filler = "about the things of it";
    const score = (prompt: string) => of(`${prompt} ${filler}`).score;
    const order = [
      score("Prove the theorem"),
      score("Fix the bug"),
      score("Who is there?"),
      score("Context: there"),
      score("Translate it"),
    ];
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    expect(new Set(order).size).toBe(5);
  });
});
