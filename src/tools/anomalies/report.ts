import type { Severity } from "./contract.ts";
import type { Finding } from "./detecting/detector.ts";
import type { AnomalyDocument } from "./documents.ts";
import { duration, figure } from "./figures.ts";
import type { Kind } from "./kind.ts";
import { suggestionFor } from "./suggestion.ts";

/** Describes a finding in figures and in words. */
export function reportOf(
  metric: string,
  value: number,
  finding: Finding,
): Pick<AnomalyDocument, "expected" | "score" | "severity" | "kind" | "explanation" | "suggestion"> {
  const { kind, strangeness, expected } = finding;
  return {
    expected,
    score: strangeness / (1 + strangeness),
    severity: severityOf(strangeness),
    kind,
    explanation: explanationOf(metric, value, finding),
    suggestion: suggestionFor(metric, value, finding),
  };
}

function severityOf(strangeness: number): Severity {
  if (strangeness >= 4) return "critical";
  if (strangeness >= 2) return "high";
  return strangeness >= 1 ? "medium" : "low";
}

const MEANING: Record<Exclude<Kind, "missing_data">, string> = {
  spike: "It stands out from what came before.",
  drop: "It falls out of what came before.",
  level_shift: "With it the last 8 points all lie on that side: the level has shifted.",
  trend: "The metric has been moving that way point by point, to where it had not been.",
  variance: "It is one of several on both sides of that: the values spread wider than before.",
};

const WITHIN =
  "Such values came before, but not here: those just before it, or at its time of day, were otherwise.";

const AGAIN = "The like was reported before and went away; it is back.";

function explanationOf(metric: string, value: number, finding: Finding): string {
  const { kind, expected, before, threshold, pause } = finding;
  if (kind === "missing_data") return pause ? missing(metric, pause) : "";
  const { low, mid, high } = expected;
  const shown = (number: number) => figure(number, Math.max(high - low, Math.abs(value - mid)));
  if (threshold !== undefined) {
    const side = value > threshold ? "above" : "below";
    const scale = Math.abs(value - threshold);
    return `"${metric}" was ${figure(value, scale)}, ${side} the threshold of ${figure(threshold, scale)} that was set.`;
  }
  const bounds =
    low === high
      ? `the ${before} points before were nearly all ${shown(low)}`
      : `98 of 100 of the ${before} points before were between ${shown(low)} and ${shown(high)}`;
  if (finding.departure) return otherwise(metric, finding.departure);
  if (finding.stillness) return still(metric, value, finding.stillness);
  if (finding.again) return `"${metric}" was ${shown(value)}; ${bounds}. ${AGAIN}`;
  const isWithin = (kind === "spike" || kind === "drop") && value >= low && value <= high;
  return `"${metric}" was ${shown(value)}; ${bounds}. ${isWithin ? WITHIN : MEANING[kind]}`;
}

function still(
  metric: string,
  value: number,
  { points, longest }: NonNullable<Finding["stillness"]>,
): string {
  return `"${metric}" has been ${figure(value, 0)} for ${points} points without a change; before, it never stayed the same for more than ${longest}.`;
}

function otherwise(metric: string, { mean, usual, alone }: NonNullable<Finding["departure"]>): string {
  const shown = (number: number) => figure(number, Math.abs(mean - usual));
  if (alone)
    return `"${metric}" was ${shown(mean)}; about ${shown(usual)} is usual at that time of the week by now.`;
  return `"${metric}" was ${shown(mean)} on average in the hour before, and otherwise than in the weeks before for some hours: about ${shown(usual)} is usual in that hour of the week.`;
}

function missing(metric: string, { ms, usualMs, allowedMs }: NonNullable<Finding["pause"]>): string {
  const otherwise =
    allowedMs === undefined
      ? `usually one comes every ${duration(usualMs)}`
      : `the longest pause that was set is ${duration(allowedMs)}`;
  return `No value of "${metric}" came for ${duration(ms)}; ${otherwise}.`;
}
