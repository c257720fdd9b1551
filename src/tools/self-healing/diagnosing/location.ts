import { categoryByWords } from "../category-by-words.ts";
import { type Around, diagnosticOf, isFile, placeBelow, referenceOf } from "../diagnostics/diagnostic.ts";
import { goTestPlace } from "../diagnostics/go-test-place.ts";
import { pathIn } from "../diagnostics/missing-path.ts";
import {
  ALONE,
  ANYWHERE,
  BIOME,
  CLOJURE,
  CMAKE,
  CMAKE_CALLER,
  DOCKERFILE,
  FILE_ALONE,
  GRADLE_SCRIPT,
  IN_PARENTHESES,
  IN_TEXT,
  INCLUDED_FROM,
  LISTED,
  MIGRATION,
  MSBUILD_PROJECT,
  NPM_PATH,
  OCAML,
  ONLY_PLACE,
  PANICKED,
  PYTEST_FILE,
  PYTEST_FRAME,
  PYTHON_FRAME,
  RECIPE,
  SCENARIO,
  SCRIPT_FRAME,
  SETTINGS,
  TS_LOADER,
  WEBPACK,
} from "../diagnostics/place-formats.ts";
import { stackBelow, tracebackBelow } from "../diagnostics/stack-below.ts";
import { texPlace } from "../diagnostics/tex-place.ts";
import type { Candidate } from "./candidate.ts";
import { indentOf } from "./clean-line.ts";
import { isFrame } from "./negation.ts";
import { isForeign } from "./own-file.ts";
import { type Reading, textAt } from "./reading.ts";
import { reportedTestFile } from "./test-reports.ts";

/** A place in a source file, as the log names it. */
export interface Place {
  file: string;
  line?: number;
  column?: number;
}

/** Returns the place if it is in a file of the user's own. */
type Own = (place: Place | undefined) => Place | undefined;

const FARTHEST = 40;
/** Lines that are read of the report of one test. */
const MAX_REPORT_LINES = 400;
const NEAR = 12;
const NEARBY = 5;
const OF_TEX = new Set(["tex-error", "tex-file", "tex-ended"]);
/** Signatures of the headings of lists of files. */
const HEADINGS = new Set(["knip"]);
/** Categories of what a loader or parser finds, whose own line is no place to mend. */
const UNPLACED = new Set(["configuration", "dependency_resolution"]);
const HEADED = new Set(["compile_error", "type_error"]);
/** The side of a frame that a tool draws around what it says: PHPUnit's --testdox, Storybook. */
const FRAMED = /^\s*│ {1,2}(?=\S)/;
/** Lines of a Dockerfile that BuildKit quotes, and what is printed around them. */
const QUOTED_STEP = 25;

/**
 * Returns the place in a source that a line is about. A file of the user's own is taken from the line, the
 * lines below it or the stack around it; a library's only from the line itself.
 */
