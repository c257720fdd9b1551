import { type Capability, can, type Model } from "./catalogue/model.ts";

export interface Filter {
  provider?: string | undefined;
  capability?: Capability | undefined;
  modality?: string | undefined;
  outputModality?: string | undefined;
  minContextTokens?: number | undefined;
  maxInputUsd?: number | undefined;
}

/** Returns the models that match every filter. An unknown figure matches no filter on it. */
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
