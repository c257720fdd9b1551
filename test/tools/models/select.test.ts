import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Problem } from "../../../src/contract/problem.ts";
import { DAY_MS } from "../../../src/system/durations.ts";
import { CAPABILITIES } from "../../../src/tools/models/catalogue/model.ts";
import { OBJECTIVES } from "../../../src/tools/models/contract.ts";
import { costOf } from "../../../src/tools/models/cost.ts";
import { afterOutcome, type Tally, UNTRIED } from "../../../src/tools/models/tally.ts";
import { type Asked, model, selected } from "./models.ts";

const HARD =
  "Ann is twice as old as Bob, who is 3 years older than a third of what Eve and Dan are together. ".repeat(
    6,
  );

function refusal(asked: Asked): Problem {
  try {
    selected(asked);
  } catch (error) {
    return error as Problem;
  }
  throw new Error("something fits");
}

function tally(outcomes: boolean[], latencyMs?: number): Tally {
  return outcomes.reduce<Tally>((so, success) => afterOutcome(so, success, latencyMs, 0), UNTRIED);
}

describe("the selection of a model", () => {
  it("follows the objective", () => {
    expect(selected({ objective: "quality" }).selected.id).toBe("large");
    expect(selected({ objective: "cost" }).selected.id).toBe("small");
    expect(selected({ objective: "balanced", task: { prompt: "Say hello." } }).selected.id).toBe("small");
    expect(selected({ objective: "balanced", task: { prompt: HARD } }).selected.id).not.toBe("small");
  });

  it("treats a prompt of an unknown class like a missing prompt", () => {
    const chance = (prompt: string | undefined) =>
      selected({ objective: "balanced", task: { kind: "reasoning", ...(prompt && { prompt }) } });
    const [unknown, none] = [chance("猫".repeat(4000)), chance(undefined)];
    expect(unknown.difficulty).toMatchObject({ asks: "unknown", basis: "unknown" });
    expect(unknown.selected.id).toBe(none.selected.id);
    expect(unknown.reasons.join(" ")).toContain("The prompt is unlike those that were measured");
  });

  it("takes a long input to be harder, and not an unknown model because it is given away", () => {
    const free = model("free", { inputUsdPerMillion: 0, outputUsdPerMillion: 0, contextTokens: 1_000_000 });
    const rated = (["a", "b", "c"] as const).map((id, at) =>
      model(id, { inputUsdPerMillion: 0.1 * 2 ** at, contextTokens: 1_000_000, quality: 0.3 * at }),
    );
    const models = [free, ...rated];
    const summary = (inputTokens: number) =>
      selected({ models, task: { kind: "summarization", inputTokens, outputTokens: 500 } });
    expect(summary(150_000).selected.id).toBe("c");
    expect(summary(150_000).reasons).toContain("So long an input counts as harder.");
    expect(summary(10_000).reasons.join(" ")).not.toContain("counts as harder");
    const pair = [
      model("cheap", { inputUsdPerMillion: 0.1, contextTokens: 1_000_000, quality: 0.3 }),
      model("able", { inputUsdPerMillion: 0.6, contextTokens: 1_000_000, quality: 0.6 }),
    ];
    const read = (inputTokens: number) =>
      selected({ models: pair, task: { kind: "summarization", inputTokens, outputTokens: 0 } }).selected.id;
    expect([read(10_000), read(900_000)]).toEqual(["cheap", "able"]);
  });

  it("estimates the cost, and lists presumed token counts", () => {
    const { estimate, selected: best } = selected({ objective: "quality" });
    expect(estimate).toEqual({ inputTokens: 1000, outputTokens: 1000, costUsd: 0.05, presumed: [] });
    expect(best.costUsd).toBe(0.05);
    const { estimate: presumed } = selected({
      task: { kind: "code", inputTokens: undefined, outputTokens: undefined },
    });
    expect(presumed).toMatchObject({
      inputTokens: 1000,
      outputTokens: 1000,
      presumed: ["inputTokens", "outputTokens"],
    });
  });

  it("gives reasons in words, including what is unknown", () => {
    const rated = selected({ objective: "quality", task: { prompt: "How many is twice 3?" } }).reasons;
    expect(rated).toEqual([
      "Most likely to do the task among the 3 that fit, at about 0.05 USD a request.",
      "Holds 1,000 tokens of input and 1,000 of output in 1,000,000 tokens of context.",
      expect.stringMatching(
        /^The prompt asks for an arithmetic problem and reads as easy \(0\.\d\d\): 5 words, 1 of them relating quantities\.$/,
      ),
      "Nothing was recorded here of its chat tasks.",
      "The catalogue gives it a quality of 0.95.",
    ]);
    expect(selected({ objective: "quality" }).reasons).toEqual(rated.filter((_, at) => at !== 2));
    const unrated = selected({
      models: [model("one")],
      objective: "speed",
      task: { needs: ["tool_call"] },
    }).reasons;
    expect(unrated).toContain(
      "Its speed is not known; the dearer a model is, the slower it is presumed to be, and it does not think before it answers.",
    );
    expect(unrated[1]).toMatch(/^Has tool_call, and holds 1,000 tokens/);
    expect(selected({ models: [model("one")] }).reasons.at(-1)).toBe(
      "Its quality is not known; a high price and a late release stand in for it.",
    );
  });

  it("gives a reason for each rejected model", () => {
    const { rejected, counts } = selected({
      task: { inputTokens: 98_000, outputTokens: 9_000 },
      constraints: { maxCostUsd: 2, models: { deny: ["large"] } },
      models: [
        ...["small", "large"].map((id) => model(id)),
        model("roomy", { contextTokens: 200_000, maxOutputTokens: 9_000 }),
        model("vague", { contextTokens: undefined, maxOutputTokens: 9_000 }),
        model("dear", { contextTokens: 200_000, maxOutputTokens: 9_000, inputUsdPerMillion: 90 }),
        model("unpriced", { contextTokens: 200_000, maxOutputTokens: 9_000, inputUsdPerMillion: undefined }),
        model("terse", { contextTokens: 200_000, maxInputTokens: 90_000 }),
        model("old", { status: "deprecated" }),
        model("painter", { modalities: { input: ["text"], output: ["image"] } }),
        model("embed", { capabilities: ["embedding"] }),
      ],
    });
    expect(counts).toEqual({ considered: 10, fitting: 1 });
    expect(Object.fromEntries(rejected.map(({ id, reason }) => [id, reason]))).toEqual({
      small: "has a context of 100,000 tokens, not 107,000 tokens",
      large: "is denied",
      vague: "its context is not known",
      dear: "costs 8.86 USD, over 2 USD",
      unpriced: "its price is not known",
      terse: "takes at most 90,000 tokens, not 98,000 tokens",
      old: "is deprecated",
      painter: "is not made to answer in text",
      embed: "makes embeddings, not text",
    });
  });

  it("uses embedding models for embeddings, and vision models for vision", () => {
    expect(selected({ task: { kind: "embedding", outputTokens: 0 } }).selected.id).toBe("embed");
    expect(selected({ task: { kind: "vision" } }).selected.id).toBe("large");
  });

  it("respects allowed and denied providers, and allowed models", () => {
    expect(
      selected({ constraints: { providers: { allow: ["elm", "ash"] } }, objective: "cost" }).selected.id,
    ).toBe("middle");
    expect(selected({ constraints: { providers: { deny: ["oak"] } }, objective: "cost" }).selected.id).toBe(
      "middle",
    );
    expect(selected({ constraints: { models: { allow: ["ash/large"] } } }).selected.id).toBe("large");
  });

  it("tells of providers and models that the catalogue lacks, and what they may have meant", () => {
    const reasons = (constraints: Asked["constraints"]) => selected({ constraints }).reasons.join(" ");
    expect(reasons({ providers: { deny: ["Ash"] } })).toContain(
      'The catalogue has no provider "Ash". Did you mean ash?',
    );
    expect(reasons({ models: { deny: ["ash/larg"] } })).toContain('The catalogue has no model "ash/larg".');
    expect(reasons({ providers: { deny: ["oak"] }, models: { deny: ["small", "oak/small"] } })).not.toContain(
      "The catalogue has no",
    );
    const many = Array.from({ length: 500 }, (_, at) => `unknown${at}`);
    expect(reasons({ providers: { deny: many } }).match(/has no provider/g)).toHaveLength(5);
  });

  it("says what is known where the constraints leave no model, instead of a nearest one", () => {
    const unknown = refusal({ constraints: { providers: { allow: ["zzzzzz", "Oak"] } } });
    expect(unknown.message).toBe(
      'The catalogue has no provider "zzzzzz". The catalogue has no provider "Oak". Did you mean oak? Its providers are ash, elm, oak. None of 5 models is left by constraints.providers.allow.',
    );
    expect(unknown.extras.errors).toEqual([
      { path: "constraints.providers.allow", message: "leaves none of 5 models" },
    ]);
    const both = refusal({ constraints: { providers: { deny: ["ash"] }, models: { allow: ["ash/large"] } } });
    expect(both.message).toBe(
      "None of 5 models is left by constraints.providers.deny, constraints.models.allow.",
    );
    expect(both.extras.errors).toHaveLength(2);
    expect(refusal({ constraints: { models: { allow: ["claude"] } } }).message).toContain(
      'The catalogue has no model "claude". GET /api/v1/tools/models lists what there is.',
    );
    // One that is allowed and cannot do the task is nearer than one that is not allowed.
    expect(
      refusal({ task: { kind: "embedding" }, constraints: { providers: { allow: ["elm"] } } }).message,
    ).toBe("None of 5 models fits. The nearest is elm/middle: makes no embeddings.");
    const crowd = Array.from({ length: 21 }, (_, at) => model("m", { provider: `provider${at}` }));
    expect(refusal({ models: crowd, constraints: { providers: { allow: ["zzzzzz"] } } }).message).toMatch(
      /^The catalogue has no provider "zzzzzz"\. GET \/api\/v1\/tools\/models lists what there is\. None of 21 /,
    );
  });

  it("does not claim to know what images take", () => {
    const reasons = (task: Asked["task"]) =>
      selected({ task: { kind: "vision", ...task } }).reasons.join(" ");
    expect(reasons({ prompt: "What is this?", inputTokens: undefined })).toContain(
      "What images take is not known",
    );
    expect(reasons({ prompt: "What is this?", inputTokens: 900 })).not.toContain("images");
  });

  it("names the nearest model, and the constraint that it fails, if none fits", () => {
    const dear = refusal({ constraints: { maxCostUsd: 0.0004 } });
    expect([dear.error, dear.message]).toEqual([
      "unprocessable",
      "None of 5 models fits. The nearest is oak/small: costs 0.0005 USD, over 0.0004 USD.",
    ]);
    expect(dear.extras.errors).toEqual([
      { path: "constraints.maxCostUsd", message: "oak/small: costs 0.0005 USD, over 0.0004 USD" },
    ]);
    expect(refusal({ task: { needs: ["open_weights", "vision"] } }).message).toMatch(
      /ash\/large: lacks open_weights\.$/,
    );
    expect(refusal({ models: [] }).message).toBe("The catalogue holds no model.");
  });

  it("follows recorded outcomes, mostly those of the same kind", () => {
    const failed = { byKind: { code: tally(Array(12).fill(false)) } };
    const worked = { byKind: { code: tally(Array(12).fill(true)) } };
    const code = (outcomes: Asked["outcomes"]) =>
      selected({ task: { kind: "code" }, objective: "quality", outcomes });
    expect(code({ "ash/large": failed }).selected.id).toBe("middle");
    const now = code({ "ash/large": failed, "oak/small": worked });
    expect(now.selected).toMatchObject({ id: "small", recorded: { successes: 12, failures: 0 } });
    expect(now.reasons).toContain(
      "Did 12 of 12 recorded code tasks. What was recorded here speaks for it: without that, ash/large.",
    );
    const chat = selected({ objective: "quality", outcomes: { "ash/large": failed, "oak/small": worked } });
    expect(chat.selected.id).not.toBe("small");
    expect(chat.selected.recorded).toBeNull();
  });

  it("changes only after a second outcome, and names the model chosen without outcomes", () => {
    const twins = [model("one", { quality: 0.5 }), model("two", { quality: 0.5 })];
    const having = (...outcomes: boolean[]) =>
      selected({
        models: twins,
        objective: "quality",
        outcomes: { "acme/one": { byKind: { chat: tally(outcomes) } } },
      });
    expect(having(false)).toMatchObject({ selected: { id: "one", recorded: { failures: 1 } } });
    expect(having(false).reasons.join(" ")).not.toContain("would be chosen");
    expect(having(false, false).selected.id).toBe("two");
    expect(having(false, false).reasons.join(" ")).toContain(
      "without what was recorded, acme/one would be chosen.",
    );
  });

  it("tries a model again that failed long ago, and again each time that it may have become better", () => {
    const failed = { byKind: { code: tally(Array(20).fill(false)) } };
    const chosen = (days: number, outcomes = { "ash/large": failed }) =>
      selected({ task: { kind: "code" }, objective: "quality", outcomes, now: days * DAY_MS }).selected.id;
    expect([chosen(0), chosen(14)]).toEqual(["middle", "middle"]);
    expect(chosen(180)).toBe("large");
    // A store of an earlier version does not say when.
    const { at: _, ...undated } = failed.byKind.code;
    expect(chosen(180, { "ash/large": { byKind: { code: undated } } })).toBe("middle");
  });

  it("prefers the lowest recorded latency for speed, but not a model that fails", () => {
    const timed = (ms: number, outcomes = [true, true, true]) => ({ byKind: { chat: tally(outcomes, ms) } });
    const speed = (outcomes: Asked["outcomes"]) => selected({ objective: "speed", outcomes });
    expect(speed({}).selected.id).toBe("small");
    const fast = speed({ "ash/large": timed(300), "elm/middle": timed(900), "oak/small": timed(2000) });
    expect(fast.selected).toMatchObject({ id: "large", recorded: { latencyMs: 300 } });
    expect(fast.reasons).toContain(
      "Did 3 of 3 recorded chat tasks, in 300 ms on average. What was recorded here speaks for it: without that, oak/small.",
    );
    const failing = timed(600, Array(20).fill(false));
    expect(speed({ "ash/large": failing, "elm/middle": timed(900) }).selected.id).not.toBe("large");
  });

  it("returns only fitting models, and the same for equal requests", () => {
    const price = fc.option(fc.double({ min: 0, max: 50, noNaN: true }), { nil: undefined });
    const some = fc.record({
      contextTokens: fc.option(fc.integer({ min: 1, max: 200_000 }), { nil: undefined }),
      inputUsdPerMillion: price,
      outputUsdPerMillion: price,
      capabilities: fc.subarray([...CAPABILITIES]),
      releasedAt: fc.constantFrom("2024", "2025-06", "2026-01-02", undefined),
    });
    const asked = fc.record({
      models: fc
        .array(some, { minLength: 1, maxLength: 12 })
        .map((all) => all.map((each, at) => model(`m${at}`, each as never))),
      task: fc.record({
        inputTokens: fc.nat(150_000),
        outputTokens: fc.nat(8_000),
        needs: fc.subarray([...CAPABILITIES].slice(0, 4)),
      }),
      constraints: fc.record({
        maxCostUsd: fc.double({ min: 0, max: 2, noNaN: true }),
        minContextTokens: fc.integer({ min: 1, max: 150_000 }),
      }),
      objective: fc.constantFrom(...OBJECTIVES),
    });
    fc.assert(
      fc.property(asked, (request) => {
        const { models, task, constraints } = request;
        const load = { ...task, cachedInputTokens: 0 };
        const fits = models.filter(
          (each) =>
            task.needs.every((need) => each.capabilities.includes(need)) &&
            !each.capabilities.includes("embedding") &&
            (each.contextTokens ?? 0) >=
              Math.max(constraints.minContextTokens, task.inputTokens + task.outputTokens) &&
            (costOf(each, load) ?? Infinity) <= constraints.maxCostUsd,
        );
        if (fits.length === 0) expect(refusal(request)).toBeInstanceOf(Problem);
        else {
          const { selected: best, alternatives, rejected, counts } = selected(request);
          const ids = [best, ...alternatives].map(({ id }) => id);
          expect(fits.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
          expect(ids).toHaveLength(Math.min(6, fits.length));
          expect([counts.fitting, rejected.length]).toEqual([fits.length, models.length - fits.length]);
          expect(selected(request)).toEqual(selected(request));
        }
      }),
    );
  });
});
