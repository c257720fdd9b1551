import { pathIn } from "../diagnostics/missing-path.ts";
import { type Candidate, isOfTests, STATIC } from "./candidate.ts";
import { isForeign } from "./own-file.ts";
import type { Reading } from "./reading.ts";
import { inFirstReport } from "./test-reports.ts";

/** Categories of what compilers, type checkers and linters say about a source. */
const OF_SOURCES = new Set(["compile_error", "type_error", "lint", "dependency_resolution", "missing_file"]);
/** Difference in score up to which a finding is as grave as another, whatever their signatures. */
const AS_GRAVE = 6;

/**
 * Returns the first of several findings of a compiler or linter in the user's own files, since the others often follow
 * from it. Of tests that failed in one run, and of findings with their places elsewhere, also returns the first. A file of
 * the build that is missing was not made for what the compiler said before. For anything else, keeps the best line,
 * which is the last that gives the reason.
 */
export function firstFinding(reading: Reading, heaviest: Candidate): Candidate {
  const best =
    whyNotMade(reading, heaviest) ??
    ownMissing(reading, heaviest) ??
    inFirstReport(reading, heaviest) ??
    heaviest;
  const { candidates, succeeded, directory } = reading;
  const isAlike = likenessTo(best);
  if (!isAlike) return best;
  const begin = succeeded.build < best.index ? succeeded.build : -1;
  const alike = candidates.filter(
    (each) => each.index > begin && each.plain >= best.plain - AS_GRAVE && isAlike(each),
  );
  return alike.find(({ diagnostic }) => !isForeign(diagnostic?.file ?? "", directory)) ?? alike[0] ?? best;
}

/** Returns what the candidates of the same run have in common with the best one, if it may be one of several. */
function likenessTo(best: Candidate): ((each: Candidate) => boolean) | undefined {
  const { id, ecosystem } = best.signature;
  if (isOfTests(best)) return ({ signature }) => signature.id === id;
  if (isOfSources(best))
    return (each) => each.index <= best.index && isOfSources(each) && each.signature.ecosystem === ecosystem;
  const { category = "" } = best.signature;
  // what is not found is listed in the order in which it is asked for
  if (category === "dependency_resolution")
    return (each) =>
      each.index <= best.index &&
      each.signature.id === id &&
      each.plain >= best.plain &&
      (isAnotherOfForm(each, best) || (each.diagnostic !== undefined && best.diagnostic === undefined));
  if (!isPlacedApart(best)) return undefined;
  if (STATIC.has(category))
    return (each) => isPlacedApart(each) && each.signature.category === category && each.plain >= best.plain;
  return (each) => each.signature.id === id && firstWord(each.text) === firstWord(best.text);
}

/** Whether a signature caught in a line what it caught in another: of the same form, but something else. */
function isAnotherOfForm({ caught }: Candidate, other: Candidate): boolean {
  const names = Object.keys(caught).filter((name) => caught[name] !== undefined);
  const ofOther = Object.keys(other.caught).filter((name) => other.caught[name] !== undefined);
  return names.join() === ofOther.join() && names.some((name) => caught[name] !== other.caught[name]);
}

/** Returns the word that a line begins with: tools begin all their findings with the same. */
function firstWord(text: string): string | undefined {
  return /\w+/.exec(text)?.[0];
}

/** Folders that builds write to. */
const BUILT = /(?:^|[\\/])(?:dist|build|out|target|_build)[\\/]/;
const OF_COMPILERS = new Set(["compile_error", "type_error"]);
/** Score below which a line is likely noise. */
const MIN_SCORE = 60;

/** Returns the error of a compiler for which the file was not made that the candidate calls missing, if there is one. */
function whyNotMade({ candidates, succeeded }: Reading, missing: Candidate): Candidate | undefined {
  const file = missing.caught.module ?? pathIn(missing);
  if (!file || !BUILT.test(file)) return undefined;
  return candidates.findLast(
    ({ index, signature, diagnostic, plain }) =>
      index > succeeded.build &&
      index < missing.index &&
      diagnostic !== undefined &&
      signature.role === "cause" &&
      OF_COMPILERS.has(signature.category ?? "") &&
      plain >= MIN_SCORE,
  );
}

/** Lines before a file that is missing elsewhere, in which the user's own may be named of which it was to be made. */
const NEAR = 10;

/** Returns the line shortly before that misses a file of the user's own, where the last one misses what came of it. */
function ownMissing({ candidates, directory }: Reading, missing: Candidate): Candidate | undefined {
  const isOwn = (file: string | undefined) => file !== undefined && !isForeign(file, directory);
  const file = pathIn(missing);
  if (file === undefined || isOwn(file)) return undefined;
  return candidates.findLast(
    (each) =>
      each.index < missing.index &&
      each.index >= missing.index - NEAR &&
      each.signature.id === missing.signature.id &&
      each.plain >= missing.plain &&
      isOwn(pathIn(each)),
  );
}

/** Whether a candidate is a finding in settings, or one whose place is on another line, after which its tool fails. */
function isPlacedApart({ signature, diagnostic }: Candidate): boolean {
  const { role, category = "", survivable } = signature;
  if (role !== "cause" || survivable === true) return false;
  return category === "configuration" || (diagnostic === undefined && STATIC.has(category));
}

function isOfSources({ signature, diagnostic }: Candidate): boolean {
  return (
    signature.role === "cause" && diagnostic?.line !== undefined && OF_SOURCES.has(signature.category ?? "")
  );
}
