import type { Around } from "../diagnostics/diagnostic.ts";
import type { Candidate } from "./candidate.ts";

/** How Jest heads what a test printed. */
const JEST =
  /^\s{1,4}console\.(?:log|error|warn|info|debug|trace|dir|table|assert|group|count|time)(?: \S+:\d+)?$/;
/** How Vitest does; what a container's name would be before any other line is taken off. */
const VITEST = {
  raw: /std(?:out|err)\b.{0,20}\| /,
  text: /^(?:\S+\.[cm]?[jt]sx?(?: > .*)?|unknown test)$/,
};
/** One pattern, to look for both at once. */
export const CAPTURED = new RegExp(`${JEST.source}|${VITEST.raw.source}`);

const MAX_LINES = 5000;
/** A test that passes may print any failure. */
const DOUBT = 45;

/** Whether a test's own output begins below a line. */
export function headsCaptured(raw: string, text: string): boolean {
  return JEST.test(text) || (VITEST.text.test(text) && VITEST.raw.test(raw));
}

/** Doubts what a test printed, which begins below `heading`. `candidates`: from the end of the log up to there. */
export function doubtCaptured(candidates: readonly Candidate[], heading: number, around: Around): void {
  const end = heading + lengthOf(around);
  for (let at = candidates.length - 1; at >= 0; at--) {
    const candidate = candidates[at] as Candidate;
    if (candidate.index >= end) return;
    candidate.plain -= DOUBT;
    candidate.score = candidate.plain;
  }
}

/** Of the heading and what stands below it, up to the next heading: a log of nothing else is read once. */
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

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
