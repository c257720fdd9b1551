import {
  type Around,
  type Diagnostic,
  diagnosticOf,
  placeBelow,
  type Severity,
} from "../diagnostics/diagnostic.ts";
import type { FileHeadings } from "../diagnostics/file-headings.ts";
import { signatureOf } from "../diagnostics/finding-signature.ts";
import { ALONE } from "../diagnostics/place-formats.ts";
import type { LineSignature, Signature } from "../signatures/signature.ts";
import type { CleanLine } from "./clean-line.ts";
import {
  isAside,
  isBoilerplate,
  isCommand,
  isEmptyTalk,
  isPointer,
  isProperty,
  isQuoted,
  tellsOfNoFailure,
} from "./negation.ts";
import { isForeign } from "./own-file.ts";

/** A line that may be the reason why the build failed. */
export interface Candidate {
  /** 0-based. */
  index: number;
  text: string;
  signature: Signature;
  /** Values of the signature's named groups. */
  caught: Record<string, string | undefined>;
  /** The finding, if the line itself names a place in a file. */
  diagnostic?: Diagnostic;
  /** If its tool delimits the block: the index after its last line, and the remedy that the tool gives. */
  block?: { end: number; remedy?: string };
  /**
   * Score of the line by itself: about 100 if nothing speaks against it being the reason; below 60 it is
   * likely noise.
   */
  plain: number;
  /** The score in the context of the whole log. */
  score: number;
}

const HEADING =
  /^\s*(?:[✘✖X×▲] |TS\d{4,5} )?\[?(?<severity>error|warning)\]?(?! code: )(?:\[(?<code>[\w:-]+)\])?:? (?<message>\S.*)/i;

/** The end of a warning after which its tool stops: Grunt. */
const STOPS = /\bUse --force to continue\.?$/;
/** What Ant prints above the reason for which it stops, which it may call a warning. */
const STOPPED = /^BUILD FAILED$|: The following error occurred while executing this line:$/;

