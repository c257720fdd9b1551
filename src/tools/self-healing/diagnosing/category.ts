import type { Category } from "../categories.ts";
import { categoryByWords } from "../category-by-words.ts";
import { RULE_APART } from "../diagnostics/formats.ts";
import { ANY } from "../failures/files.ts";
import type { Candidate } from "./candidate.ts";
import { type Reading, textAt } from "./reading.ts";
import { bestOf } from "./verdict.ts";

/**
 * Returns the category of a failure. Maven's failed goal determines it, unless the best line or the goal's
 * own line has a graver one.
 */
export function categoryOf(reading: Reading, best: Candidate, exitCode: number | undefined): Category {
  const { goal, candidates } = reading;
  const { category } = best.signature;
  if (goal?.category && best.index <= goal.index && !(category && ABOVE_GOAL.has(category))) {
    const onGoal = candidates.find(({ index }) => index === goal.index)?.signature.category;
    return onGoal && ABOVE_GOAL.has(onGoal) ? onGoal : goal.category;
  }
  if (category) return best.signature.id === MARK ? markedCategory(reading, best) : category;
  const rival = nearlyAsGood(candidates, best)?.signature.category;
  const byExit = categoryOfExit(exitCode ?? 0);
  return rival ?? (byExit === "unknown" ? spokenCategory(best) : undefined) ?? byExit;
}

/**
 * Id of the signature for a cross before a line: a failed test, a linter's finding, or anything else that a
 * tool did not get done.
 */
const MARK = "test-mark";
const OF_TESTS =
  /\b(?:tests?|passing|failing|passed|suites?|specs?|assert\w*|expect\w*)\b|^\s*[✓✔√✕✗✖×✘] .*\(\d+(?:\.\d+)? ?m?s\)/i;
const OF_LINTERS = /\b\d+ (?:problem|warning|violation|issue)s?\b|\blint/i;
const AROUND = 40;

function markedCategory({ lines }: Reading, { index, text }: Candidate): Category {
  if (RULE_APART.test(text)) return "lint";
  const around = Array.from({ length: 2 * AROUND + 1 }, (_, at) => textAt(lines, index - AROUND + at) ?? "");
  if (around.some((line) => OF_TESTS.test(line))) return "test_failure";
  return around.some((line) => OF_LINTERS.test(line)) ? "lint" : (categoryByWords(text) ?? "unknown");
}

const OF_ANY_TOOL = new Set(ANY.signatures?.map(({ id }) => id));

/** Returns the category that the words of a line suggest, if it is a symptom or a line that any tool may write. */
function spokenCategory({ signature: { id, role }, text }: Candidate): Category | undefined {
  return role === "symptom" || OF_ANY_TOOL.has(id) ? categoryByWords(text.trim()) : undefined;
}

/** Returns the category of an exit code, `unknown` if it means nothing by itself. */
export function categoryOfExit(exitCode: number): Category {
  return BY_EXIT_CODE[exitCode] ?? "unknown";
}

/** Meanings of exit codes to shells, `timeout` and the kernel. */
const BY_EXIT_CODE: Record<number, Category> = {
  124: "timeout",
  126: "permission",
  127: "missing_file",
  137: "out_of_memory",
  143: "infrastructure",
};
/** Categories that hold whatever goal of Maven failed. */
const ABOVE_GOAL = new Set<Category>(["disk_full", "out_of_memory", "network", "timeout"]);
const NEARLY = 30;

/** Returns the best line that names a category, if it scores nearly as high as the best of all. */
function nearlyAsGood(candidates: readonly Candidate[], best: Candidate): Candidate | undefined {
  const others = candidates.filter(
    ({ signature }) => signature.category !== undefined && !signature.survivable,
  );
  const next = bestOf(others);
  return next && next.score >= best.score - NEARLY ? next : undefined;
}

const [SURE, CERTAIN] = [0.55, 0.95];

/** Returns the confidence from 0 to 1: higher for a plain line, lower if another category is about as likely. */
export function confidenceOf({ candidates }: Reading, best: Candidate): number {
  const plain = Math.min(1, Math.max(0, (best.score - 30) / 70));
  const rival = bestOf(
    candidates.filter(
      ({ signature }) => signature.category !== undefined && signature.category !== best.signature.category,
    ),
  );
  const margin = rival ? Math.min(1, Math.max(0, (best.score - rival.score) / 30)) : 1;
  return Math.round(100 * plain * (SURE + (CERTAIN - SURE) * margin)) / 100;
}
