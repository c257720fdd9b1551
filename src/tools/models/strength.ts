import { firstIndex } from "../../system/binary-search.ts";
import { type Model, nameOf, writesText } from "./catalogue/model.ts";

/** The presumed ability of a model among those of its catalogue, 0 to 1. */
export interface Strength {
  value: number;
  /** Its basis: the catalogue's own figure, or an estimate from price and release date. */
  from: "quality" | "price and age" | "nothing";
}

/**
 * Factor by which the price of the same ability falls in a year; Epoch AI (2025) found 9 to 900, depending on
 * the task.
 */
const CHEAPER_A_YEAR = 5;
/** Models without a price are seldom able. */
const UNKNOWN: Strength = { value: 0.1, from: "nothing" };

/**
 * Returns the strengths of models by name. Without a quality in the catalogue, a high and recent price stands
 * in for it: makers charge more for abler models, and less for the same ability each year. A model that one
 * provider gives away is as able as where it is paid for.
 */
export function strengthsOf(models: readonly Model[]): Map<string, Strength> {
  const texts = models.filter(writesText);
  const hints = new Map<string, number[]>();
  for (const model of texts) {
    const hint = hintOf(model);
    if (hint !== undefined) hints.set(kin(model), [...(hints.get(kin(model)) ?? []), hint]);
  }
  const typical = new Map([...hints].map(([name, values]) => [name, median(values)]));
  const sorted = [...typical.values()].sort((a, b) => a - b);
  return new Map(
    models.map((model) => {
      const hint = typical.get(kin(model));
      if (model.quality !== undefined) return [nameOf(model), { value: model.quality, from: "quality" }];
      if (hint === undefined || !writesText(model)) return [nameOf(model), UNKNOWN];
      return [nameOf(model), { value: rank(sorted, hint), from: "price and age" }];
    }),
  );
}

/** Returns the logarithm of a model's price, adjusted for its age to be comparable across release dates. */
function hintOf({ inputUsdPerMillion = 0, outputUsdPerMillion = 0, releasedAt }: Model): number | undefined {
  const price = inputUsdPerMillion + outputUsdPerMillion;
  if (price <= 0 || releasedAt === undefined) return undefined;
  const [year = 0, month = 7, day = 1] = releasedAt.split("-").map(Number);
  return Math.log(price) + Math.log(CHEAPER_A_YEAR) * (year + (month - 1) / 12 + day / 365);
}

/** Returns the name that a model has at all its providers. */
function kin({ id }: Model): string {
  return (id.split("/").at(-1) as string).toLowerCase();
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[sorted.length >> 1] as number;
}

/** Returns the share of values below the given one. */
function rank(sorted: readonly number[], value: number): number {
  const below = firstIndex(sorted, (each) => each >= value);
  return sorted.length > 1 ? below / (sorted.length - 1) : 0.5;
}
