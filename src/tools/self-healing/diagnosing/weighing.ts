import type { Category } from "../categories.ts";
import type { Candidate } from "./candidate.ts";
import { endsFailedStep } from "./outcome.ts";
import type { Reading } from "./reading.ts";

/** What is found in sources: which of them a plugin of Maven calls it says little. */
const STATIC = new Set<Category>(["compile_error", "type_error", "lint"]);
/** Whatever the build was doing, these are why it could not. */
const GRAVE = new Set<Category>(["disk_full", "out_of_memory"]);

/**
 * Scores the candidates by where they stand in the log: later tells more than earlier, up to the end of
 * the failed step; what repeats tells less, a symptom most of all; what a later success left behind
 * little; what is of another kind than Maven's failed goal less.
 */
export function weigh({ lines, candidates, goal, succeeded }: Reading): void {
  const times = repetitions(candidates);
  const ended = candidates.findLast(
    ({ signature, text }) => signature.role === "exit" && endsFailedStep(text),
  );
  for (const candidate of candidates) {
    const { signature, index, text } = candidate;
    const { role, category } = signature;
    const late = index / lines.count;
    const repeated = Math.log2(times.get(template(text)) ?? 1);
    candidate.score += role === "cause" ? 10 * late - 0.5 * repeated : 18 * late - 4 * repeated;
    if (ended && index > ended.index) candidate.score -= 20;
    if (index < succeeded.build) candidate.score -= 25;
    if (goal?.category && category && !agree(category, goal.category)) candidate.score -= 20;
  }
}

function agree(found: Category, goal: Category): boolean {
  return found === goal || GRAVE.has(found) || (STATIC.has(found) && STATIC.has(goal));
}

function repetitions(candidates: readonly Candidate[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { text } of candidates) times.set(template(text), (times.get(template(text)) ?? 0) + 1);
  return times;
}

/** What lines have in common that differ in numbers alone. */
export function template(text: string): string {
  return text.slice(0, 160).replace(/\d+/g, "0");
}
