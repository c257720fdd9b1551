import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/system/durations.ts";
import { type Model, writesText } from "../../../src/tools/models/catalogue/model.ts";
import { ModelsDevModel, modelFrom } from "../../../src/tools/models/catalogue/models-dev.ts";
import type { Constraints, Task } from "../../../src/tools/models/contract.ts";
import { matching } from "../../../src/tools/models/list.ts";
import { loadOf } from "../../../src/tools/models/load.ts";
import { faultsIn } from "../../../src/tools/models/requirements.ts";
import { shownTally } from "../../../src/tools/models/select.ts";
import { strengthsOf } from "../../../src/tools/models/strength.ts";
import { chanceOf } from "../../../src/tools/models/success.ts";
import { afterOutcome, recordOf, UNTRIED } from "../../../src/tools/models/tally.ts";
import { model } from "./models.ts";

const LOAD = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 500 };

describe("faultsIn()", () => {
  const faults = (
    more: Partial<Model>,
    task: Partial<Task> = {},
    constraints: Constraints = {},
    load = LOAD,
  ) =>
    faultsIn(model("m", more), { kind: "chat", ...task }, constraints, load).map(
      ({ path = "nobody", reason, by }) => `${path}: ${reason} (${Math.round(1000 * by) / 1000})`,
    );
  const without = (...names: (keyof Model)[]) =>
    Object.fromEntries(names.map((name) => [name, undefined])) as Partial<Model>;

  it.each<[string, Partial<Model>, Partial<Task>, string[]]>([
    ["nothing", {}, {}, []],
    ["that it is deprecated", { status: "deprecated" }, {}, ["nobody: is deprecated (1000)"]],
    ["not that it is new", { status: "beta" }, {}, []],
    ["that it makes no embeddings", {}, { kind: "embedding" }, ["task.kind: makes no embeddings (1000)"]],
    [
      "not that it makes embeddings, where these are asked for",
      { capabilities: ["embedding"] },
      { kind: "embedding" },
      [],
    ],
    [
      "that it makes embeddings",
      { capabilities: ["embedding"] },
      {},
      ["task.kind: makes embeddings, not text (1000)"],
    ],
    [
      "that it paints",
      { modalities: { input: ["text"], output: ["image"] } },
      {},
      ["task.kind: is not made to answer in text (1000)"],
    ],
    ["that it takes no images", {}, { kind: "vision" }, ["task.kind: takes no images (1000)"]],
    ["not that it does", { capabilities: ["vision"] }, { kind: "vision" }, []],
    [
      "each capability that it lacks",
      {},
      { needs: ["tool_call", "reasoning", "vision"] },
      ["task.needs: lacks reasoning (1)", "task.needs: lacks vision (1)"],
    ],
  ])("finds %s", (_, more, task, expected) => expect(faults(more, task)).toEqual(expected));

  it("finds a provider or model that is denied or not among the allowed", () => {
    const of = (constraints: Constraints) => faults({}, {}, constraints);
    expect(of({ providers: { deny: ["acme"] } })).toEqual([
      "constraints.providers.deny: its provider is denied (1000)",
    ]);
    expect(of({ providers: { allow: ["other"] } })).toEqual([
      "constraints.providers.allow: its provider is not among the allowed (1000)",
    ]);
    for (const name of ["m", "acme/m"]) {
      expect(of({ models: { deny: [name] } })).toEqual(["constraints.models.deny: is denied (1000)"]);
      expect(of({ models: { allow: [name] } })).toEqual([]);
    }
    expect(of({ models: { allow: ["n"] } })).toEqual([
      "constraints.models.allow: is not among the allowed (1000)",
    ]);
    expect(of({ providers: { allow: ["acme"], deny: ["x"] }, models: { deny: ["x"] } })).toEqual([]);
  });

  it("finds by how much context, input or output tokens are too few", () => {
    expect(faults({ contextTokens: 1500 })).toEqual([]);
    expect(faults({ contextTokens: 1200 })).toEqual([
      "task: has a context of 1,200 tokens, not 1,500 tokens (0.2)",
    ]);
    expect(faults(without("contextTokens"))).toEqual(["task: its context is not known (1)"]);
    expect(faults({ contextTokens: 5000 }, {}, { minContextTokens: 5000 })).toEqual([]);
    expect(faults({ contextTokens: 4000 }, {}, { minContextTokens: 5000 })).toEqual([
      "constraints.minContextTokens: has a context of 4,000 tokens, not 5,000 tokens (0.2)",
    ]);
    expect(faults({ contextTokens: 750 }, {}, { minContextTokens: 1000 })).toHaveLength(2);
    expect(faults({ maxInputTokens: 1000, maxOutputTokens: 500 })).toEqual([]);
    expect(faults({ maxInputTokens: 500 })).toEqual([
      "task.inputTokens: takes at most 500 tokens, not 1,000 tokens (0.5)",
    ]);
    expect(faults({ maxOutputTokens: 400 })).toEqual([
      "task.outputTokens: writes at most 400 tokens, not 500 tokens (0.2)",
    ]);
    expect(faults(without("maxInputTokens", "maxOutputTokens"))).toEqual([]);
  });

  it("finds by how much the cost exceeds the maximum, and an unknown price", () => {
    // 1000 tokens at 1 USD and 500 at 4 USD a million.
    expect(faults({}, {}, { maxCostUsd: 0.003 })).toEqual([]);
    expect(faults({}, {}, { maxCostUsd: 0.0015 })).toEqual([
      "constraints.maxCostUsd: costs 0.003 USD, over 0.0015 USD (0.5)",
    ]);
    expect(faults(without("inputUsdPerMillion"), {}, { maxCostUsd: 1 })).toEqual([
      "constraints.maxCostUsd: its price is not known (1)",
    ]);
    expect(faults(without("inputUsdPerMillion"))).toEqual([]);
  });
});

