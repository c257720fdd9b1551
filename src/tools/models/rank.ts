import { can, type Model, nameOf } from "./catalogue/model.ts";
import type { Objective } from "./contract.ts";

/** A model that fits, with what it is ranked by. */
export interface Fitting {
  model: Model;
  /** In USD. An unknown cost ranks last wherever cost counts. */
  cost: number | undefined;
  /** Chance that it does the task; see `chanceOf`. */
  chance: number;
  /** The same from its record alone, regardless of strength and difficulty. */
  reliability: number;
  /** Mean recorded latency. */
  latencyMs: number | undefined;
}

/** Ten times the price must buy 10^0.1 = 1.26 times the chance. */
const WORTH = 0.1;
/** Added to costs in USD, so that differences below a hundredth of a cent hardly count. */
const NOTHING = 1e-4;

/** Ranks models, best first. Ties are broken by cost, then chance, then name, so that the order is deterministic. */
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
      // The expected cost of repeating the request until it succeeds.
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

/** Returns the median latency of the timed models, which is assumed for the others. */
function usualLatency(fitting: readonly Fitting[]): number {
  const known = fitting.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  return known[known.length >> 1] ?? 1;
}
