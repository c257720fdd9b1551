import { type Candidate, GRAVE, namesTest } from "./candidate.ts";
import { type Reading, textAt } from "./reading.ts";
import { bestOf, tells } from "./verdict.ts";

/** Signatures of lines with which Jest and Vitest name the file whose tests they report below. */
const NAMES_TEST_FILE = new Set(["jest-fail-file", "vitest-fail"]);

/** Returns the file of tests whose report a line is in, if the runner names it above the report. */
export function reportedTestFile({ candidates }: Reading, { index }: Candidate): string | undefined {
  return candidates.findLast(
    (each) => each.index <= index && NAMES_TEST_FILE.has(each.signature.id) && each.caught.file,
  )?.caught.file;
}

/** Maximum number of lines of the report of one failed test. */
const MAX_LINES = 200;
/** The heading of a report where they are numbered: Mocha, RSpec, Jasmine and others. */
const NUMBERED = /^(?<indent>\s{0,4})(?<number>\d{1,5})\) \S/;

/** The lines of a report: those from its heading on, up to the next heading. */
interface Report {
  begin: number;
  end: number;
}

/**
 * Returns the reason of the first failed test of a run, if the best line is in the report of another one: that a
 * test took too long, or threw something, weighs no more than what an earlier one says. Where memory or disk is
 * full, that is the reason, whichever test says it.
 */
export function inFirstReport(reading: Reading, best: Candidate): Candidate | undefined {
  const { category = "" } = best.signature;
  const first = GRAVE.has(category) ? undefined : (firstNamed(reading, best) ?? firstNumbered(reading, best));
  if (!first) return undefined;
  const { begin, end } = first;
  const told = reading.candidates.filter(({ index }) => index >= begin && index < end);
  const reason = bestOf(told.filter(tells));
  const { category: kind = "test_failure" } = reason?.signature ?? {};
  return reason && { ...reason, signature: { ...reason.signature, category: kind } };
}

/** Returns the first report of a run whose headings are known, if the best line is in another one. */
function firstNamed({ candidates, succeeded }: Reading, best: Candidate): Report | undefined {
  const own = candidates.findLast(
    (each) => each.index < best.index && each.index >= best.index - MAX_LINES && namesTest(each),
  );
  if (!own || isCounted(candidates, own.index, best.index)) return undefined;
  const of = [own, best].flatMap(({ signature: { ecosystem } }) => ecosystem ?? []);
  const begin = succeeded.build < best.index ? succeeded.build : -1;
  const [first, second] = candidates.filter(
    (each) => each.index > begin && each.signature.id === own.signature.id && namesTest(each),
  );
  if (!first || !second || first === own || of[0] !== of.at(-1)) return undefined;
  return { begin: first.index, end: second.index };
}

/** Whether a runner counts the failures between two lines, and the second is thus in no report. */
function isCounted(candidates: readonly Candidate[], from: number, to: number): boolean {
  return candidates.some(
    ({ index, signature }) => index > from && index < to && signature.role === "wrapper",
  );
}

/** The same for a run that numbers its reports. */
function firstNumbered({ lines, candidates }: Reading, best: Candidate): Report | undefined {
  let report: (Report & { indent: string; number: number }) | undefined;
  for (let at = best.index; at > (report?.begin ?? best.index) - MAX_LINES && report?.number !== 1; at--) {
    const text = textAt(lines, at);
    if (text === undefined) return undefined;
    const { indent = "", number } = NUMBERED.exec(text)?.groups ?? {};
    if (number === undefined) continue;
    if (report && !(indent === report.indent && Number(number) === report.number - 1)) continue;
    if (!report && isCounted(candidates, at, best.index)) return undefined;
    report = { begin: at, end: report?.begin ?? -1, indent, number: Number(number) };
  }
  return report?.number === 1 && report.end > 0 ? report : undefined;
}

/** Deduction for what a test says that passed when it was tried again. */
const TRIED_AGAIN = 45;
const FLAKY = /^\s{2}[1-9]\d* flaky$/;
const LISTED = /^\s{4}(?<test>\S.*? › .*?)(?: ─+)?$/;

/**
 * Lowers the score of what tests say that failed and then passed, which Playwright lists at its end: the run
 * succeeded in spite of them, or failed for another test.
 */
export function doubtFlaky({ lines, candidates }: Reading): void {
  const end = candidates.findLast(({ text }) => FLAKY.test(text))?.index;
  if (end === undefined) return;
  const flaky: string[] = [];
  for (
    let at = end + 1, test = listed(lines, at);
    test && flaky.length < MAX_LINES;
    test = listed(lines, ++at)
  )
    flaky.push(test);
  const isFlaky = (text: string) => flaky.some((test) => text.includes(test));
  let [index, isInReport] = [0, false];
  for (const candidate of candidates) {
    for (; index <= Math.min(candidate.index, end); index++) {
      const text = textAt(lines, index) ?? "";
      if (index === end) isInReport = false;
      else if (NUMBERED.test(text)) isInReport = isFlaky(text);
    }
    if (!isInReport && !isFlaky(candidate.text)) continue;
    candidate.plain -= TRIED_AGAIN;
    candidate.score = candidate.plain;
  }
}

function listed(lines: Reading["lines"], index: number): string | undefined {
  return LISTED.exec(textAt(lines, index) ?? "")?.groups?.test;
}
