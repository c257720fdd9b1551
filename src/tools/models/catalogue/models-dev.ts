import * as z from "zod";
import { defined } from "../../../system/defined.ts";
import type { Capability, Model } from "./model.ts";

/**
 * A model as models.dev describes it: in its `api.json`, and with `provider` in JSON Lines. Only the fields
 * that are read are declared.
 */
const Price = z.number().nonnegative();
const Prices = z.object({ input: Price, output: Price, cache_read: Price.optional() });
const Tokens = z.int().nonnegative();

export const ModelsDevModel = z.object({
  provider: z.string().min(1),
  id: z.string().min(1),
  name: z.string().min(1),
  family: z.string().optional(),
  release_date: z.string().optional(),
  release: z.string().optional(),
  knowledge: z.string().optional(),
  status: z.string().optional(),
  reasoning: z.boolean().default(false),
  tool_call: z.boolean().default(false),
  attachment: z.boolean().default(false),
  open_weights: z.boolean().default(false),
  structured_output: z.boolean().default(false),
  cost: Prices.extend({
    tiers: z.array(Prices.extend({ tier: z.object({ size: z.int().positive() }) })).optional(),
    context_over_200k: Prices.optional(),
  }).optional(),
  limit: z.object({ context: Tokens, input: Tokens.optional(), output: Tokens }),
  modalities: z.object({ input: z.array(z.string()), output: z.array(z.string()) }),
});
export type ModelsDevModel = z.infer<typeof ModelsDevModel>;

/** Converts a model of models.dev; `source` says where it was read. models.dev writes 0 for an unknown limit. */
export function modelFrom(given: ModelsDevModel, source: string): Model {
  const { cost, limit, status } = given;
  const tiers = tiersOf(cost);
  return {
    id: given.id,
    provider: given.provider,
    name: given.name,
    ...(limit.context > 0 && { contextTokens: limit.context }),
    ...(limit.input && { maxInputTokens: limit.input }),
    ...(limit.output > 0 && { maxOutputTokens: limit.output }),
    ...(cost && pricesOf(cost)),
    ...(tiers.length > 0 && { tiers }),
    modalities: { input: given.modalities.input, output: given.modalities.output },
    capabilities: capabilitiesOf(given),
    ...dateOf("releasedAt", given.release_date ?? given.release),
    ...dateOf("knowledgeCutoff", given.knowledge),
    ...((status === "alpha" || status === "beta" || status === "deprecated") && { status }),
    source,
  };
}

function capabilitiesOf(given: ModelsDevModel): Capability[] {
  const { reasoning, tool_call, attachment, open_weights, structured_output, modalities, cost } = given;
  const embeds = /\bembed(?:ding)?s?\b/i.test(
    `${given.family ?? ""} ${given.id} ${given.name}`.replaceAll("_", "-"),
  );
  const has: Record<Capability, boolean> = {
    reasoning,
    tool_call,
    structured_output,
    attachment,
    vision: modalities.input.includes("image"),
    embedding: embeds,
    prompt_caching: cost?.cache_read !== undefined,
    open_weights,
  };
  return (Object.keys(has) as Capability[]).filter((name) => has[name]);
}

function tiersOf(cost: ModelsDevModel["cost"]): NonNullable<Model["tiers"]> {
  const tiers = cost?.tiers?.map(({ tier, ...prices }) => ({
    aboveInputTokens: tier.size,
    ...pricesOf(prices),
  }));
  const over = cost?.context_over_200k;
  const found = tiers ?? (over ? [{ aboveInputTokens: 200_000, ...pricesOf(over) }] : []);
  return found.sort((a, b) => a.aboveInputTokens - b.aboveInputTokens);
}

function pricesOf({ input, output, cache_read }: z.infer<typeof Prices>) {
  return {
    inputUsdPerMillion: input,
    outputUsdPerMillion: output,
    ...defined({ cachedInputUsdPerMillion: cache_read }),
  };
}

function dateOf<Name extends string>(name: Name, date: string | undefined): { [Key in Name]?: string } {
  const known = date !== undefined && /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(date);
  return known ? ({ [name]: date } as { [Key in Name]?: string }) : {};
}
