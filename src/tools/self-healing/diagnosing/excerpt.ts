import type { Signature } from "../signatures/signature.ts";
import type { Candidate } from "./candidate.ts";
import { type CleanLine, cleanLine, indentOf } from "./clean-line.ts";
import type { LogLines } from "./log-lines.ts";
import { isFrame } from "./negation.ts";
import type { Reading } from "./reading.ts";

/** Difference from the best score up to which lines still explain the failure. */
const WITHIN = 45;
const NEARLY = 15;
const NEAR = 30;
const MAX_LINES = 3000;
const MAX_CONTINUED = 60;
const MAX_BLANKS = 3;
const MAX_TRACEBACK = 400;

/** A line in the frame that Terraform draws around each of its messages. */
const FRAMED = /^│(?:\s|$)/;
const CHAINED =
  /^\s*(?:Caused(?: by)?: |Also: {2,}|Suppressed: |stdout:|stderr:|The above exception was|During handling of the above)/;

/** Returns the 0-based numbers of the lines that explain the failure, in order. */
export function excerptOf({ lines, candidates, goal, succeeded }: Reading, best: Candidate): number[] {
  const from = best.index > succeeded.build ? succeeded.build : 0;
  const chosen = new Set<number>();
  const choose = ({ index, signature, block }: Candidate) => {
    for (let at = beginOf(lines, index); at < index; at++) chosen.add(at);
    const end = block?.end ?? endOf(lines, index, signature);
    for (let at = index; at < end; at++) chosen.add(at);
  };
  choose(best);
  for (const candidate of candidates) {
    const { index, score, signature, text } = candidate;
    // A link of a chain that is chosen already ends where the chain does.
    if (chosen.has(index) && CHAINED.test(text)) continue;
    if (score < best.score - WITHIN || chosen.size >= MAX_LINES || signature.role === "exit") continue;
    if (index < from || !(chosen.has(index - 1) || explains(candidate, best, goal?.index))) continue;
    choose(candidate);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Whether a candidate explains the failure: it has the same category, scores nearly as high, or is close by. */
function explains(
  { index, score, signature }: Candidate,
  best: Candidate,
  goal: number | undefined,
): boolean {
  if (signature.category !== undefined && signature.category === best.signature.category) return true;
  if (score >= best.score - NEARLY) return true;
  return Math.abs(index - best.index) <= NEAR || (goal !== undefined && Math.abs(index - goal) <= 3);
}

/** Returns the line on which the traceback begins that this line ends. */
function beginOf(lines: LogLines, index: number): number {
  if (/^\s/.test(cleanLine(lines.raw(index)).text)) return index;
  for (let at = index - 1; at >= Math.max(0, index - MAX_TRACEBACK); at--) {
    const { text } = cleanLine(lines.raw(at));
    if (/^\s*(?:\+ )?(?:Exception Group )?Traceback \(most recent call last\)/.test(text)) return at;
    if (!/^\s/.test(text)) return index;
  }
  return index;
}

/**
 * Returns the index after the last line that belongs to this one: frames, causes, and more indented lines.
 * Reports of tests have a few blank lines in between.
 */
function endOf(lines: LogLines, index: number, { role, category }: Signature): number {
  const head = cleanLine(lines.raw(index));
  if (FRAMED.test(head.text)) return endOfFrame(lines, index);
  const limit = Math.min(lines.count, index + 1 + MAX_LINES);
  // A line that ends with a colon continues on the next one: `panicked at src/main.rs:4:22:`.
  let end = index + (role === "cause" && /:\s*$/.test(head.text) && index + 1 < lines.count ? 2 : 1);
  let blanks = category === "test_failure" ? MAX_BLANKS : 0;
  for (let at = end, indented = 0; at < limit; at++) {
    const line = cleanLine(lines.raw(at));
    if (line.text.trim() === "" && line.level === undefined) {
      if (at - end > 1) break;
      continue;
    }
    const skipped = at - end;
    if (isFrame(line.text) || CHAINED.test(line.text)) end = at + 1;
    else if (role !== "cause" || skipped > Math.min(1, blanks)) break;
    else if (isDeeper(line, head) && indented++ < MAX_CONTINUED) {
      blanks -= skipped;
      end = at + 1;
    } else break;
  }
  return end;
}

/** Returns the index after the last line with text in the frame around a line, which its tool draws. */
function endOfFrame(lines: LogLines, index: number): number {
  let end = index + 1;
  for (let at = end; at < Math.min(lines.count, index + MAX_CONTINUED); at++) {
    const { text } = cleanLine(lines.raw(at));
    if (!FRAMED.test(text)) break;
    if (/[^│\s]/.test(text)) end = at + 1;
  }
  return end;
}

function isDeeper(line: CleanLine, head: CleanLine): boolean {
  if (line.level === "info" || line.level === "debug" || line.level === "warning") return false;
  return indentOf(line.text) > indentOf(head.text);
}