export function placeOf(reading: Reading, candidate: Candidate): Place | undefined {
  const { index, text, diagnostic, caught, signature } = candidate;
  const around = (offset: number) => textAt(reading.lines, index + offset)?.replace(FRAMED, "");
  const own: Own = (place) => (place && !isForeign(place.file, reading.directory) ? place : undefined);
  if (diagnostic) {
    const named = placeFrom({ ...diagnostic });
    return (
      own(named) ??
      own(placeFrom({ ...MSBUILD_PROJECT.exec(text)?.groups })) ??
      askedFor(around, own) ??
      inText(candidate, own) ??
      // the innermost frame may be a library's
      stackBelow(around, own, caught) ??
      (UNPLACED.has(signature.category ?? "") ? undefined : named)
    );
  }
  const caughtFile = caught.file ?? caught.file2;
  const line = caught.line ?? caught.line2;
  const named = caughtFile ? withLine(reading, placeFrom({ file: caughtFile, line })) : undefined;
  if (signature.category === "test_failure" && named && line === undefined)
    return stackBelow(around, own, caught) ?? frameOfTest(reading, candidate, own) ?? named;
  if (named && !(signature.category === "missing_file" && line === undefined))
    return own(named) ?? callerBelow(around, own) ?? named;
  const reach = signature.category === "test_failure" ? NEAR : undefined;
  return (
    (signature.id === "go-test" ? own(placeFrom({ ...goTestPlace(around, caught.test) })) : undefined) ??
    (OF_TEX.has(signature.id)
      ? placeFrom({ ...texPlace(around, (file) => !isForeign(file, reading.directory)) })
      : undefined) ??
    own(placeFrom({ ...(ONLY_PLACE.exec(text) ?? MSBUILD_PROJECT.exec(text))?.groups })) ??
    own(placeBelow(around, reach)) ??
    (HEADINGS.has(signature.id)
      ? own(placeFrom({ ...FILE_ALONE.exec(around(1) ?? "")?.groups }))
      : undefined) ??
    tracebackAbove(around, own) ??
    tracebackBelow(around, own) ??
    (signature.id === "syntax-error" ? aloneAbove(around, own) : undefined) ??
    stackBelow(around, own, caught) ??
    (signature.ecosystem === "docker" ? (dockerfile(around, -1) ?? dockerfile(around, 1)) : undefined) ??
    (signature.role === "exit" ? undefined : aloneAbove(around, own)) ??
    callerBelow(around, own) ??
    (signature.category === "test_failure" ? frameAbove(around, own) : undefined) ??
    own(placeFrom({ ...IN_PARENTHESES.exec(text)?.groups })) ??
    (signature.category === "test_failure" ? findingBelow(reading, index, own) : undefined) ??
    inText(candidate, own) ??
    own(placeFrom({ file: pathIn(candidate) })) ??
    nearby(candidate, around, own) ??
    dockerfile(around, 1) ??
    (signature.id === "test-time-limit"
      ? placeFrom({ file: reportedTestFile(reading, candidate) })
      : undefined)
  );
}

/**
 * Finds a place that is written in no known format: in the line itself, in more indented lines right below
 * it, or above the source that a compiler quotes.
 */
function nearby({ text, signature }: Candidate, around: Around, own: Own): Place | undefined {
  if (signature.category === "network" || signature.role === "exit") return undefined;
  const named = (line: string) => {
    const found = ANYWHERE.exec(line)?.groups;
    if (!found || !isFile(found.file)) return undefined;
    return own(placeFrom({ ...found, line: found.line ?? found.line2 ?? found.line3 }));
  };
  const here = named(text);
  if (here) return here;
  for (let offset = 1; offset <= NEARBY; offset++) {
    const line = around(offset);
    if (line === undefined || isFrame(line) || indentOf(line) <= indentOf(text)) break;
    const place = named(line);
    if (place) return place;
  }
  const headed = HEADED.has(signature.category ?? categoryByWords(text.trim()) ?? "");
  for (let offset = -1; headed && offset >= -NEARBY; offset--) {
    const line = around(offset);
    if (!line?.trim() || isFrame(line)) break;
    const place = named(line);
    if (place) return place;
  }
  return undefined;
}

/** Finds a place that the message itself names, other than what is missing. */
function inText({ text, signature }: Candidate, own: Own): Place | undefined {
  for (const format of IN_TEXT) {
    const found = format.exec(text)?.groups;
    const place =
      found &&
      own(placeFrom({ ...found, file: found.file ?? "Dockerfile", line: found.line ?? found.line2 }));
    if (place) return place;
  }
  const settings = signature.category === "configuration" ? SETTINGS.exec(text)?.groups : undefined;
  return own(placeFrom({ ...settings }));
}

/** Adds the last line number of the file that a tool names. */
function withLine({ candidates }: Reading, place: Place | undefined): Place | undefined {
  if (place === undefined || place.line !== undefined) return place;
  const named = candidates.findLast(
    ({ diagnostic }) => diagnostic?.file === place.file && diagnostic.line !== undefined,
  );
  return named?.diagnostic ? placeFrom({ ...named.diagnostic }) : place;
}

/** Finds the cause of a compiler's finding in a library: the user of a template, or the file that includes a header. */
function askedFor(around: Around, own: Own): Place | undefined {
  for (const [from, to, step] of [
    [-1, -FARTHEST, -1],
    [1, NEAR, 1],
  ] as const) {
    for (let offset = from; offset !== to; offset += step) {
      const text = around(offset);
      if (text === undefined || text.trim() === "") break;
      const place = own(placeFrom({ ...(INCLUDED_FROM.exec(text)?.groups ?? referenceOf(text)) }));
      if (place) return place;
    }
  }
  return undefined;
}

