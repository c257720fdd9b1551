import { didYouMean } from "../../contract/near-names.ts";
import { type Model, nameOf } from "./catalogue/model.ts";
import type { Constraints } from "./contract.ts";

/** Names that are told; more would bury the other reasons. */
const MAX_TOLD = 5;
/** Providers that are listed where a name is near none of them. */
const MAX_LISTED = 20;

export const WHERE_LISTED = "GET /api/v1/tools/models lists what there is";

/**
 * Returns sentences on the providers and models that the constraints name and the catalogue lacks, and on what they
 * may have meant. A mistyped one that is denied would otherwise be chosen without a word.
 */
export function unknownNames({ providers, models }: Constraints, catalogue: readonly Model[]): string[] {
  const asked = {
    provider: [...(providers?.allow ?? []), ...(providers?.deny ?? [])],
    model: [...(models?.allow ?? []), ...(models?.deny ?? [])],
  };
  if (asked.provider.length + asked.model.length === 0) return [];
  const known = {
    provider: new Set(catalogue.map(({ provider }) => provider)),
    model: namesIn(catalogue),
  };
  const unknown = (["provider", "model"] as const)
    .flatMap((noun) =>
      [...new Set(asked[noun])].filter((name) => !known[noun].has(name)).map((name) => ({ noun, name })),
    )
    .slice(0, MAX_TOLD)
    .map(({ noun, name }) => ({ noun, name, near: didYouMean(name, known[noun]) }));
  const far = new Set(unknown.filter(({ near }) => near === "").map(({ noun }) => noun));
  const isListed = far.has("provider") && known.provider.size <= MAX_LISTED;
  return [
    ...unknown.map(({ noun, name, near }) => `The catalogue has no ${noun} "${name}". ${near}`.trim()),
    ...(isListed ? [`Its providers are ${[...known.provider].sort().join(", ")}.`] : []),
    ...(far.has("model") || (far.has("provider") && !isListed) ? [`${WHERE_LISTED}.`] : []),
  ];
}

/** Returns the names by which models can be called: `provider/id`, and the id alone. */
export function namesIn(models: readonly Model[]): Set<string> {
  return new Set(models.flatMap((model) => [nameOf(model), model.id]));
}
