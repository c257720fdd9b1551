import { describe, expect, it } from "vitest";
import { type Chosen, type Facts, reasonsFor } from "../../../src/tools/models/reasons.ts";
import type { Strength } from "../../../src/tools/models/strength.ts";
import { model } from "./models.ts";

const LOAD = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 500 };

describe("reasonsFor()", () => {
  const chosen = (more: Partial<Chosen> = {}): Chosen => ({
    ...model("m"),
    costUsd: 0.01,
    recorded: null,
    ...more,
  });
  const facts = (more: Partial<Facts> = {}): Facts => ({
    ...{
      kind: "chat",
      objective: "balanced",
      needs: [],
      fitting: 3,
      prompt: undefined,
      insteadOf: undefined,
    },
    ...LOAD,
    ...more,
  });
  const reasons = (c: Partial<Chosen> = {}, f: Partial<Facts> = {}, strength?: Strength) =>
    reasonsFor(chosen(c), strength, facts(f));

  it("begins with the objective and the cost", () => {
    expect(reasons()[0]).toBe(
      "The best balance of cost and the chance to do the task among the 3 that fit, at about 0.01 USD a request.",
    );
    expect(reasons({ costUsd: null }, { objective: "quality" })[0]).toBe(
      "Most likely to do the task among the 3 that fit, its price unknown.",
    );
    expect(reasons({ costUsd: 0 }, { objective: "cost" })[0]).toContain(
      "Costs least until the task is done among the 3 that fit, at a price of 0.",
    );
    expect(reasons({}, { objective: "speed" })[0]).toContain(
      "Presumably the soonest to have the task done among",
    );
  });

  it("say that images are not in the estimate if only the text was counted", () => {
    expect(reasons({}, { leavesOutImages: true })[2]).toBe(
      "What images take is not known, and not in the estimate.",
    );
    expect(reasons().join(" ")).not.toContain("images");
  });

  it("continues with context size and capabilities", () => {
    expect(reasons()[1]).toBe("Holds 1,000 tokens of input and 500 of output in 100,000 tokens of context.");
    expect(reasons({}, { inputTokens: 1 })[1]).toContain("Holds 1 token of input and 500 of output");
    expect(reasons({ contextTokens: undefined as never }, { needs: ["vision", "tool_call"] })[1]).toBe(
      "Has vision, tool_call, and holds 1,000 tokens of input and 500 of output in an unknown context.",
    );
  });

  it("names the difficulty of the prompt", () => {
    const read = (more: object) => {
      const difficulty = {
        score: 0.5,
        words: 20,
        relations: 0,
        asks: "arithmetic",
        signs: [],
        basis: "measured",
        ...more,
      };
      return reasons({}, { prompt: { tokens: 9, difficulty } as Facts["prompt"] })[2];
    };
    expect(read({})).toBe(
      "The prompt asks for an arithmetic problem and reads as moderately hard (0.50): 20 words.",
    );
    expect(read({ score: 0.349, words: 1, relations: 2 })).toBe(
      "The prompt asks for an arithmetic problem and reads as easy (0.35): 1 word, 2 of them relating quantities.",
    );
    expect(
      [read({ score: 0.35 }), read({ score: 0.649 }), read({ score: 0.65 })].map(
        (text) => / as (.*) \(/.exec(text ?? "")?.[1],
      ),
    ).toEqual(["moderately hard", "moderately hard", "hard"]);
    expect(read({ asks: "code", basis: "presumed" })).toContain("for a program and reads");
    expect(read({ asks: "code", basis: "presumed", signs: ["deadlock", "must not"] })).toContain(
      "20 words, among them “deadlock”, “must not”; nothing was measured on prompts like it.",
    );
    expect(read({ asks: "code", basis: "presumed" })).toContain(
      "20 words; nothing was measured on prompts like it.",
    );
    expect(read({ asks: "unknown", basis: "unknown" })).toBe(
      "The prompt is unlike those that were measured, so its difficulty is taken to be that of its kind of task.",
    );
  });

  it("names recorded outcomes, and the model that would be chosen without them", () => {
    const recorded = { successes: 3, failures: 1 };
    expect(reasons()[2]).toBe("Nothing was recorded here of its chat tasks.");
    expect(reasons({ recorded })[2]).toBe("Did 3 of 4 recorded chat tasks.");
    expect(reasons({ recorded: { ...recorded, latencyMs: 1234 } }, { insteadOf: "acme/n" })[2]).toBe(
      "Did 3 of 4 recorded chat tasks, in 1,234 ms on average. What was recorded here speaks for it: without that, acme/n.",
    );
    expect(reasons({}, { insteadOf: "acme/n" })[2]).toBe(
      "Nothing was recorded here of its chat tasks; without what was recorded, acme/n would be chosen.",
    );
  });

  it("ends with the basis of the quality or the speed", () => {
    const last = (objective: Facts["objective"], strength?: Strength, more: Partial<Chosen> = {}) =>
      reasons({ quality: 0.7, ...more }, { objective }, strength).slice(3);
    const of = (from: Strength["from"]): Strength => ({ value: 0.5, from });
    const slow =
      "Its speed is not known; the dearer a model is, the slower it is presumed to be, and it does not think before it answers.";
    expect(last("cost", of("quality"))).toEqual(["The catalogue gives it a quality of 0.7."]);
    const byPrice = "Its quality is not known; a high price and a late release stand in for it.";
    const vague = "Its quality is not known, and no price hints at it.";
    expect(last("cost", of("price and age"))).toEqual([byPrice]);
    for (const strength of [of("nothing"), undefined]) expect(last("cost", strength)).toEqual([vague]);
    expect(last("speed", of("quality"))).toEqual(["The catalogue gives it a quality of 0.7.", slow]);
    expect(last("speed", of("price and age"))).toEqual([byPrice, slow]);
    expect(last("speed", of("nothing"))).toEqual([vague, slow]);
    expect(last("speed", of("nothing"), { capabilities: ["reasoning"] })).toEqual([
      vague,
      "Its speed is not known; the dearer a model is, the slower it is presumed to be.",
    ]);
    expect(last("speed", of("nothing"), { recorded: { successes: 1, failures: 0, latencyMs: 5 } })).toEqual([
      vague,
    ]);
  });
});
