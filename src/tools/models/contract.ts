import * as z from "zod";
import { named, refinementRules } from "../../contract/components.ts";
import { At, computedEndpoint, endpoint, UserId } from "../../contract/endpoint.ts";
import { DAY_MS } from "../../system/durations.ts";
import { CAPABILITIES, Model } from "./catalogue/model.ts";
import { ASKS } from "./difficulty/asks.ts";

export const KINDS = [
  "code",
  "reasoning",
  "chat",
  "extraction",
  "summarization",
  "vision",
  "embedding",
] as const;
export type Kind = (typeof KINDS)[number];

export const OBJECTIVES = ["quality", "cost", "balanced", "speed"] as const;
export type Objective = (typeof OBJECTIVES)[number];

const Tokens = z.int().min(0).max(1e9);
const Count = z.int().nonnegative();
const Usd = z.number().nonnegative();
const Kind = z.enum(KINDS);
const ModelName = UserId.describe("`provider/id`, or the id alone where one provider has it");
const Names = z.array(UserId).min(1, "must name one, or be left out").max(500);

const Task = z
  .strictObject({
    kind: Kind,
    prompt: z.string().optional().describe("Its tokens are counted, and how hard it reads; it is not kept"),
    inputTokens: Tokens.optional().describe("Counted from the prompt where absent"),
    outputTokens: Tokens.optional().describe("Presumed by the kind where absent"),
    cachedInputTokens: Tokens.optional().describe("Of the input, what the provider has kept from before"),
    needs: z.array(z.enum(CAPABILITIES)).optional(),
  })
  .refine(({ inputTokens, cachedInputTokens = 0 }) => cachedInputTokens <= (inputTokens ?? Infinity), {
    path: ["cachedInputTokens"],
    message: "must not exceed inputTokens",
  })
  .register(refinementRules, { rule: "`cachedInputTokens` is at most `inputTokens`." });
export type Task = z.infer<typeof Task>;

const Constraints = z.strictObject({
  maxCostUsd: Usd.optional(),
  minContextTokens: z.int().positive().optional(),
  providers: z.strictObject({ allow: Names.optional(), deny: Names.optional() }).optional(),
  models: z
    .strictObject({ allow: Names.optional(), deny: Names.optional() })
    .optional()
    .describe("Each as `provider/id` or as an id alone"),
});
export type Constraints = z.infer<typeof Constraints>;

const Recorded = z
  .object({ successes: Count, failures: Count, latencyMs: z.number().nonnegative().optional() })
  .nullable()
  .describe("What was recorded in this project for this kind of task; null before that");

const Candidate = Model.extend({
  costUsd: Usd.nullable().describe("Null where its price is not known"),
  recorded: Recorded,
});

named({
  Model,
  ModelTask: Task,
  ModelTaskKind: Kind,
  ModelConstraints: Constraints,
  ModelCandidate: Candidate,
});

const ROOT = "/api/v1/tools/models";

export const modelsContract = {
  list: endpoint({
    name: "models.list",
    method: "GET",
    path: ROOT,
    summary: "List models with their prices, limits and capabilities",
    description: `All that fit every filter, by provider and id. What the catalogue does not know about a model is absent, and
fits no filter on it.`,
    scope: "read",
    input: z.strictObject({
      provider: UserId.optional(),
      capability: z.enum(CAPABILITIES).optional(),
      modality: UserId.optional().describe("What it takes in: text, image, audio, video, pdf"),
      outputModality: UserId.optional().describe("What it gives out"),
      minContextTokens: z.coerce.number<number>().int().positive().optional(),
      maxInputUsd: z.coerce.number<number>().nonnegative().optional().describe("For a million input tokens"),
    }),
    output: z.object({
      items: z.array(Model),
      catalogueDate: z.iso.date().describe("As of when prices and limits hold"),
    }),
  }),

  select: computedEndpoint({
    name: "models.select",
    method: "POST",
    path: `${ROOT}/select`,
    summary: "Select the model for a task",
    description: `First what must hold: capabilities, room for input and output, cost, providers. Then the objective: \`quality\`
takes what most likely does the task, \`cost\` what costs least until it is done, \`balanced\` (the default)
pays ten times the price for a quarter more chance, \`speed\` takes what is soonest done with the task. Recorded
outcomes move the ranking. If nothing fits: 422 with the nearest miss.`,
    scope: "write",
    errors: ["unprocessable"],
    safe: true,
    compute: "short",
    maxBodyBytes: 16 << 20,
    example: { task: { kind: "code", prompt: "Write a parser of dates." }, objective: "balanced" },
    input: z.strictObject({
      task: Task,
      constraints: Constraints.default({}),
      objective: z.enum(OBJECTIVES).default("balanced"),
    }),
    output: z.object({
      selected: Candidate,
      estimate: z.object({
        inputTokens: Count,
        outputTokens: Count,
        costUsd: Usd.nullable(),
        presumed: z
          .array(z.enum(["inputTokens", "outputTokens"]))
          .describe("What was neither given nor counted"),
      }),
      difficulty: z
        .object({
          score: z.number().min(0).max(1),
          words: Count,
          relations: Count,
          asks: z.enum(ASKS).describe("What the prompt asks for, as far as its words tell"),
          signs: z
            .array(z.string())
            .describe("Its words that show it to be hard or easy, whatever its length"),
          basis: z
            .enum(["measured", "presumed", "unknown"])
            .describe("Whether the like was measured; what is unknown does not count in the choice"),
        })
        .nullable()
        .describe("How hard the prompt reads: harder where the score is higher; null without a prompt"),
      reasons: z.array(z.string()),
      alternatives: z.array(Candidate).describe("The next best, at most 5"),
      rejected: z
        .array(z.object({ id: z.string(), provider: z.string(), reason: z.string() }))
        .describe("Each with the first thing that speaks against it; the nearest misses first, at most 100"),
      counts: z.object({ considered: Count, fitting: Count }),
      catalogueDate: z.iso.date(),
    }),
  }),

  outcome: endpoint({
    name: "models.outcome",
    method: "POST",
    path: `${ROOT}/outcome`,
    summary: "Record whether a model did a task",
    description: `It moves the ranking of \`select\` for this project, for this kind of task most; the newest outcomes count most.`,
    scope: "write",
    errors: ["conflict", "unprocessable"],
    idempotent: true,
    status: 201,
    example: { model: "provider/model", kind: "code", outcome: "success" },
    input: z.strictObject({
      model: ModelName,
      kind: Kind,
      outcome: z.enum(["success", "failure"]),
      latencyMs: z.number().nonnegative().max(DAY_MS).optional(),
    }),
    output: z.object({
      id: z.string(),
      provider: z.string(),
      kind: Kind,
      recorded: z.object({
        successes: Count,
        failures: Count,
        latencyMs: z.number().nonnegative().optional(),
      }),
      recordedAt: At,
    }),
  }),
};