/** Finds the innermost frame of the project in a Python traceback, which is nearest above the exception. */
function tracebackAbove(around: Around, own: Own): Place | undefined {
  for (let offset = -1; offset >= -FARTHEST; offset--) {
    const text = around(offset);
    if (text === undefined || !/^\s|^Traceback|^File "|^(?:E|>)\s|^\S+\.py:\d|^file \S|^$/.test(text))
      return undefined;
    const frame = (PYTHON_FRAME.exec(text) ?? PYTEST_FRAME.exec(text) ?? PYTEST_FILE.exec(text))?.groups;
    const place = frame && own(placeFrom(frame));
    if (place) return place;
  }
  return undefined;
}

/** Finds the innermost frame of the project in pytest's report of a test that the summary names. */
function frameOfTest(
  { lines, candidates }: Reading,
  { index, caught }: Candidate,
  own: Own,
): Place | undefined {
  // A test of a class has a dot before its name above a report, and two colons in the summary.
  const test = caught.test?.replaceAll("::", ".");
  const heading = candidates.findLast(
    (each) => each.index < index && each.signature.id === "pytest-heading" && each.caught.test === test,
  );
  let place: Place | undefined;
  for (
    let at = (heading?.index ?? index) + 1;
    at < Math.min(index, (heading?.index ?? 0) + MAX_REPORT_LINES);
    at++
  ) {
    const text = textAt(lines, at) ?? "";
    if (/^(?:_{3,}|={3,}) /.test(text)) break;
    place = own(placeFrom({ ...PYTEST_FRAME.exec(text)?.groups })) ?? place;
  }
  return place;
}

/** Finds the frame above, since Bun and cmocka name the test below the place of its failure. */
function frameAbove(around: Around, own: Own): Place | undefined {
  const above = around(-1) ?? "";
  return own(placeFrom({ ...(SCRIPT_FRAME.exec(above)?.groups ?? diagnosticOf(above, () => undefined)) }));
}

/** Finds the line of a Dockerfile whose step failed, which BuildKit names between what the step wrote and the error. */
function dockerfile(around: Around, step: 1 | -1): Place | undefined {
  for (let far = 1; far <= QUOTED_STEP; far++) {
    const place = DOCKERFILE.exec(around(step * far) ?? "")?.groups;
    if (place) return placeFrom(place);
  }
  return undefined;
}

function aloneAbove(around: Around, own: Own): Place | undefined {
  for (let offset = -1; offset >= -6; offset--) {
    const text = around(offset)?.trim();
    if (text === undefined) return undefined;
    const place = (
      CMAKE.exec(text) ??
      WEBPACK.exec(text) ??
      TS_LOADER.exec(text) ??
      NPM_PATH.exec(text) ??
      ALONE.exec(text) ??
      OCAML.exec(text) ??
      LISTED.exec(text) ??
      SCENARIO.exec(text) ??
      GRADLE_SCRIPT.exec(text) ??
      CLOJURE.exec(text) ??
      BIOME.exec(text) ??
      MIGRATION.exec(text) ??
      PANICKED.exec(text) ??
      (offset >= -2 ? FILE_ALONE.exec(text) : null)
    )?.groups;
    const found = own(placeFrom({ ...place }));
    if (found) return found;
  }
  return undefined;
}

/** Finds the caller of what CMake reports, or of a command that Make did not find. */
function callerBelow(around: Around, own: Own): Place | undefined {
  for (let offset = 1; offset <= NEAR; offset++) {
    const text = around(offset) ?? "";
    const place = own(placeFrom({ ...(CMAKE_CALLER.exec(text) ?? RECIPE.exec(text))?.groups }));
    if (place) return place;
  }
  return undefined;
}

function findingBelow({ lines, headings }: Reading, index: number, own: Own): Place | undefined {
  for (let at = index + 1; at <= index + NEAR; at++) {
    const text = textAt(lines, at);
    if (text === undefined) return undefined;
    const around = (offset: number) => textAt(lines, at + offset);
    const found = diagnosticOf(text, around, { heading: () => headings.above(at) });
    const place = found?.line === undefined ? undefined : own(placeFrom({ ...found }));
    if (place) return place;
  }
  return undefined;
}

function placeFrom({ file, line, column }: Record<string, unknown>): Place | undefined {
  if (typeof file !== "string" || file === "") return undefined;
  return { file, ...(line ? { line: Number(line) } : {}), ...(column ? { column: Number(column) } : {}) };
}