/** What a tool warns of behind its name, or at a place in no file: `strip: warning: …`, `<unknown>:1: Warning: …`. */
const WARNED = /^[^\s'"]{1,200}: [Ww]arning: /;

/** Categories that explain a failure whatever the build was doing, even if a tool calls the line a warning. */
export const GRAVE: ReadonlySet<string> = new Set(["disk_full", "out_of_memory"]);

/** Returns the candidate on a line, if there is one. `signatures` are those that may match, in their order. */
export function candidateOf(
  index: number,
  line: CleanLine,
  signatures: readonly LineSignature[],
  around: Around,
  headings?: FileHeadings,
): Candidate | undefined {
  const { text, level } = line;
  if (isEmptyTalk(text)) return undefined;
  const known = recognised(text, signatures);
  const diagnostic =
    diagnosticOf(text, around, {
      level: level === "debug" ? undefined : level,
      heading: () => headings?.above(index),
    }) ?? belowHeading(text, around);
  if (!known && !diagnostic) return errorOf(index, line);
  if (!known && diagnostic && isCallOfCmake(diagnostic)) return undefined;
  const { signature, caught } =
    diagnostic && (!known || isVague(known.signature, diagnostic))
      ? { signature: signatureOf(diagnostic), caught: {} }
      : (known as Recognised);
  const stops = STOPS.test(text) || STOPPED.test(around(-1) ?? "");
  const severity = stops
    ? "error"
    : (diagnostic?.severity ??
      level ??
      (signature.role === "symptom" && WARNED.test(text) ? "warning" : undefined));
  const named = signature.category !== "test_failure" && isNumberedTest(text, around) ? NAME : 0;
  const plain = signature.weight + doubts(line, signature, severity, diagnostic) - named;
  return { index, text, signature, caught, ...(diagnostic && { diagnostic }), plain, score: plain };
}

/** Whether a place is in CMake's stack, which names the command that is called there. */
function isCallOfCmake({ file, message }: Diagnostic): boolean {
  return /^\(\w+\)$/.test(message) && /(?:^|[\\/])CMakeLists\.txt$|\.cmake$/.test(file);
}

const ERROR: Signature = { id: "error-level", role: "symptom", weight: 50 };

/** Returns a candidate for a line that is an error only by its prefix. */
function errorOf(index: number, line: CleanLine): Candidate | undefined {
  const { text, level } = line;
  if (level !== "error" || text.trim() === "" || isBoilerplate(text)) return undefined;
  const plain = ERROR.weight + doubts(line, ERROR, level);
  return { index, text, signature: ERROR, caught: {}, plain, score: plain };
}

/** Heading of a finding in the form of Ruff and others, with the place on the next line. */
const CODE_HEADING =
  /^(?:(?<code>[A-Z]{1,6}\d{2,5}|[a-z][\w-]{2,60})(?::| \[\*\])?|[A-Z]\w{1,30}Error:) (?<message>[^\s-].*)/;
const ARROW_BELOW = /^\s*--> \S+:\d+:\d+:?$/;

/** Returns a finding in the form of rustc and others, with the place on a line below the heading. */
function belowHeading(text: string, around: Around): Diagnostic | undefined {
  const heading =
    HEADING.exec(text)?.groups ??
    (CODE_HEADING.test(text) && ARROW_BELOW.test(around(1) ?? "")
      ? CODE_HEADING.exec(text)?.groups
      : undefined);
  if (!heading) return undefined;
  const next = [1, 2, 3].find((offset) => HEADING.test(around(offset) ?? ""));
  const place =
    placeAbove(around) ?? ((next === undefined || placeBelow(around, next)) && placeBelow(around));
  if (!place) return undefined;
  const { severity = "error", code, message = "" } = heading;
  return { ...place, severity: severity.toLowerCase() as Severity, ...(code && { code }), message };
}

/** Returns the place of a finding that is written above its heading, as svelte-check does. */
function placeAbove(around: Around): Pick<Diagnostic, "file" | "line" | "column"> | undefined {
  const { file, line, column } = ALONE.exec(around(-1) ?? "")?.groups ?? {};
  if (file === undefined || column === undefined || ALONE.test(around(1) ?? "")) return undefined;
  return { file, line: Number(line), column: Number(column) };
}

/** Whether a tool that reads sources found it in one. */
export function isFinding({ diagnostic, signature }: Candidate): boolean {
  return diagnostic !== undefined && STATIC.has(signature.category ?? "");
}

/** Categories of what tools find in sources without running them. */
export const STATIC: ReadonlySet<string> = new Set(["compile_error", "type_error", "lint"]);

/** Categories of what only a run shows, which no finding in a source is. */
const OF_RUNS: ReadonlySet<string> = new Set(["network", "test_failure"]);

/** Categories in whose words a compiler's finding may be put: `near "end": syntax error`. */
const OF_OTHERS: ReadonlySet<string> = new Set(["compile_error", "configuration", "test_failure"]);

/**
 * Whether a signature says less than the finding itself, such as one for words of failure. That the network failed, or
 * a test, is no finding in the source that it was needed for.
 */
function isVague({ role, survivable, category }: Signature, finding: Diagnostic): boolean {
  const { column, compiler } = finding;
  if (compiler && (category === undefined || OF_OTHERS.has(category))) return true;
  return role !== "cause" || (survivable === true && column !== undefined && !OF_RUNS.has(category ?? ""));
}

type Recognised = Pick<Candidate, "signature" | "caught">;

/**
 * Returns the first signature that matches. A `network` one is preferred to `dependency_resolution`, since a
 * dependency that could not be fetched is a network failure. What a test is called says nothing of why it failed.
 */
function recognised(text: string, signatures: readonly LineSignature[]): Recognised | undefined {
  let first: (Recognised & { signature: LineSignature }) | undefined;
  for (const signature of signatures) {
    if (first && signature.category !== "network") continue;
    const match = signature.pattern.exec(text);
    if (!match) continue;
    first = { signature, caught: match.groups ?? {} };
    if (signature.category !== "dependency_resolution") break;
  }
  if (!first || first.signature.category === "test_failure") return first;
  for (const signature of signatures) {
    if (signature.category !== "test_failure") continue;
    const heading = { signature, caught: signature.pattern.exec(text)?.groups ?? {}, text };
    if (namesTest(heading) && !first.signature.pattern.test(text.replace(nameOf(heading) ?? "", "")))
      return heading;
  }
  return first;
}

/** Signatures of failed tests that belong to no ecosystem. */
const OF_TESTS = new Set(["assertion", "perl-test"]);

/**
 * Whether a candidate is a failed test of a language's runner or with its place, or an assertion. Benchmarks are left
 * out, since the last of them may be the decisive one.
 */
export function isOfTests({ signature: { id, category, ecosystem }, caught }: Recognised): boolean {
  return (
    category === "test_failure" && (ecosystem !== undefined || caught.line !== undefined || OF_TESTS.has(id))
  );
}

/** Whether a line names a test that failed, above what the test says. */
export function namesTest(line: Recognised & { text: string }): boolean {
  const { signature, text } = line;
  const test = nameOf(line);
  if (test === undefined || signature.role !== "cause" || !isOfTests(line)) return false;
  // Anything may have a cross before it; it is a test if its time follows, or where AVA says so.
  return signature.id !== "test-mark" || !text.endsWith(test) || /\[fail\]: /.test(text);
}

function nameOf({ caught }: Recognised): string | undefined {
  return caught.test ?? caught.test2 ?? (caught.spec && caught.message);
}

/** Deduction for the name of a test, which may hold any words. */
const NAME = 45;
/** The name of a failed test where they are numbered, and its continuation, which Mocha ends with a colon. */
const NUMBERED_TEST = /^\s{0,12}\d{1,5}\) (?!\w*(?:Error|Exception|Failure)\b)\S/;
const CONTINUED = /^\s{5,}\S/;