describe("matching()", () => {
  const models = [
    model("a"),
    model("b", { provider: "oak", contextTokens: 10, inputUsdPerMillion: 5, capabilities: ["vision"] }),
    model("c", { contextTokens: undefined as never, inputUsdPerMillion: undefined as never }),
    model("d", { modalities: { input: ["audio"], output: ["image"] } }),
  ];
  it.each([
    [{}, "abcd"],
    [{ provider: "oak" }, "b"],
    [{ capability: "vision" as const }, "b"],
    [{ modality: "audio" }, "d"],
    [{ outputModality: "image" }, "d"],
    [{ minContextTokens: 10 }, "abd"],
    [{ minContextTokens: 11 }, "ad"],
    [{ minContextTokens: 0 }, "abd"],
    [{ maxInputUsd: 5 }, "abd"],
    [{ maxInputUsd: 4.9 }, "ad"],
    [{ provider: "oak", modality: "audio" }, ""],
  ])("returns for %j the models %s", (filter, ids) => {
    expect(
      matching(models, filter)
        .map(({ id }) => id)
        .join(""),
    ).toBe(ids);
  });
});

it.each([
  ["m", {}, true],
  ["m", { modalities: { input: ["audio"], output: ["text"] } }, false],
  ["m", { modalities: { input: ["text"], output: ["audio"] } }, false],
  ["m", { modalities: { input: ["text"], output: ["text", "image"] } }, false],
  ["m", { modalities: { input: ["text"], output: ["text", "video"] } }, false],
  ["m", { modalities: { input: ["text"], output: ["text", "audio"] } }, true],
  ["m", { capabilities: ["embedding" as const] }, false],
  ["acme-rerank-1", {}, false],
  ["m", { name: "Text Moderation" }, false],
  ["guardian", {}, true],
])("%s with %j writes text: %s", (id, more, expected) => expect(writesText(model(id, more))).toBe(expected));

describe("recorded outcomes of a model", () => {
  it("fade by a fiftieth with each later outcome, and are shown unweighted", () => {
    const one = afterOutcome(UNTRIED, true, undefined, 0);
    expect(one).toEqual({ successes: 1, failures: 0, recorded: 1, succeeded: 1, at: 0 });
    const two = afterOutcome(one, false, 100, 0);
    expect(two).toEqual({
      successes: 0.98,
      failures: 1,
      recorded: 2,
      succeeded: 1,
      timed: 1,
      latencyMs: 100,
      at: 0,
    });
    const three = afterOutcome(two, true, 300, 0);
    expect(three).toMatchObject({ recorded: 3, succeeded: 2, timed: 1.98 });
    expect(three.latencyMs).toBeCloseTo((0.98 * 100 + 300) / 1.98, 9);
    expect(shownTally(three)).toEqual({ successes: 2, failures: 1, latencyMs: 201 });
    expect([shownTally(one), shownTally(UNTRIED), shownTally(undefined)]).toEqual([
      { successes: 1, failures: 0 },
      null,
      null,
    ]);
  });

  it("count half after thirty days, and not more if the clock runs backwards", () => {
    const old = afterOutcome(afterOutcome(UNTRIED, true, 100, 0), false, 100, 0);
    const inDays = (days: number) => recordOf({ chat: old }, "chat", days * DAY_MS);
    expect([inDays(0), inDays(-1)]).toEqual(Array(2).fill({ successes: 0.98, failures: 1 }));
    expect(inDays(30)).toEqual({ successes: 0.49, failures: 0.5 });
    const next = afterOutcome(old, true, 400, 30 * DAY_MS);
    expect(next).toMatchObject({ failures: 0.49, recorded: 3, succeeded: 2, at: 30 * DAY_MS });
    expect(next.successes).toBeCloseTo(0.98 * 0.49 + 1, 12);
    expect(next.latencyMs).toBeGreaterThan(250);
  });

  it("count from the second one on, and a quarter for other kinds", () => {
    const tally = { successes: 4, failures: 2, recorded: 1, succeeded: 1 };
    expect(recordOf({ chat: tally }, "chat", 0)).toEqual({ successes: 0, failures: 0 });
    expect(recordOf({ chat: { ...tally, recorded: 2 } }, "chat", 0)).toEqual({ successes: 4, failures: 2 });
    expect(recordOf({ chat: tally, code: tally }, "chat", 0)).toEqual({ successes: 5, failures: 2.5 });
    expect(recordOf({}, "chat", 0)).toEqual({ successes: 0, failures: 0 });
  });

  it("are averaged with four presumed outcomes, plus a bonus for uncertainty", () => {
    const none = { successes: 0, failures: 0 };
    const optimistic = (mean: number, count: number) =>
      mean + 0.4 * Math.sqrt((mean * (1 - mean)) / (count + 1));
    const able = (difference: number) => 0.05 + 0.9 / (1 + Math.exp(-4 * difference - 1.5));
    expect(chanceOf(0.5, 0.5, none)).toBeCloseTo(optimistic(able(0), 4), 12);
    expect(chanceOf(0.9, 0.2, none)).toBeCloseTo(optimistic(able(0.7), 4), 12);
    const mean = (4 * able(0) + 6) / 13;
    expect(chanceOf(0.5, 0.5, { successes: 6, failures: 3 })).toBeCloseTo(optimistic(mean, 13), 12);
  });
});

