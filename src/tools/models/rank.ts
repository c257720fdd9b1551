import { can, type Model, nameOf } from "./catalogue/model.ts";
import type { Objective } from "./contract.ts";

/** A model that fits, with what it is ranked by. */
export interface Fitting {
  model: Model;
  /** In USD. An unknown cost ranks last wherever cost counts. */
  cost: number | undefined;
  /** Chance that it does the task; see `chanceOf`. */
  chance: number;
  /** Mean recorded latency. */
  latencyMs: number | undefined;
}

/** Ten times the price must buy 10^0.1 = 1.26 times the chance. */
const WORTH = 0.1;
/** Added to the cost of an attempt in USD, so that differences below a hundredth of a cent hardly count. */
const NOTHING = 1e-4;
/** Ten times the price presumably takes 10^0.2 = 1.58 times as long: abler models are dearer and slower. */
const SLOWER = 0.2;
/** How many times as long a model presumably takes that thinks before it answers. */
const THINKING = 3;

/** Ranks models, best first. Ties are broken by cost, then chance, then name, so that the order is deterministic. */
export function ranked(fitting: readonly Fitting[], objective: Objective): Fitting[] {
  const score = SCORES[objective](fitting);
  return fitting
    .map((each) => ({ each, score: score(each) }))
    .sort(
      (a, b) =>
        b.score - a.score ||
        costOf(a.each) - costOf(b.each) ||
        b.each.chance - a.each.chance ||
        (nameOf(a.each.model) < nameOf(b.each.model) ? -1 : 1),
    )
    .map(({ each }) => each);
}

type Score = (each: Fitting) => number;

const SCORES: Record<Objective, (fitting: readonly Fitting[]) => Score> = {
  quality: () => (each) => each.chance,
  // The expected cost of repeating the request until it succeeds. An attempt costs something even where it is free.
  cost: () => (each) => -((costOf(each) + NOTHING) / each.chance),
  balanced(fitting) {
    // What is given away counts as the cheapest that is paid for: else it would be infinitely better, however it fails.
    const [cheapest = 0] = paidCosts(fitting);
    const attempt = (each: Fitting) => Math.max(costOf(each), cheapest) + NOTHING;
    return (each) => Math.log(each.chance) - WORTH * Math.log(attempt(each));
  },
  speed(fitting) {
    const latency = latencies(fitting);
    return (each) => -latency(each) / each.chance;
  },
};

function costOf({ cost }: Fitting): number {
  return cost ?? Infinity;
}

/** Returns the costs above 0, in order. */
function paidCosts(fitting: readonly Fitting[]): number[] {
  return fitting.flatMap(({ cost }) => cost || []).sort((a, b) => a - b);
}

/**
 * Returns the latency of each model: the recorded one, or one presumed from its price and whether it thinks, on the
 * scale of those that are recorded.
 */
function latencies(fitting: readonly Fitting[]): Score {
  const usual = median(paidCosts(fitting)) ?? 0;
  // A price of 0, like an unknown one, says nothing about the size of a model.
  const effort = ({ model, cost }: Fitting) =>
    ((cost || usual) + NOTHING) ** SLOWER * (can(model, "reasoning") ? THINKING : 1);
  const known = fitting.flatMap((each) =>
    each.latencyMs === undefined ? [] : each.latencyMs / effort(each),
  );
  const scale = median(known.sort((a, b) => a - b)) ?? 1;
  return (each) => each.latencyMs ?? scale * effort(each);
}

function median(sorted: readonly number[]): number | undefined {
  return sorted[sorted.length >> 1];
}
