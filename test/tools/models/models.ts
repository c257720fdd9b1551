import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue } from "../../../src/tools/models/catalogue/catalogue.ts";
import type { Model } from "../../../src/tools/models/catalogue/model.ts";
import type { Constraints, Objective, Task } from "../../../src/tools/models/contract.ts";
import { difficultyOf } from "../../../src/tools/models/difficulty/difficulty.ts";
import type { OutcomesDocument } from "../../../src/tools/models/documents.ts";
import { select } from "../../../src/tools/models/select.ts";
import { strengthsOf } from "../../../src/tools/models/strength.ts";
import { startApp } from "../../support/app.ts";
import { temporaryDirectory } from "../../support/store.ts";

export const ROOT = "/api/v1/tools/models";

export function model(id: string, more: Partial<Model> = {}): Model {
  return {
    id,
    provider: "acme",
    name: id,
    contextTokens: 100_000,
    maxOutputTokens: 8_000,
    inputUsdPerMillion: 1,
    outputUsdPerMillion: 4,
    modalities: { input: ["text"], output: ["text"] },
    capabilities: ["tool_call"],
    releasedAt: "2026-01-01",
    source: "the tests",
    ...more,
  };
}

/** Models from the weakest and cheapest to the strongest and dearest, then an embedding model and an old one. */
export const MODELS: readonly Model[] = [
  model("small", { provider: "oak", inputUsdPerMillion: 0.1, outputUsdPerMillion: 0.4, quality: 0.2 }),
  model("middle", { provider: "elm", quality: 0.6, capabilities: ["tool_call", "prompt_caching"] }),
  model("large", {
    provider: "ash",
    inputUsdPerMillion: 10,
    outputUsdPerMillion: 40,
    quality: 0.95,
    contextTokens: 1_000_000,
    maxOutputTokens: 64_000,
    capabilities: ["reasoning", "tool_call", "vision"],
    modalities: { input: ["text", "image"], output: ["text"] },
  }),
  model("embed", { provider: "oak", capabilities: ["embedding"], outputUsdPerMillion: 0 }),
  model("ancient", { provider: "ash", status: "deprecated", inputUsdPerMillion: 0, outputUsdPerMillion: 0 }),
];

export const CATALOGUE: Catalogue = { date: "2026-03-04", models: [...MODELS] };

export interface Asked {
  task?: Partial<Task>;
  constraints?: Constraints;
  objective?: Objective;
  models?: readonly Model[];
  outcomes?: Record<string, OutcomesDocument>;
  now?: number;
}

export function selected({ task, constraints, objective, models = MODELS, outcomes, now = 0 }: Asked = {}) {
  const prompt = task?.prompt;
  return select(
    {
      task: { kind: "chat", inputTokens: 1000, outputTokens: 1000, ...task },
      constraints: constraints ?? {},
      objective: objective ?? "balanced",
    },
    {
      catalogue: { date: "2026-03-04", models: [...models] },
      strengths: strengthsOf(models),
      outcomes: new Map(Object.entries(outcomes ?? {})),
      prompt: prompt === undefined ? undefined : { tokens: prompt.length, difficulty: difficultyOf(prompt) },
      now,
    },
  );
}

export function fileWith(content: string | Buffer, name = "models.json"): string {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, content);
  return file;
}

export function catalogueFile(models: readonly Model[] = MODELS): string {
  const source = { name: "Acme", url: "https://acme.test/models", licence: "CC0-1.0" };
  return fileWith(JSON.stringify({ date: "2026-03-04", source, models }));
}

/** Starts a server with these models, or with those of the package. */
export async function openModels({
  models = MODELS as readonly Model[] | "bundled",
  ...options
}: {
  models?: readonly Model[] | "bundled";
  databaseUrl?: string;
} = {}) {
  const app = await startApp({
    ...options,
    ...(models !== "bundled" && { modelsFile: catalogueFile(models) }),
  });
  return {
    app,
    list: async (query = "") => (await app.request("GET", ROOT + query)).body,
    select: async (body: object) => (await app.request("POST", `${ROOT}/select`, { body })).body,
    outcome: async (body: object) => (await app.request("POST", `${ROOT}/outcome`, { body })).body,
  };
}
