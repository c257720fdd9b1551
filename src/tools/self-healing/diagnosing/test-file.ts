import type { Candidate } from "./candidate.ts";
import type { Reading } from "./reading.ts";

/** Signatures of lines with which Jest and Vitest name the file whose tests they report below. */
const NAMES_TEST_FILE = new Set(["jest-fail-file", "vitest-fail"]);

/** Returns the file of tests whose report a line is in, if the runner names it above the report. */
export function reportedTestFile({ candidates }: Reading, { index }: Candidate): string | undefined {
  return candidates.findLast(
    (each) => each.index <= index && NAMES_TEST_FILE.has(each.signature.id) && each.caught.file,
  )?.caught.file;
}
