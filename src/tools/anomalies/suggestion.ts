import type { Suggestion } from "./contract.ts";
import type { Finding } from "./detecting/detector.ts";
import { duration, figure, rounded } from "./figures.ts";

/** What would keep the next one of its kind from being missed, or from being reported. */
export function suggestionFor(metric: string, value: number, finding: Finding): Suggestion | null {
  const { kind, expected, threshold, pause } = finding;
  if (pause && kind === "missing_data") {
    const maxGapMs = Math.ceil(pause.ms);
    return {
      action: "set_max_gap",
      parameters: { metric, maxGapMs },
      effect: `Pauses of "${metric}" are reported only if they are longer than ${duration(maxGapMs)}.`,
    };
  }
  // Neither threshold would tell it from what is usual.
  if (kind === "variance") return null;
  if (threshold !== undefined) {
    const [side, words] = value > threshold ? (["high", "above"] as const) : (["low", "below"] as const);
    return {
      action: "set_threshold",
      parameters: { metric, [side]: value },
      effect: `Where "${metric}" goes ${words} ${figure(value, Math.abs(value - threshold))}, that is always reported; up to there no longer.`,
    };
  }
  const { low, mid, high } = expected;
  const [side, words, usual] =
    value > mid ? (["high", "above", high] as const) : (["low", "below", low] as const);
  const apart = Math.abs(value - usual);
  // Half way between what is usual and what was found; nothing is half way within the usual.
  const isBeyond = side === "high" ? value > high : value < low;
  if (!isBeyond) return null;
  const bound = rounded((usual + value) / 2, apart / 4);
  return {
    action: "set_threshold",
    parameters: { metric, [side]: bound },
    effect: `Where "${metric}" goes ${words} ${bound}, that is always reported.`,
  };
}
