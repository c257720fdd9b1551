import { Problem } from "../../contract/problem.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { can, type Model, nameOf } from "./catalogue/model.ts";
import type { Constraints, Kind, Objective, Task } from "./contract.ts";
import { costOf } from "./cost.ts";
import type { PromptReading } from "./difficulty/read-prompt.ts";
import type { OutcomesDocument } from "./documents.ts";
import { loadOf } from "./load.ts";
import { type Fitting, ranked } from "./rank.ts";
import { reasonsFor } from "./reasons.ts";
import { choiceIn, type Fault, faultsIn, isOfChoice } from "./requirements.ts";
import type { Strength } from "./strength.ts";
import { chanceOf } from "./success.ts";
import { recordOf, type Tally } from "./tally.ts";
import { unknownNames } from "./unknown-names.ts";

export interface Request {
  task: Task;
  constraints: Constraints;
  objective: Objective;
}

/** What a selection depends on besides the request. */
export interface Knowledge {
  catalogue: Catalogue;
  strengths: ReadonlyMap<string, Strength>;
  /** The project's recorded outcomes, by the model's name. */
  outcomes: ReadonlyMap<string, OutcomesDocument>;
  prompt: PromptReading | undefined;
  /** In milliseconds since the epoch: what was recorded long ago counts less. */
  now: number;
}

const MAX_ALTERNATIVES = 5;
const MAX_REJECTED = 100;

/**
 * Presumed difficulty of each kind of task. It counts half if there is a prompt, whose own difficulty is the
 * other half.
 */
const USUAL_DIFFICULTY: Record<Kind, number> = {
  chat: 0.3,
  extraction: 0.3,
  embedding: 0.3,
  summarization: 0.4,
  vision: 0.4,
  code: 0.5,
  reasoning: 0.6,
};
/** Input tokens that any model attends to. */
const SHORT_INPUT = 10_000;
/** How much harder any task is for ten times as much input: what is far apart is missed, by weaker models most. */
const OF_LONG_INPUT = 0.15;
/** Strength that a model without reasoning loses for reasoning tasks. */
const UNTHINKING = 0.2;

/** Selects the model for a task. Pure. Throws `Problem` `unprocessable` if no model fits. */
export function select({ task, constraints, objective }: Request, knowledge: Knowledge) {
  const { catalogue, prompt } = knowledge;
  const { presumed, ...load } = loadOf(task, prompt?.tokens);
  const checked = catalogue.models.map((model) => ({
    model,
    faults: faultsIn(model, task, constraints, load),
  }));
  const priceOf = ({ model }: Miss) => costOf(model, load) ?? Number.MAX_VALUE;
  const misses = checked
    .filter(({ faults }) => faults.length > 0)
    .sort((a, b) => missOf(a) - missOf(b) || priceOf(a) - priceOf(b));
  const fits = checked.flatMap(({ model, faults }) => (faults.length === 0 ? [model] : []));
  const unknown = unknownNames(constraints, catalogue.models);
  if (fits.length === 0) throw nothingFits(misses, constraints, unknown);

  const usual = USUAL_DIFFICULTY[task.kind];
  // The difficulty of an unclassified prompt means little, so the usual one is used.
  const read = prompt?.difficulty.basis === "unknown" ? usual : (prompt?.difficulty.score ?? usual);
  const difficulty = (usual + read) / 2 + lengthDifficulty(load.inputTokens);
  const fittingBy = (outcomes: Knowledge["outcomes"]) =>
    fits.map((model): Fitting => {
      const byKind = outcomes.get(nameOf(model))?.byKind ?? {};
      const record = recordOf(byKind, task.kind, knowledge.now);
      const unthinking = task.kind === "reasoning" && !can(model, "reasoning") ? UNTHINKING : 0;
      const strength = (knowledge.strengths.get(nameOf(model))?.value ?? 0) - unthinking;
      return {
        model,
        cost: costOf(model, load),
        chance: chanceOf(strength, difficulty, record),
        latencyMs: byKind[task.kind]?.latencyMs,
      };
    });
  const order = ranked(fittingBy(knowledge.outcomes), objective);
  const [best] = order as [Fitting];
  const [untaught] = ranked(fittingBy(new Map()), objective) as [Fitting];
  const shown = (each: Fitting) => ({
    ...each.model,
    costUsd: each.cost ?? null,
    recorded: shownTally(knowledge.outcomes.get(nameOf(each.model))?.byKind[task.kind]),
  });
  const selected = shown(best);
  const facts = {
    ...load,
    objective,
    kind: task.kind,
    needs: task.needs ?? [],
    fitting: order.length,
    prompt,
    isLong: load.inputTokens > SHORT_INPUT,
    leavesOutImages: task.kind === "vision" && task.inputTokens === undefined,
    insteadOf: untaught.model === best.model ? undefined : nameOf(untaught.model),
  };
  return {
    selected,
    estimate: {
      inputTokens: load.inputTokens,
      outputTokens: load.outputTokens,
      costUsd: selected.costUsd,
      presumed,
    },
    difficulty: prompt?.difficulty ?? null,
    reasons: [...reasonsFor(selected, knowledge.strengths.get(nameOf(best.model)), facts), ...unknown],
    alternatives: order.slice(1, 1 + MAX_ALTERNATIVES).map(shown),
    rejected: misses.slice(0, MAX_REJECTED).map(({ model: { id, provider }, faults: [first] }) => ({
      id,
      provider,
      reason: (first as Fault).reason,
    })),
    counts: { considered: catalogue.models.length, fitting: fits.length },
    catalogueDate: catalogue.date,
  };
}

function lengthDifficulty(inputTokens: number): number {
  return OF_LONG_INPUT * Math.max(0, Math.log10(inputTokens / SHORT_INPUT));
}

export function shownTally(tally: Tally | undefined) {
  if (!tally || tally.recorded === 0) return null;
  const { succeeded, recorded, latencyMs } = tally;
  return {
    successes: succeeded,
    failures: recorded - succeeded,
    ...(latencyMs !== undefined && { latencyMs: Math.round(latencyMs) }),
  };
}

interface Miss {
  model: Model;
  faults: Fault[];
}

function missOf({ faults }: Miss): number {
  return faults.reduce((sum, { by }) => sum + 1 + by, 0);
}

function nothingFits(misses: readonly Miss[], constraints: Constraints, unknown: readonly string[]): Problem {
  if (misses.length === 0) return new Problem("unprocessable", "The catalogue holds no model.");
  const none = `None of ${misses.length} models`;
  // One that the caller ruled out is no near miss.
  const nearest = misses.find(({ faults }) => !faults.some(isOfChoice));
  if (!nearest) {
    const lists = choiceIn(constraints);
    const errors = lists.map((path) => ({ path, message: `leaves none of ${misses.length} models` }));
    return new Problem("unprocessable", [...unknown, `${none} is left by ${lists.join(", ")}.`].join(" "), {
      errors,
    });
  }
  const { model, faults } = nearest;
  const reasons = faults.map(({ reason }) => reason).join("; ");
  const detail = [...unknown, `${none} fits. The nearest is ${nameOf(model)}: ${reasons}.`].join(" ");
  const errors = faults.flatMap(({ path, reason }) =>
    path === undefined ? [] : [{ path, message: `${nameOf(model)}: ${reason}` }],
  );
  return new Problem("unprocessable", detail, { errors });
}
