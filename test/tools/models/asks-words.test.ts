import { describe, expect, it } from "vitest";
import { type Asks, asksOf } from "../../../src/tools/models/difficulty/asks.ts";
import { difficultyOf } from "../../../src/tools/models/difficulty/difficulty.ts";

const words = (text: string) => text.trim().split(/\s*;\s*/);
/** Returns the prompts that are classified as something else. */
const others = (expected: Asks, prompts: readonly string[]) =>
  prompts
    .map((prompt) => [prompt, asksOf(prompt, { relations: 0, isLatin: true })])
    .filter(([, asks]) => asks !== expected);

describe("asksOf() and the words for each class", () => {
  it("recognise code by each of its words", () => {
    const verbs = words(
      "write; implement; complete; create; develop; fix; debug; refactor; optimize; optimise",
    );
    expect(
      others(
        "code",
        verbs.map((verb) => `Now ${verb} us the old method`),
      ),
    ).toEqual([]);
    const nouns = words(
      "function; program; code; script; class; method; algorithm; query; queries; regex; unit test; unit tests; bug; endpoint; component",
    );
    expect(
      others(
        "code",
        nouns.map((noun) => `Now create for us the old ${noun}`),
      ),
    ).toEqual([]);
    const lines = words(
      "def run; class Run; function run; import os; from a.b import c; #include; public static; public class; ```; stdin; stdout; time limit; time complexity",
    );
    expect(
      others(
        "code",
        lines.map((line) => `so\n\t ${line} it`),
      ),
    ).toEqual([]);
    expect(
      others(
        "unknown",
        lines.slice(0, 5).map((line) => `so ${line} it`),
      ),
    ).toEqual([]);
  });

  it("recognise mathematics by each of its formulas and terms", () => {
    const formulas = words(
      "\\sqrt; \\sum; \\int; \\cdot; \\le; \\leq; \\ge; \\geq; \\times; \\text; \\mathbb; $a_1$; $a=b$; $a{b}$; n^2; x = 5; y = -1; z = (a)",
    );
    expect(
      others(
        "mathematics",
        formulas.map((formula) => `Of a theorem: ${formula} there`),
      ),
    ).toEqual([]);
    const terms = words(
      "prove; proof; polynomial; polynomials; integer; integers; prime; primes; modulo; divisible; derivative; derivatives; integral; matrix; matrices; vector; vectors; eigenvalues; triangle; triangles; perpendicular; congruent; logarithm; logarithms; sin; cos; tan; permutation; permutations; combinatorics; quadratic; equation; equations; isomorphic; homomorphism; bijective",
    );
    expect(
      others(
        "mathematics",
        terms.map((term) => `Of a theorem and ${term} there`),
      ),
    ).toEqual([]);
    expect(
      others("unknown", ["Of a theorem and a theorem", "Of proofs and sine", "Of $5 and a theorem"]),
    ).toEqual([]);
  });

  it("recognise a transformation by each of its verbs and phrases", () => {
    const verbs = words(
      "translate; summarize; summarise; classify; extract; rewrite; rephrase; paraphrase; proofread; convert; list; label; tag; shorten; correct",
    );
    const openings = ["", "please ", "can you ", "could you "];
    const asked = verbs.flatMap((verb) => openings.map((opening) => `${opening}${verb} the old words`));
    expect(others("transformation", asked)).toEqual([]);
    expect(
      others(
        "unknown",
        verbs.map((verb) => `I ${verb} the old words`),
      ),
    ).toEqual([]);
    const said = words(
      "the sentiment; a translation of it; translate to German; translation into it; translate from it; a summary of it; is it positive; is this negative; is it spam",
    );
    expect(
      others(
        "transformation",
        said.map((phrase) => `Tell us ${phrase}`),
      ),
    ).toEqual([]);
  });

  it("recognise reading by each name of a given text", () => {
    const given = words(
      "context; passage; article; text; document; paragraph; story; transcript; excerpt; background; dialogue; input",
    );
    expect(
      others(
        "reading",
        given.map((noun) => `So\n${noun}: it rained`),
      ),
    ).toEqual([]);
    expect(
      others(
        "reading",
        given.map((noun) => `  ### ${noun} : it rained`),
      ),
    ).toEqual([]);
    expect(
      others(
        "unknown",
        given.map((noun) => `The ${noun}: it rained`),
      ),
    ).toEqual([]);
  });

  it("recognise arithmetic by each quantity and phrase that asks for one", () => {
    const quantities = words(
      "one; two; three; four; five; six; seven; eight; nine; ten; twelve; dozen; half; twice; third; 12; 1,000; 2.5",
    );
    expect(
      others(
        "arithmetic",
        quantities.map((quantity) => `Find 3 and ${quantity} there`),
      ),
    ).toEqual([]);
    const how = words(
      "how many; how much; how long; how old; how far; how fast; how tall; how often; what is; what was; what are; what percentage; find; calculate",
    );
    expect(
      others(
        "arithmetic",
        how.map((asked) => `Tell ${asked} 3 and 4`),
      ),
    ).toEqual([]);
    expect(others("unknown", ["Tell 3 and 4", "Find 3", "Somehow many 3 and 4", "Findings 3 and 4"])).toEqual(
      [],
    );
  });

  it("recognise a choice by its marks, and a question by each interrogative", () => {
    const marks = ["A. x B. y C. z", "A) x B) y D) z", "(B) x (C) y (D) z", "A: x\nB: y\nC: z"];
    expect(others("choice", marks)).toEqual([]);
    expect(others("unknown", ["A. x B. y", "E. x F. y G. z", "A.x B.y C.z", "xA. x xB. y xC. z"])).toEqual(
      [],
    );
    const asking = words("who; what; which; when; where; why; how; is; are; does; do; can; could; should");
    expect(
      others(
        "question",
        asking.map((word) => `And ${word} it there?`),
      ),
    ).toEqual([]);
    expect(
      others(
        "unknown",
        asking.map((word) => `And ${word} it there`),
      ),
    ).toEqual([]);
    expect(others("unknown", ["And whose it there?", "Candid?"])).toEqual([]);
  });
});

it("difficultyOf() counts each word that relates quantities", () => {
  const relations =
    "than; twice; half; halves; double; doubles; doubled; triple; triples; tripled; quarter; quarters; third; thirds; fifth; fifths; tenth; tenths; times as; times more; times less; as many; as much; as old; as long; as far; as fast; more; less; fewer; older; younger; longer; shorter; taller; faster; slower; cheaper; same; equal; equally; ratio; rest; remaining; remainder; left; percent; fraction; fractions; proportion; proportional; 5%; 1/2; 10/20";
  const counted = words(relations).map((word) => [word, difficultyOf(`so ${word} it`).relations]);
  expect(counted.filter(([, count]) => count !== 1)).toEqual([]);
  const none = words(
    "thank; twiced; quarterly; thirdly; morel; lesson; sameness; equality; lefty; percentage; a/b",
  );
  expect(none.filter((word) => difficultyOf(`so ${word} it`).relations !== 0)).toEqual([]);
});
