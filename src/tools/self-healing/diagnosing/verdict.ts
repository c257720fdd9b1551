import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Signature } from "../signatures/signature.ts";
import type { Candidate } from "./candidate.ts";
import { cleanLine } from "./clean-line.ts";
import { isPointer } from "./negation.ts";
import { type Reading, textAt } from "./reading.ts";

/** Score below which a line is likely noise. */
const MIN_SCORE = 60;
/** The same for a mere word of failure, which has to be near the end. */
const MIN_OF_SYMPTOM = 70;
/** Score that suffices if the exit code shows a failure: nearly any line will do. */
const MIN_AT_ALL = 25;

/**
 * Returns the line that best explains why the build failed, `undefined` for a build that did not. Without an
 * exit code, the log has to show a failure that no success follows.
 */
export function causeOf(reading: Reading, exitCode: number | undefined): Candidate | undefined {
  if (exitCode === 0) return undefined;
  const best = bestOf(reading.candidates);
  if (exitCode !== undefined) {
    if (!best || best.score < MIN_AT_ALL) return lastLine(reading, exitCode);
    return saidBefore(reading, best, exitCode);
  }
  if (!best) return undefined;
  const { build, part } = reading.succeeded;
  if (!tells(best)) {
    if (!isReport(reading) && !endsIn(reading, build)) return undefined;
    return saidBefore(reading, best, FAILED);
  }
  const told = reading.candidates.filter(tells);
  const firm = reading.candidates.findLast(isFirm)?.index ?? -1;
  if (firm < build) return undefined;
  const last = told.at(-1)?.index ?? -1;
  return firm < 0 && last < part ? undefined : saidBefore(reading, best, FAILED);
}

/** Returns what a program said last before the news that it ended, and any other candidate as it is. */
function saidBefore(reading: Reading, best: Candidate, exitCode: number): Candidate {
  return best.signature.role === "exit" ? (lastLine(reading, exitCode, best.index) ?? best) : best;
}

/** Whether a line reports that the step failed, with no success of the build after it. */
function endsIn({ candidates }: Reading, succeeded: number): boolean {
  return candidates.some(({ signature, index }) => signature.role === "exit" && index > succeeded);
}

/** What programs exit with that say no more than that they failed. */
const FAILED = 1;
/** Lines that a build service or Make itself writes between a program's last one and its own word of the end. */
const OF_SERVICE =
  /^\[Pipeline\]|^section_(?:start|end):|^##\[|^Cleaning up project directory|^(?:Running after_script|Executing ["'])|^Build step ["']|^g?make(?:\[\d+\])?: (?:Leaving directory|Target .* not remade|\*\*\* Waiting)/;

const LAST_LINE: Signature = { id: "last-line", role: "symptom", weight: MIN_AT_ALL };
/** Exit code by which shells report signal 11, about which the program itself prints nothing. */
const SEGMENTATION_FAULT = 139;
const CRASHED: Signature = { ...LAST_LINE, id: "crash-signal" };

/** Returns the signature of a failure that no line of the log reports. */
export function signatureOfExit(exitCode: number): Signature {
  return exitCode === SEGMENTATION_FAULT ? CRASHED : LAST_LINE;
}

/**
 * Returns the last line that a program printed before it failed, if none reports a failure. A build service that
 * says how the program ended does so at `end`.
 */
function lastLine(
  { lines, candidates }: Reading,
  exitCode: number,
  end = lines.count,
): Candidate | undefined {
  const signature = signatureOfExit(exitCode);
  const ends = new Set(candidates.filter((each) => each.signature.role === "exit").map(({ index }) => index));
  let said: Candidate | undefined;
  for (let index = end - 1; index >= 0; index--) {
    const { text, level } = cleanLine(lines.raw(index));
    if (level === "debug" && end < lines.count) return said;
    if (text.trim() === "" || OF_SERVICE.test(text) || ends.has(index)) continue;
    const candidate = { index, text, signature, caught: {}, plain: MIN_AT_ALL, score: MIN_AT_ALL };
    if (/\w/.test(text) && !isPointer(text)) return candidate;
    said ??= candidate;
  }
  return said;
}

/** Whether a line is likely to report a failure. What its tool calls less than an error does so only by itself. */
export function tells({ signature, score, plain, diagnostic }: Candidate): boolean {
  if (isLessThanError(diagnostic) && plain < MIN_SCORE) return false;
  return score >= (signature.role === "symptom" ? MIN_OF_SYMPTOM : MIN_SCORE);
}

/** Whether no program prints such a line and continues. */
function isFirm(candidate: Candidate): boolean {
  const { signature } = candidate;
  return signature.role === "exit" || (tells(candidate) && !signature.survivable);
}

/** Returns the candidate with the highest score, the last one among equals. */
export function bestOf(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const each of candidates) if (!best || each.score >= best.score) best = each;
  return best;
}

const MAX_REPORT_LENGTH = 5000;
/** The end of a warning of GCC and Clang, after which they continue. */
const COMPILER_WARNING = /\[-W[\w=+-]+\]$/;

function isLessThanError(diagnostic: Diagnostic | undefined): boolean {
  return diagnostic?.severity === "warning" || diagnostic?.severity === "info";
}

/** Sources in which even the linters that warn succeed. */
const OF_JVM = /\.(?:java|kt|scala)$/;

/**
 * Whether a finding is a warning of a tool that succeeds in spite of it: of most compilers. With a column it may be a
 * linter's, which may fail for it.
 */
function isSurvived({ diagnostic, signature }: Candidate): boolean {
  const { file = "", column, compiler, lint } = diagnostic ?? {};
  const isOfCompiler = compiler || column === undefined || OF_JVM.test(file) || signature.category !== "lint";
  return isLessThanError(diagnostic) && !lint && isOfCompiler;
}

/** Whether a log is mostly findings in files: the output of a linter, which reports its failure in no other way. */
function isReport({ lines, candidates, succeeded }: Reading): boolean {
  if (lines.count > MAX_REPORT_LENGTH || succeeded.build >= 0 || succeeded.part >= 0) return false;
  const findings = candidates.filter(({ diagnostic }) => diagnostic);
  if (findings.length === 0 || findings.some(({ text }) => COMPILER_WARNING.test(text))) return false;
  if (findings.every(isSurvived)) return false;
  const found = new Set(findings.map(({ index }) => index));
  let [withFinding, without, here, told] = [0, 0, 0, false];
  for (let index = 0; index <= lines.count; index++) {
    const text = textAt(lines, index)?.trim() ?? "";
    if (found.has(index)) told = true;
    if (text !== "") here++;
    else {
      if (told) withFinding += here;
      else without += here;
      [here, told] = [0, false];
    }
  }
  return withFinding > without;
}
