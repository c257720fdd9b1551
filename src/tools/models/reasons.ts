import { count } from "../../text/amounts.ts";
import { grouped } from "../../text/grouped.ts";
import { can, type Model } from "./catalogue/model.ts";
import type { Kind, Objective } from "./contract.ts";
import type { Load } from "./cost.ts";
import type { Asks } from "./difficulty/asks.ts";
import type { PromptReading } from "./difficulty/read-prompt.ts";
import { usd } from "./requirements.ts";
import type { Strength } from "./strength.ts";

/** A model as it appears in the answer. */
export interface Chosen extends Model {
  costUsd: number | null;
  recorded: { successes: number; failures: number; latencyMs?: number } | null;
}

/** The facts that the choice was based on. */
export interface Facts extends Load {
  kind: Kind;
  objective: Objective;
  needs: readonly string[];
  /** Number of models that fit. */
  fitting: number;
  prompt: PromptReading | undefined;
  /** Whether the input is so long that the task counts as harder. */
  isLong?: boolean;
  /** Whether the task has images and only its text was counted. */
  leavesOutImages?: boolean;
  /** The model that would have been chosen without recorded outcomes, if that is another. */
  insteadOf: string | undefined;
}

const AIMS: Record<Objective, string> = {
  quality: "Most likely to do the task",
  cost: "Costs least until the task is done",
  balanced: "The best balance of cost and the chance to do the task",
  speed: "Presumably the soonest to have the task done",
};

/** Explains a choice in words, including what is not known. */
export function reasonsFor(chosen: Chosen, strength: Strength | undefined, facts: Facts): string[] {
  return [
    `${AIMS[facts.objective]} among the ${facts.fitting} that fit${costPart(chosen)}.`,
    roomReason(chosen, facts),
    ...(facts.isLong ? ["So long an input counts as harder."] : []),
    ...(facts.leavesOutImages ? ["What images take is not known, and not in the estimate."] : []),
    ...(facts.prompt ? [difficultyReason(facts.prompt)] : []),
    recordReason(chosen, facts),
    ...qualityReasons(chosen, strength, facts),
  ];
}

function costPart({ costUsd }: Chosen): string {
  if (costUsd === null) return ", its price unknown";
  return costUsd === 0 ? ", at a price of 0" : `, at about ${usd(costUsd)} a request`;
}

function roomReason({ contextTokens }: Chosen, { inputTokens, outputTokens, needs }: Facts): string {
  const has = needs.length > 0 ? `Has ${needs.join(", ")}, and h` : "H";
  const room =
    contextTokens === undefined ? "an unknown context" : `${grouped(contextTokens)} tokens of context`;
  return `${has}olds ${count(inputTokens, "token")} of input and ${grouped(outputTokens)} of output in ${room}.`;
}

const ASKED: Record<Exclude<Asks, "unknown">, string> = {
  arithmetic: "an arithmetic problem",
  mathematics: "formal mathematics",
  code: "a program",
  choice: "a choice among options",
  reading: "an answer from a given text",
  transformation: "a given text in another form",
  question: "an answer",
};

function difficultyReason({ difficulty }: PromptReading): string {
  const { score, words, relations, asks, signs, basis } = difficulty;
  if (basis === "unknown")
    return "The prompt is unlike those that were measured, so its difficulty is taken to be that of its kind of task.";
  const how = score < 0.35 ? "easy" : score < 0.65 ? "moderately hard" : "hard";
  const related = relations === 0 ? "" : `, ${grouped(relations)} of them relating quantities`;
  const said = signs.length === 0 ? "" : `, among them “${signs.join("”, “")}”`;
  const presumed = basis === "presumed" ? "; nothing was measured on prompts like it" : "";
  const what = asks === "unknown" ? "" : `asks for ${ASKED[asks]} and `;
  return `The prompt ${what}reads as ${how} (${score.toFixed(2)}): ${count(words, "word")}${related}${said}${presumed}.`;
}

function recordReason({ recorded }: Chosen, { kind, insteadOf }: Facts): string {
  if (!recorded) {
    const moved = insteadOf === undefined ? "" : `; without what was recorded, ${insteadOf} would be chosen`;
    return `Nothing was recorded here of its ${kind} tasks${moved}.`;
  }
  const moved =
    insteadOf === undefined ? "" : ` What was recorded here speaks for it: without that, ${insteadOf}.`;
  const { successes, failures, latencyMs } = recorded;
  const time = latencyMs === undefined ? "" : `, in ${grouped(latencyMs)} ms on average`;
  return `Did ${successes} of ${successes + failures} recorded ${kind} tasks${time}.${moved}`;
}

function qualityReasons(chosen: Chosen, strength: Strength | undefined, { objective }: Facts): string[] {
  const reasons: string[] = [];
  if (strength?.from === "quality") reasons.push(`The catalogue gives it a quality of ${chosen.quality}.`);
  else if (strength?.from === "price and age")
    reasons.push("Its quality is not known; a high price and a late release stand in for it.");
  else reasons.push("Its quality is not known, and no price hints at it.");
  if (objective === "speed" && chosen.recorded?.latencyMs === undefined) {
    const thinks = can(chosen, "reasoning") ? "" : ", and it does not think before it answers";
    reasons.push(`Its speed is not known; the dearer a model is, the slower it is presumed to be${thinks}.`);
  }
  return reasons;
}
