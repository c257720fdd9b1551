import { type Capability, can, type Model } from "./catalogue/model.ts";

export interface Filter {
  provider?: string | undefined;
  capability?: Capability | undefined;
  modality?: string | undefined;
  outputModality?: string | undefined;
  minContextTokens?: number | undefined;
  maxInputUsd?: number | undefined;
}

/** Those that fit all that is asked; an unknown figure fits nothing. */
export function matching(models: readonly Model[], filter: Filter): Model[] {
  const { provider, capability, modality, outputModality, minContextTokens, maxInputUsd } = filter;
  return models.filter(
    (model) =>
      (provider === undefined || model.provider === provider) &&
      (capability === undefined || can(model, capability)) &&
      (modality === undefined || model.modalities.input.includes(modality)) &&
      (outputModality === undefined || model.modalities.output.includes(outputModality)) &&
      (minContextTokens === undefined || (model.contextTokens ?? -1) >= minContextTokens) &&
      (maxInputUsd === undefined || (model.inputUsdPerMillion ?? Infinity) <= maxInputUsd),
  );
}
