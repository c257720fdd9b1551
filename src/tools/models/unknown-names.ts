import { didYouMean } from "../../contract/near-names.ts";
import { type Model, nameOf } from "./catalogue/model.ts";
import type { Constraints } from "./contract.ts";

/** Names that are told; more would bury the other reasons. */
const MAX_TOLD = 5;

/**
 * Returns a sentence for each provider and model that the constraints name and the catalogue lacks. A mistyped one
 * that is denied would otherwise be chosen without a word.
 */
export function unknownNames({ providers, models }: Constraints, catalogue: readonly Model[]): string[] {
  const asked = {
    provider: [...(providers?.allow ?? []), ...(providers?.deny ?? [])],
    model: [...(models?.allow ?? []), ...(models?.deny ?? [])],
  };
  if (asked.provider.length + asked.model.length === 0) return [];
  const known = {
    provider: new Set(catalogue.map(({ provider }) => provider)),
    model: new Set(catalogue.flatMap((model) => [model.id, nameOf(model)])),
  };
  const unknown = (["provider", "model"] as const).flatMap((noun) =>
    [...new Set(asked[noun])].filter((name) => !known[noun].has(name)).map((name) => ({ noun, name })),
  );
  return unknown
    .slice(0, MAX_TOLD)
    .map(({ noun, name }) =>
      `The catalogue has no ${noun} "${name}". ${didYouMean(name, known[noun])}`.trim(),
    );
}
