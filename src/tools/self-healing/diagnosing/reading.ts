import type { Category } from "../categories.ts";
import { mayNamePlace } from "../diagnostics/diagnostic.ts";
import { type FileHeadings, fileHeadings } from "../diagnostics/file-headings.ts";
import { createPatternIndex } from "../patterns/pattern-index.ts";
import { SIGNATURES } from "../signatures/catalogue.ts";
import type { LineSignature } from "../signatures/signature.ts";
import { type Candidate, candidateOf } from "./candidate.ts";
import { CAPTURED, doubtCaptured, headsCaptured } from "./captured-output.ts";
import { cleanLine, ERROR_MARKS } from "./clean-line.ts";
import { describedFailure } from "./described-failure.ts";
import type { LogLines } from "./log-lines.ts";
import { categoryOfGoal, namesGoal } from "./maven-goal.ts";
import { isFrame } from "./negation.ts";
import { BUILD_SUCCEEDED, PART_SUCCEEDED, WARNINGS_ARE_ERRORS } from "./outcome.ts";

/** The result of one pass over a log. */
export interface Reading {
  lines: LogLines;
  headings: FileHeadings;
  /** The directory that the build ran in, if that is known. */
  directory?: string | undefined;
  /** In the order of the log. */
  candidates: Candidate[];
  /** The last line on which Maven names the goal that failed. */
  goal?: { index: number; category?: Category };
  /** The last lines that report that the whole build, or a part, succeeded; -1 if there are none. */
  succeeded: { build: number; part: number };
  /** The line that says that warnings count as errors, if there is one. */
  strict?: number;
}

/** Maximum number of candidates that are read, from the end of the log: enough to find the reason. */
const MAX_CANDIDATES = 20_000;

const SUCCESSES = [...BUILD_SUCCEEDED, ...PART_SUCCEEDED];
const INDEX = createPatternIndex([
  ...SIGNATURES.map(({ pattern }) => pattern),
  ...SUCCESSES,
  WARNINGS_ARE_ERRORS,
  ERROR_MARKS,
  CAPTURED,
]);
/** The number of `WARNINGS_ARE_ERRORS` in the index. */
const STRICT = SIGNATURES.length + SUCCESSES.length;

/** Reads a log from its end, since builds fail there and the last line that says so counts. */
export function readLog(lines: LogLines, directory?: string): Reading {
  const headings = fileHeadings((index) => textAt(lines, index));
  const reading: Reading = {
    ...{ lines, headings, directory, candidates: [] },
    succeeded: { build: -1, part: -1 },
  };
  for (let index = lines.count - 1; index >= 0 && reading.candidates.length < MAX_CANDIDATES; index--) {
    const possible = lines.possible(index, INDEX);
    if (possible.length > 0 || mayNamePlace(lines.raw(index))) readLine(reading, index, possible);
  }
  reading.candidates.reverse();
  return reading;
}

function readLine(reading: Reading, index: number, possible: readonly number[]): void {
  const { lines, succeeded } = reading;
  const line = cleanLine(lines.raw(index));
  if (line.level === "debug" || isFrame(line.text)) return;
  const signatures: LineSignature[] = [];
  for (const number of possible) {
    const signature = SIGNATURES[number];
    if (signature) signatures.push(signature);
    else if (number === STRICT) {
      if (WARNINGS_ARE_ERRORS.test(line.text)) reading.strict ??= index;
    } else if (SUCCESSES[number - SIGNATURES.length]?.test(line.text)) {
      const what = number - SIGNATURES.length < BUILD_SUCCEEDED.length ? "build" : "part";
      succeeded[what] = Math.max(succeeded[what], index);
    }
  }
  if (!reading.goal && namesGoal(line.text)) {
    const category = categoryOfGoal(line.text);
    reading.goal = { index, ...(category && { category }) };
  }
  const around = (offset: number) => textAt(lines, index + offset);
  if (headsCaptured(lines.raw(index), line.text)) {
    doubtCaptured(reading.candidates, index, around);
    return;
  }
  const candidate = candidateOf(index, line, signatures, around, reading.headings);
  if (candidate) reading.candidates.push(describedFailure(candidate, around, recognise) ?? candidate);
}

/** Returns the candidate that a text would be if it were all of a log. */
function recognise(text: string): Candidate | undefined {
  const signatures = INDEX.candidates(text, 0, text.length).flatMap((number) => SIGNATURES[number] ?? []);
  return candidateOf(0, { text }, signatures, () => undefined);
}

export function textAt(lines: LogLines, index: number): string | undefined {
  return index >= 0 && index < lines.count ? cleanLine(lines.raw(index)).text : undefined;
}
