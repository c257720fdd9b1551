import * as z from "zod";

/** Capabilities that a task can need of a model, and that lists can be filtered by. */
export const CAPABILITIES = [
  "reasoning",
  "tool_call",
  "structured_output",
  "attachment",
  "vision",
  "embedding",
  "prompt_caching",
  "open_weights",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

const Tokens = z.int().positive();
const Usd = z.number().nonnegative();
const Day = z.string().regex(/^\d{4}(?:-\d\d(?:-\d\d)?)?$/, "must be a date such as 2026-03-05 or 2026-03");
const Id = z.string().min(1).max(200);
const Modalities = z.array(z.string().regex(/^[a-z][a-z0-9_-]*$/, "must be a word such as image"));

const prices = {
  inputUsdPerMillion: Usd.optional(),
  outputUsdPerMillion: Usd.optional(),
  cachedInputUsdPerMillion: Usd.optional().describe("For input that the provider has kept from before"),
};

/** A model of the catalogue. Unknown properties are absent. */
export const Model = z.strictObject({
  id: Id.describe("As the provider calls it"),
  provider: Id,
  name: z.string().min(1),
  contextTokens: Tokens.optional().describe("Input and output together"),
  maxInputTokens: Tokens.optional().describe("Where it is less than the context"),
  maxOutputTokens: Tokens.optional(),
  ...prices,
  tiers: z
    .array(z.strictObject({ aboveInputTokens: Tokens, ...prices }))
    .optional()
    .describe("What the whole request costs where its input is longer"),
  modalities: z.strictObject({ input: Modalities, output: Modalities }),
  capabilities: z.array(z.enum(CAPABILITIES)),
  releasedAt: Day.optional(),
  knowledgeCutoff: Day.optional(),
  status: z.enum(["alpha", "beta", "deprecated"]).optional(),
  quality: z.number().min(0).max(1).optional().describe("By a measure of whoever wrote the catalogue"),
  source: z.string().min(1).describe("Where each of these figures is written"),
});
export type Model = z.infer<typeof Model>;

/** Returns the name of a model that is unique across providers. */
export function nameOf({ provider, id }: Pick<Model, "provider" | "id">): string {
  return `${provider}/${id}`;
}

export function can({ capabilities }: Model, capability: Capability): boolean {
  return capabilities.includes(capability);
}

/**
 * Whether a model takes and writes text for general tasks, unlike those for embeddings, classification,
 * speech, OCR, images or video.
 */
export function writesText(model: Model): boolean {
  const { modalities, id, name } = model;
  return (
    modalities.input.includes("text") &&
    modalities.output.includes("text") &&
    !modalities.output.some((modality) => modality === "image" || modality === "video") &&
    !can(model, "embedding") &&
    !/\b(?:rerank|moderation|guard|safeguard|transcribe|whisper|tts|ocr)\b/i.test(`${id} ${name}`)
  );
}
