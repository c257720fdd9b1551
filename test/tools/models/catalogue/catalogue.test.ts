import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startServer } from "../../../../src/server/starting/start-server.ts";
import { createLog } from "../../../../src/system/log.ts";
import { loadModels } from "../../../../src/tools/models/catalogue/catalogue.ts";
import { nameOf, writesText } from "../../../../src/tools/models/catalogue/model.ts";
import { temporaryDirectory } from "../../../support/store.ts";
import { catalogueFile, fileWith, MODELS, model } from "../models.ts";

const ROW = {
  provider: "acme",
  id: "tree-1",
  name: "Tree 1",
  release: "2026-01-02",
  knowledge: "2025-06",
  reasoning: true,
  tool_call: true,
  attachment: false,
  open_weights: false,
  cost: {
    input: 1.5,
    output: 6,
    cache_read: 0.15,
    tiers: [{ tier: { size: 200000 }, input: 3, output: 12 }],
  },
  limit: { context: 400000, output: 32000 },
  modalities: { input: ["text", "image"], output: ["text"] },
};

const READ = {
  provider: "acme",
  id: "tree-1",
  name: "Tree 1",
  contextTokens: 400000,
  maxOutputTokens: 32000,
  inputUsdPerMillion: 1.5,
  outputUsdPerMillion: 6,
  cachedInputUsdPerMillion: 0.15,
  tiers: [{ aboveInputTokens: 200000, inputUsdPerMillion: 3, outputUsdPerMillion: 12 }],
  modalities: { input: ["text", "image"], output: ["text"] },
  capabilities: ["reasoning", "tool_call", "vision", "prompt_caching"],
  releasedAt: "2026-01-02",
  knowledgeCutoff: "2025-06",
};

describe("the bundled catalogue of models", () => {
  const { date, models } = loadModels();

  it("names the source file of every model", () => {
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    for (const each of models) {
      const { provider, source } = each;
      expect(source).toMatch(/^https:\/\/github\.com\/anomalyco\/models\.dev\/blob\/[0-9a-f]{12}\//);
      expect(source, nameOf(each)).toContain(`/providers/${provider}/models/${each.id}.toml`);
    }
  });

  it("has the context of all text models, and the prices of nearly all", () => {
    const texts = models.filter(writesText);
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.filter(({ contextTokens }) => contextTokens === undefined)).toEqual([]);
    const priced = texts.filter(({ inputUsdPerMillion }) => inputUsdPerMillion !== undefined);
    expect(priced.length / texts.length).toBeGreaterThan(0.95);
  });
});

describe("the file given by --models", () => {
  it("may be in the catalogue's own form", () => {
    const { date, models } = loadModels(catalogueFile());
    expect(date).toBe("2026-03-04");
    expect(models.map(nameOf)).toEqual([...MODELS].map(nameOf).sort());
    expect(models.find(({ id }) => id === "large")).toEqual(MODELS.find(({ id }) => id === "large"));
  });

  it.each([
    [
      "models.dev's api.json",
      JSON.stringify({ acme: { name: "Acme", models: { "tree-1": { ...ROW, provider: undefined } } } }),
    ],
    ["a list", JSON.stringify([ROW])],
    ["a list over lines", `[\n${JSON.stringify(ROW)}\n]\n`],
    ["a model a line", `${JSON.stringify(ROW)}\n${JSON.stringify({ ...ROW, id: "tree-2" })}\n`],
    ["after a byte order mark", `\ufeff${JSON.stringify([ROW])}`],
    ["either, compressed", gzipSync(JSON.stringify([ROW]))],
  ])("may be %s", (_, content) => {
    const { date, models } = loadModels(fileWith(content));
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(models[0]).toMatchObject(READ);
    expect(models[0]?.source).toContain("models.json");
  });

  it("reads JSON Lines of a single model", () => {
    expect(loadModels(fileWith(`${JSON.stringify(ROW)}\n`)).models).toMatchObject([READ]);
  });

  it("may state unknown limits as 0, while a price of 0 counts as a price", () => {
    const [read] = loadModels(
      fileWith(JSON.stringify([{ ...ROW, cost: { input: 0, output: 0 }, limit: { context: 0, output: 0 } }])),
    ).models;
    expect(read).toMatchObject({ inputUsdPerMillion: 0, outputUsdPerMillion: 0 });
    expect(read).not.toHaveProperty("contextTokens");
    expect(loadModels(fileWith(JSON.stringify([{ ...ROW, cost: undefined }]))).models[0]).not.toHaveProperty(
      "inputUsdPerMillion",
    );
  });

  it.each([
    ["is not there", () => "/nowhere/models.json", /models\.json cannot be used: ENOENT/],
    ["is no JSON", () => fileWith("{"), /cannot be used: .*JSON/],
    ["has a bad line", () => fileWith(`${JSON.stringify(ROW)}\n{"a":}\n`), /line 2: /],
    ["has a bad line after an empty one", () => fileWith(`${JSON.stringify(ROW)}\n\n{"a":}\n`), /line 3: /],
    ["has a bad first line", () => fileWith(`{"a":\n${JSON.stringify(ROW)}\n`), /line 1: /],
    ["has a cut second line", () => fileWith(`${JSON.stringify(ROW)}\n{"a":1\n`), /line 2: /],
    [
      "has a line that is no model",
      () => fileWith(`${JSON.stringify(ROW)}\n\n${JSON.stringify({ ...ROW, id: "b", name: 1 })}\n`),
      /used: line 3: name: /,
    ],
    ["is of another form", () => fileWith('{"models": 3}'), /models\.dev's api\.json/],
    ["holds a number", () => fileWith("3"), /must be \{/],
    ["has no model", () => fileWith("[]"), /must hold a model/],
    ["has a model twice", () => catalogueFile([model("a"), model("a")]), /acme\/a is there twice/],
    [
      "has a bad price",
      () => catalogueFile([model("a", { inputUsdPerMillion: -1 })]),
      /models\.0\.inputUsdPerMillion: /,
    ],
    [
      "has a typing error",
      () => catalogueFile([{ ...model("a"), contextToken: 1 } as never]),
      /models\.0\.contextToken: is not a known member/,
    ],
    ["is null", () => fileWith("null"), /must be \{ "date", "source", "models"/],
    ["holds no providers", () => fileWith('{"acme":null}'), /must be \{ "date", "source", "models"/],
    ["lacks a limit", () => fileWith(JSON.stringify([{ ...ROW, limit: undefined }])), /0\.limit: /],
  ])("is refused with the fault named if it %s", (_, file, message) => {
    expect(() => loadModels(file())).toThrow(message);
  });

  it("prevents the server from starting if unusable", async () => {
    const config = {
      host: "127.0.0.1",
      port: 0,
      dataDirectory: temporaryDirectory(),
      plan: "team",
      allowRemote: false,
      logLevel: "silent" as const,
      owner: { email: "owner@localhost" },
      modelsFile: "/nowhere/models.json",
    };
    await expect(startServer({ config, log: createLog("silent") })).rejects.toThrow(/nowhere\/models\.json/);
  });
});
