import type { Signature } from "../signatures/signature.ts";
import type { Candidate } from "./candidate.ts";
import { isPointer } from "./negation.ts";
import { type Reading, textAt } from "./reading.ts";

/** A line below this is as likely noise; a word of failure alone must stand near the end. */
const MIN_SCORE = 60;
const MIN_OF_SYMPTOM = 70;
/** Where the exit code says that it failed, nearly anything will do. */
const MIN_AT_ALL = 25;

/**
 * The line that tells best why the build failed, `undefined` of a build that did not. Without an exit
 * code the log has to show it: a failure that no success comes after.
 */
export function causeOf(reading: Reading, exitCode: number | undefined): Candidate | undefined {
  if (exitCode === 0) return undefined;
  const best = bestOf(reading.candidates);
  if (exitCode !== undefined) return best && best.score >= MIN_AT_ALL ? best : lastLine(reading, exitCode);
  if (!best) return undefined;
  const { build, part } = reading.succeeded;
  if (!tells(best)) return isReport(reading) || endsIn(reading, build) ? best : undefined;
  const told = reading.candidates.filter(tells);
  const firm = reading.candidates.findLast(isFirm)?.index ?? -1;
  if (firm < build) return undefined;
  const last = told.at(-1)?.index ?? -1;
  return firm < 0 && last < part ? undefined : best;
}

/** The step said that it failed, and nothing went well behind that. */
function endsIn({ candidates }: Reading, succeeded: number): boolean {
  return candidates.some(({ signature, index }) => signature.role === "exit" && index > succeeded);
}

const LAST_LINE: Signature = { id: "last-line", role: "symptom", weight: MIN_AT_ALL };
/** As shells tell signal 11, of which the program itself says nothing. */
const SEGMENTATION_FAULT = 139;
const CRASHED: Signature = { ...LAST_LINE, id: "crash-signal" };

/** Of a failure that no line of the log tells. */
export function signatureOfExit(exitCode: number): Signature {
  return exitCode === SEGMENTATION_FAULT ? CRASHED : LAST_LINE;
}

/** What a program said last before it failed, where nothing that it said sounds like it. */
function lastLine({ lines }: Reading, exitCode: number): Candidate | undefined {
  const signature = signatureOfExit(exitCode);
  let said: Candidate | undefined;
  for (let index = lines.count - 1; index >= 0; index--) {
    const text = textAt(lines, index) ?? "";
    if (text.trim() === "") continue;
    const candidate = { index, text, signature, caught: {}, plain: MIN_AT_ALL, score: MIN_AT_ALL };
    if (/\w/.test(text) && !isPointer(text)) return candidate;
    said ??= candidate;
  }
  return said;
}

function tells({ signature, score }: Candidate): boolean {
  return score >= (signature.role === "symptom" ? MIN_OF_SYMPTOM : MIN_SCORE);
}

/** No program prints it and goes on. */
function isFirm(candidate: Candidate): boolean {
  const { signature } = candidate;
  return signature.role === "exit" || (tells(candidate) && !signature.survivable);
}

/** The last of the highest. */
export function bestOf(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const each of candidates) if (!best || each.score >= best.score) best = each;
  return best;
}

const MAX_REPORT_LENGTH = 5000;
/** How GCC and Clang name what they warn of and then go on. */
const COMPILER_WARNING = /\[-W[\w=+-]+\]$/;

/** Nothing but findings in files: the output of a linter, which has no other way to say that it failed. */
function isReport({ lines, candidates, succeeded }: Reading): boolean {
  if (lines.count > MAX_REPORT_LENGTH || succeeded.build >= 0 || succeeded.part >= 0) return false;
  const findings = candidates.filter(({ diagnostic }) => diagnostic);
  if (findings.length === 0 || findings.some(({ text }) => COMPILER_WARNING.test(text))) return false;
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
