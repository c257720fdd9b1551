import type { Model } from "./catalogue/model.ts";

/** The tokens of a request. */
export interface Load {
  inputTokens: number;
  /** Input tokens that the provider has cached. */
  cachedInputTokens: number;
  outputTokens: number;
}

/**
 * Returns the cost of a request in USD, or `undefined` if the catalogue lacks a price. A tier prices the
 * whole request.
 */
export function costOf(
  model: Model,
  { inputTokens, cachedInputTokens, outputTokens }: Load,
): number | undefined {
  const tier = model.tiers?.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens);
  const { inputUsdPerMillion: input, outputUsdPerMillion: output } = { ...model, ...tier };
  // A tier without a cached price does not inherit the model's.
  const cached = (tier ?? model).cachedInputUsdPerMillion ?? input;
  if (input === undefined || cached === undefined || (output === undefined && outputTokens > 0))
    return undefined;
  const usd =
    (inputTokens - cachedInputTokens) * input + cachedInputTokens * cached + outputTokens * (output ?? 0);
  return Number((usd / 1e6).toPrecision(12));
}
