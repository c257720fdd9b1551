import type { Model } from "./catalogue/model.ts";

/** What a request takes. */
export interface Load {
  inputTokens: number;
  /** Of these, what the provider has kept from before. */
  cachedInputTokens: number;
  outputTokens: number;
}

/** In USD; `undefined` where the catalogue lacks a price. A tier prices the whole request. */
export function costOf(
  model: Model,
  { inputTokens, cachedInputTokens, outputTokens }: Load,
): number | undefined {
  const tier = model.tiers?.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens);
  const { inputUsdPerMillion: input, outputUsdPerMillion: output } = { ...model, ...tier };
  // A tier without a cached price has none, whatever is cheaper below it.
  const cached = (tier ?? model).cachedInputUsdPerMillion ?? input;
  if (input === undefined || cached === undefined || (output === undefined && outputTokens > 0))
    return undefined;
  const usd =
    (inputTokens - cachedInputTokens) * input + cachedInputTokens * cached + outputTokens * (output ?? 0);
  return Number((usd / 1e6).toPrecision(12));
}