describe("presumed figures", () => {
  it("of a task's output depend on its kind, and of a summary on the input", () => {
    const output = (kind: Task["kind"], inputTokens = 10_000) =>
      loadOf({ kind, inputTokens }, undefined).outputTokens;
    const kinds = [
      "code",
      "reasoning",
      "chat",
      "extraction",
      "summarization",
      "vision",
      "embedding",
    ] as const;
    expect(kinds.map((kind) => output(kind))).toEqual([1000, 2000, 400, 300, 500, 300, 0]);
    expect([
      output("summarization", 2499),
      output("summarization", 2501),
      output("summarization", 1),
    ]).toEqual([500, 500, 1]);
    expect(output("chat", 10)).toBe(400);
    expect(loadOf({ kind: "chat" }, undefined).inputTokens).toBe(1000);
    expect(loadOf({ kind: "chat" }, 7)).toMatchObject({ inputTokens: 7, presumed: ["outputTokens"] });
  });

  it("of a model's strength are the share of models ranked below by price and date", () => {
    const priced = (id: string, usd: number, more: Partial<Model> = {}) =>
      model(id, { inputUsdPerMillion: usd, outputUsdPerMillion: 0, ...more });
    const of = (...models: Model[]) => strengthsOf(models);
    const values = (strengths: ReturnType<typeof of>) => [...strengths.values()].map(({ value }) => value);
    expect(values(of(priced("a", 1), priced("b", 2), priced("c", 3)))).toEqual([0, 0.5, 1]);
    expect(values(of(priced("a", 1)))).toEqual([0.5]);
    // Prices fall to a fifth each year: 1 now equals 5 a year ago.
    expect(
      values(
        of(
          priced("a", 1),
          priced("b", 4.9, { releasedAt: "2025-01-01" }),
          priced("c", 5.1, { releasedAt: "2025-01-01" }),
        ),
      ),
    ).toEqual([0.5, 0, 1]);
    expect(
      values(
        of(
          priced("a", 1, { releasedAt: "2026-07-01" }),
          priced("b", 1, { releasedAt: "2026" }),
          priced("c", 1, { releasedAt: "2026-06" }),
        ),
      ),
    ).toEqual([0.5, 0.5, 0]);
    const unknown = { value: 0.1, from: "nothing" };
    for (const more of [
      { releasedAt: undefined as never },
      { inputUsdPerMillion: 0 },
      { capabilities: ["embedding" as const] },
    ])
      expect(of(priced("a", 1, more), priced("b", 2)).get("acme/a")).toEqual(unknown);
    const served = of(
      priced("x/A", 1),
      priced("y/a", 3),
      priced("z/a", 2),
      priced("b", 2.5),
      priced("c", 1.5),
    );
    expect([...served].map(([name, { value }]) => [name, value])).toEqual([
      ["acme/x/A", 0.5],
      ["acme/y/a", 0.5],
      ["acme/z/a", 0.5],
      ["acme/b", 1],
      ["acme/c", 0],
    ]);
  });
});

it("modelFrom() sorts price tiers by input length", () => {
  const prices = (input: number) => ({ input, output: 2 * input });
  const tiers = [300_000, 100_000].map((size) => ({ ...prices(size / 100_000), tier: { size } }));
  const given = {
    ...{ provider: "p", id: "m", name: "M", limit: { context: 1, output: 1 } },
    ...{ modalities: { input: ["text"], output: ["text"] }, cost: { ...prices(0.5), tiers } },
  };
  const { tiers: found } = modelFrom(ModelsDevModel.parse(given), "the tests");
  expect(
    found?.map(({ aboveInputTokens, inputUsdPerMillion }) => [aboveInputTokens, inputUsdPerMillion]),
  ).toEqual([
    [100_000, 1],
    [300_000, 3],
  ]);
});
