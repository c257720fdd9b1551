import type { Suggestion } from "./contract.ts";
import type { Finding } from "./detecting/detector.ts";
import { duration, figure, rounded } from "./figures.ts";

/**
 * Suggests a setting by which the next finding of its kind is certainly reported, or no longer reported.
 * Returns null if there is none.
 */
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
  // No threshold separates a wider spread from usual values.
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
  // The threshold is half way between the usual bound and the value, so a value within the bounds has none.
  const isBeyond = side === "high" ? value > high : value < low;
  if (!isBeyond) return null;
  const bound = rounded((usual + value) / 2, apart / 4);
  return {
    action: "set_threshold",
    parameters: { metric, [side]: bound },
    effect: `Where "${metric}" goes ${words} ${bound}, that is always reported.`,
  };
}
