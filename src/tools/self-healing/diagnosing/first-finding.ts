import type { Candidate } from "./candidate.ts";
import { isForeign } from "./own-file.ts";
import type { Reading } from "./reading.ts";

/** What compilers, type checkers and linters say of a source. */
const OF_SOURCES = new Set(["compile_error", "type_error", "lint", "dependency_resolution", "missing_file"]);
/** A finding that is as grave, whatever signature knew it. */
const AS_GRAVE = 6;

/**
 * Where a compiler or linter reported several findings, the first in a file of the user's own: what follows
 * often comes from it. Of tests that failed in one run, the first too. Of anything else the last line that tells is the reason, which stays.
 */
export function firstFinding(reading: Reading, best: Candidate): Candidate {
  if (isOfTests(best)) return firstFailedTest(reading, best);
  if (!isOfSources(best)) return best;
  const { candidates, succeeded, directory } = reading;
  const begin = succeeded.build < best.index ? succeeded.build : -1;
  const findings = candidates.filter(
    (each) =>
      each.index > begin &&
      each.index <= best.index &&
      isOfSources(each) &&
      each.plain >= best.plain - AS_GRAVE &&
      each.signature.ecosystem === best.signature.ecosystem,
  );
  return (
    findings.find(({ diagnostic }) => !isForeign(diagnostic?.file ?? "", directory)) ?? findings[0] ?? best
  );
}

/** Runners of a language, and assertions in any; not benchmarks, the last of which may be the one that decides. */
function isOfTests({ signature: { id, category, ecosystem } }: Candidate): boolean {
  return category === "test_failure" && (ecosystem !== undefined || id === "assertion");
}

/** Of tests that failed in one run, which a runner tells in one form, the first. */
function firstFailedTest({ candidates, succeeded, directory }: Reading, best: Candidate): Candidate {
  const begin = succeeded.build < best.index ? succeeded.build : -1;
  const told = candidates.filter(
    ({ index, signature, plain }) =>
      index > begin && signature.id === best.signature.id && plain >= best.plain - AS_GRAVE,
  );
  return told.find(({ diagnostic }) => !isForeign(diagnostic?.file ?? "", directory)) ?? told[0] ?? best;
}

function isOfSources({ signature, diagnostic }: Candidate): boolean {
  return (
    signature.role === "cause" && diagnostic?.line !== undefined && OF_SOURCES.has(signature.category ?? "")
  );
}