function isNumberedTest(text: string, around: Around): boolean {
  if (NUMBERED_TEST.test(text)) return true;
  if (!CONTINUED.test(text) || !text.endsWith(":")) return false;
  let offset = -1;
  while (offset > -5 && CONTINUED.test(around(offset) ?? "")) offset--;
  return NUMBERED_TEST.test(around(offset) ?? "");
}

/** Returns a correction of a line's weight, mostly negative, by what speaks against the line itself. */
function doubts(
  { text, level }: CleanLine,
  { role, weight, category }: Signature,
  severity: Severity | undefined | "debug",
  diagnostic?: Diagnostic,
): number {
  const strong = role === "cause" && weight >= 90;
  let doubt = 0;
  if (severity === "warning" && !GRAVE.has(category ?? "") && !(category === "lint" && weight >= 88))
    doubt -= 40;
  if (severity === "info" && !(level === "info" && weight >= 92)) doubt -= 30;
  if (level === "error") doubt += 2;
  // What a tool does not call an error, in a file that is not the project's, is seldom why it failed.
  if (!strong && diagnostic && severity === undefined && isForeign(diagnostic.file)) doubt -= 10;
  // What a tool calls an error at a place may advise in any words: "… marked as ignored", "as expected by …".
  const isPlacedError = diagnostic?.line !== undefined && severity === "error";
  if (!isPlacedError && tellsOfNoFailure(text)) doubt -= strong ? 30 : 45;
  else if (isCommand(text)) doubt -= 50;
  else if (isQuoted(text)) doubt -= strong ? 25 : 45;
  if (isAside(text) || (!strong && isPointer(text))) doubt -= 25;
  if (isProperty(text)) doubt -= 10;
  // An exception within what another line heads
  if (
    role === "cause" &&
    /^\s+(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)\b/.test(text) &&
    category === undefined
  )
    doubt -= 10;
  if (/^\s+(?:(?:Caused by|\d+): |\[cause\]:? )/.test(text)) doubt -= 15;
  return doubt;
}
