import type { Around } from "../diagnostics/diagnostic.ts";
import type { Candidate } from "./candidate.ts";
import { indentOf } from "./clean-line.ts";

/** Jest's heading of the output of a test. */
const JEST =
  /^\s{1,4}console\.(?:log|error|warn|info|debug|trace|dir|table|assert|group|count|time)(?: \S+:\d+)?$/;
/**
 * Vitest's heading: `raw` matches its beginning, which cleaning removes like a container's name, and `text`
 * the rest.
 */
const VITEST = {
  raw: /std(?:out|err)\b.{0,20}\| /,
  text: /^(?:\S+\.[cm]?[jt]sx?(?: > .*)?|unknown test)$/,
};
/** One pattern, to look for both at once. */
export const CAPTURED = new RegExp(`${JEST.source}|${VITEST.raw.source}`);

const MAX_LINES = 5000;
/** Deduction for output of a test, since one that passes may print any failure. */
const DOUBT = 45;

/** Whether a test's own output begins below a line. */
export function headsCaptured(raw: string, text: string): boolean {
  return JEST.test(text) || (VITEST.text.test(text) && VITEST.raw.test(raw));
}

/**
 * Lowers the score of candidates in the output of a test, which begins below `heading`. `candidates` are
 * those from the end of the log up to there.
 */
export function doubtCaptured(candidates: readonly Candidate[], heading: number, around: Around): void {
  const end = heading + lengthOf(around);
  for (let at = candidates.length - 1; at >= 0; at--) {
    const candidate = candidates[at] as Candidate;
    if (candidate.index >= end) return;
    candidate.plain -= DOUBT;
    candidate.score = candidate.plain;
  }
}

/**
 * Returns the number of lines of the heading and the output below it, up to the next heading. A log of
 * nothing else is thus read once.
 */
function lengthOf(around: Around): number {
  const heading = around(0) ?? "";
  const indent = indentOf(heading);
  const isEnd = JEST.test(heading)
    ? (text: string) => text.trim() !== "" && indentOf(text) <= indent
    : (text: string) => text.trim() === "" || VITEST.text.test(text) || /^\s*(?:FAIL\b|[❯✓×↓⎯])/.test(text);
  let at = 1;
  for (let text = around(at); text !== undefined && !isEnd(text) && at < MAX_LINES; text = around(at)) at++;
  return at;
}
