import type { Category } from "../categories.ts";
import { type Candidate, GRAVE, isOfTests, STATIC } from "./candidate.ts";
import { cleanLine } from "./clean-line.ts";
import type { LogLines } from "./log-lines.ts";
import { endsFailedStep } from "./outcome.ts";
import type { Reading } from "./reading.ts";
import { doubtFlaky } from "./test-reports.ts";

/**
 * A line of BuildKit's excerpt, which repeats the last lines of the failed step at the end of the log and may begin
 * in the middle of a message.
 */
const EXCERPT = /^(?:\S+Z )?\d{1,6}\.\d{3} /;
/** Deduction for such a line, if the log has it before. */
const COPIED = 15;
/** Deduction for a warning, and for the line that says that warnings count as errors. */
const WARNING = 40;

/** npm counts vulnerabilities at the end of each installation, which fails for none of them. */
const INSTALLED = /^(?:added|changed|removed|up to date)\b.{0,100} in \d/;
const FAR_FROM_INSTALLED = 10;

/**
 * Adjusts the scores of candidates to their context. Later lines score higher, up to the end of the failed
 * step. Failed tests are as late as the first of them, so that it does not depend on their number whether they or their
 * reason wins. Repeated lines score lower, symptoms most of all, but not the reason for which many tests fail: their
 * headings differ and would win. So do lines before a success of the build and lines of another category than Maven's failed
 * goal.
 */
export function weigh(reading: Reading): void {
  doubtFlaky(reading);
  const { lines, candidates, goal, succeeded, strict } = reading;
  if (strict !== undefined) countWarnings(candidates, strict);
  const times = repetitions(candidates);
  const firstTests = new Map<string, number>();
  const ended = candidates.findLast(
    ({ signature, text }) => signature.role === "exit" && endsFailedStep(text),
  );
  for (const candidate of candidates) {
    const { signature, index, text } = candidate;
    const { role, category } = signature;
    let told = index;
    if (isOfTests(candidate) && index > succeeded.build) {
      told = firstTests.get(signature.id) ?? index;
      firstTests.set(signature.id, told);
    }
    const late = told / lines.count;
    const repeated = Math.log2(times.get(template(text)) ?? 1);
    const reason = category === "test_failure" ? 0 : 0.5 * repeated;
    candidate.score += role === "cause" ? 10 * late - reason : 18 * late - 4 * repeated;
    if (ended && index > ended.index) candidate.score -= 20;
    if (index < succeeded.build) candidate.score -= 25;
    if (signature.id === "npm-audit" && followsInstallation(lines, index)) candidate.score -= WARNING;
    if (repeated > 0 && EXCERPT.test(lines.raw(index))) candidate.score -= COPIED;
    if (goal?.category && category && !agree(category, goal.category)) candidate.score -= 20;
  }
}

function followsInstallation(lines: LogLines, index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - FAR_FROM_INSTALLED); at--)
    if (INSTALLED.test(cleanLine(lines.raw(at)).text)) return true;
  return false;
}

/**
 * Where a tool counts warnings as errors, prefers them to its line that says so, which is at `strict`. Errors beside
 * them are preferred to both.
 */
function countWarnings(candidates: readonly Candidate[], strict: number): void {
  const severities = new Set(
    candidates.filter(({ index }) => index !== strict).map(({ diagnostic }) => diagnostic?.severity),
  );
  if (!severities.has("warning")) return;
  for (const each of candidates) {
    const isWarning = each.diagnostic?.severity === "warning";
    if (each.index === strict) each.plain -= WARNING;
    else if (isWarning && !severities.has("error")) each.plain += WARNING;
    each.score = each.plain;
  }
}

/** Whether two categories may be of one failure. Which of those in sources the plugin of a goal implies says little. */
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
