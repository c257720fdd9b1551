import { can, type Model, nameOf } from "./catalogue/model.ts";
import type { Objective } from "./contract.ts";

/** A model that fits, with what it is ranked by. */
export interface Fitting {
  model: Model;
  /** In USD; unknown: last where cost counts. */
  cost: number | undefined;
  /** That it does the task, with the benefit of the doubt. */
  chance: number;
  /** The same, from what was recorded alone. */
  reliability: number;
  /** Mean of what was recorded. */
  latencyMs: number | undefined;
}

/** Ten times the price must buy 10^0.1 = 1.26 times the chance. */
const WORTH = 0.1;
/** In USD: what is less than a hundredth of a cent apart is as good as equal. */
const NOTHING = 1e-4;

/** The best first. Equals by cost, then the better chance, then by name: the same data, the same order. */
export function ranked(fitting: readonly Fitting[], objective: Objective): Fitting[] {
  const usual = usualLatency(fitting);
  const score = (each: Fitting) => scoreOf(each, objective, usual);
  return fitting
    .map((each) => ({ each, score: score(each) }))
    .sort(
      (a, b) =>
        b.score - a.score ||
        (objective === "speed"
          ? Number(can(a.each.model, "reasoning")) - Number(can(b.each.model, "reasoning"))
          : 0) ||
        costOf(a.each) - costOf(b.each) ||
        b.each.chance - a.each.chance ||
        (nameOf(a.each.model) < nameOf(b.each.model) ? -1 : 1),
    )
    .map(({ each }) => each);
}

function scoreOf(
  { chance, reliability, cost, latencyMs }: Fitting,
  objective: Objective,
  usualLatency: number,
): number {
  switch (objective) {
    case "quality":
      return chance;
    case "cost":
      // Asked again until it is done, it costs so much on average.
      return cost === undefined ? -Infinity : -(cost / chance);
    case "balanced":
      return cost === undefined ? -Infinity : Math.log(chance) - WORTH * Math.log(cost + NOTHING);
    case "speed":
      return -(latencyMs ?? usualLatency) / reliability;
  }
}

function costOf({ cost }: Fitting): number {
  return cost ?? Infinity;
}

/** Of those that were timed the median: what is not known is neither praised nor blamed. */
function usualLatency(fitting: readonly Fitting[]): number {
  const known = fitting.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  return known[known.length >> 1] ?? 1;
}
