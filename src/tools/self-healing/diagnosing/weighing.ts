import type { Category } from "../categories.ts";
import type { Candidate } from "./candidate.ts";
import { endsFailedStep } from "./outcome.ts";
import type { Reading } from "./reading.ts";

/** Categories of findings in sources. Which of them the plugin of Maven's goal implies says little. */
const STATIC = new Set<Category>(["compile_error", "type_error", "lint"]);
/** Categories that explain a failure, whatever the build was doing. */
const GRAVE = new Set<Category>(["disk_full", "out_of_memory"]);

/**
 * Adjusts the scores of candidates to their context. Later lines score higher, up to the end of the failed
 * step. Repeated lines score lower, symptoms most of all, and so do lines before a success of the build and
 * lines of another kind than Maven's failed goal.
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

/** Returns a key that is the same for lines that differ only in numbers. */
export function template(text: string): string {
  return text.slice(0, 160).replace(/\d+/g, "0");
}
