import { maskSecrets } from "../../../text/secrets/mask-secrets.ts";
import type { Ecosystem } from "../categories.ts";
import type { Finding } from "../diagnosis.ts";
import { goTestPlace } from "../diagnostics/go-test-place.ts";
import { pathIn } from "../diagnostics/missing-path.ts";
import type { Failure } from "../suggestions/advise.ts";
import { toolsIn } from "../suggestions/package-managers.ts";
import { bySentence, printedRemedies } from "../suggestions/printed.ts";
import type { Candidate } from "./candidate.ts";
import type { LogLines } from "./log-lines.ts";
import { isForeign } from "./own-file.ts";
import { type Reading, textAt } from "./reading.ts";
import { reportedTestFile } from "./test-reports.ts";

interface Known {
  cause: Finding;
  ecosystem: Ecosystem;
  command: string | undefined;
}

/** Returns what the suggestions for a failure depend on. */
export function failureOf(reading: Reading, best: Candidate, { cause, ecosystem, command }: Known): Failure {
  const sample = `${command ?? ""}\n${sampleOf(reading.lines, best.index)}`;
  const end = endOfBlock(reading, best);
  return {
    category: cause.category,
    ecosystem,
    signature: best.signature.id,
    origin: best.signature.ecosystem,
    values: {
      ...toolsIn(sample, ecosystem),
      ...valuesOf(reading, best, cause, ecosystem),
    },
    command,
    sample,
    printed: best.block?.remedy
      ? [bySentence(shown(best.block.remedy))]
      : printedRemedies((offset) => {
          const text = best.index + offset < end ? textAt(reading.lines, best.index + offset) : undefined;
          return text && maskSecrets(text).text;
        }),
  };
}

/** Returns a failure without any output. */
export function silentFailure(
  known: Pick<Failure, "category" | "ecosystem" | "signature" | "command">,
): Failure {
  return { ...known, values: {}, sample: known.command ?? "", printed: [] };
}

/** What bundlers write above a finding, and Vitest between the failures of a run. */
const HEADING = /^(?:(?:ERROR|WARNING) in \S|⎯{3})/;
/** Lines below the cause that may have a remedy. */
const REACH = 40;

/** Returns the index at which the next finding begins. */
function endOfBlock({ candidates, lines }: Reading, best: Candidate): number {
  for (let at = best.index + 1; at <= best.index + REACH; at++)
    if (HEADING.test(textAt(lines, at) ?? "")) return at;
  const { file, line } = best.diagnostic ?? {};
  const next = candidates.find(
    ({ index, signature, diagnostic }) =>
      index > best.index &&
      signature.role === "cause" &&
      diagnostic &&
      diagnostic.severity !== "info" &&
      !(diagnostic.file === file && diagnostic.line === line),
  );
  return next?.index ?? lines.count;
}

const OF_DOCKER = /(?:^|\/)Dockerfile[\w.-]*$|\.dockerfile$/;
const [BEGINNING, AROUND] = [60, 60];

/** Returns the beginning of the log and the lines around the cause. */
function sampleOf(lines: LogLines, index: number): string {
  const around = Array.from({ length: 2 * AROUND }, (_, offset) => index - AROUND + offset);
  return [...Array(BEGINNING).keys(), ...around].map((number) => textAt(lines, number) ?? "").join("\n");
}

const MAX_VALUE_LENGTH = 160;
/** What Node prints between an assertion and the difference: `+ actual - expected`. */
const LEGEND = /^\s*\W actual \W expected\b/;

/** Returns the values for names in suggestions: the signature's groups, and properties of the cause. */
function valuesOf(
  reading: Reading,
  candidate: Candidate,
  cause: Finding,
  ecosystem: Ecosystem,
): Record<string, string> {
  const { lines, directory } = reading;
  const { caught, diagnostic, text } = candidate;
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(caught)) {
    const key = name.replace(/\d+$/, "");
    if (value !== undefined && value.trim() !== "" && !Object.hasOwn(values, key))
      values[key] = shown(value.trim());
  }
  const { file, line, code = diagnostic?.code } = cause;
  const path = values.command ? undefined : pathIn(candidate);
  if (file) {
    values.file = file;
    // A missing file is no place to change, and a step that runs a program not the one where it is mended.
    const isStep = !diagnostic && OF_DOCKER.test(file) && candidate.signature.ecosystem !== "docker";
    if (file !== path && !isStep && !isForeign(file, directory))
      values.place = line === undefined ? file : `${file}:${line}`;
  }
  const testFile = testFileOf(reading, candidate, cause);
  if (testFile) values.testFile = testFile;
  const test = values.test ?? testAbove(reading, candidate);
  if (test) values.test = testName(test, ecosystem);
  // Whose the file is matters where it may not be used, and most of such files are the machine's own.
  if (path && (cause.category === "permission" || !isForeign(path, directory))) values.path = shown(path);
  const missing = values.module ?? values.path ?? (path || values.command ? undefined : file);
  if (missing) values.missing = missing.split(/[\\/]/).at(-1) as string;
  if (line) values.line = String(line);
  if (code) values.code = code;
  const message = reasonOf(reading, candidate) ?? (diagnostic?.message || text);
  const next = textAt(lines, candidate.index + 1) ?? "";
  const continues = message.endsWith(":") && next.trim() !== "" && !LEGEND.test(next);
  values.message ??= messageOf(continues ? continued(message, next) : message);
  if (!file || isForeign(file, directory)) values.unplaced = values.message;
  return values;
}

/** What a heading names: `'app-cart' is not a known element:`, `Unsatisfiable requirements for package Tax [d41b]:`. */
const NAMED = /['"`‘][^'"`’]+['"`’]|\[\w+\]|\w{6,} \w+ \w+ .* \w+ \w+ \w+/;
/** A step of a list, or an entry of a path. */
const ENTRY = /^\s*(?:\d{1,2}[.)] |[-*•] |\S*[\\/]?node_modules$)/;

/** Returns what a message that ends with a colon and the line below it say together. */
function continued(message: string, next: string): string {
  // a word alone says too little without what is listed
  if (ENTRY.test(next))
    return /\s/.test(message.trim()) ? message.replace(/:$/, "") : `${message} ${next.replace(ENTRY, "")}`;
  return NAMED.test(message) ? `${message} ${next.trim()}` : next;
}

/** Signatures of headings that name a test, or nothing, and have what it says on the line below, or below its place. */
const HEADS_REASON = new Set(["apache-syntax", "exunit", "phpunit", "rake-aborted"]);
const PLACE_ALONE = /^\s*\S+\.\w+:\d+$/;

/** Returns what a test that failed says, where the cause is only the heading that names it. */
function reasonOf({ lines }: Reading, { index, signature, caught }: Candidate): string | undefined {
  const around = (offset: number) => textAt(lines, index + offset);
  if (signature.id === "go-test") return goTestPlace(around, caught.test)?.message;
  if (!HEADS_REASON.has(signature.id)) return undefined;
  const said = around(PLACE_ALONE.test(around(1) ?? "") ? 2 : 1)?.trim();
  return said && /\w/.test(said) ? said : undefined;
}

/** Returns the test that the line above names: Go prints a panic below the name of its test. */
function testAbove({ candidates }: Reading, { index, signature }: Candidate): string | undefined {
  if (signature.id !== "go-panic") return undefined;
  return candidates.find((each) => each.index === index - 1)?.caught.test;
}

/** A file of tests, by its name or folder. */
const TEST_FILE =
  /[._-](?:test|spec|tests|specs|cy|e2e)\.\w+$|(?:^|[\\/])(?:__tests__|tests?|specs?|e2e)[\\/]/i;

/** Returns the file of the tests, where the place of the failure may be in the code that they test. */
function testFileOf(reading: Reading, candidate: Candidate, { file }: Finding): string | undefined {
  return file && TEST_FILE.test(file) ? file : reportedTestFile(reading, candidate);
}

/**
 * Returns the name of a test as runners take it on their command line: without its line and, for Surefire,
 * with `#` before the method.
 */
function testName(test: string, ecosystem: Ecosystem): string {
  const name = test.replace(/:\d+$/, "").replace(/^(\w+)\(([\w.$]+)\)$/, "$2.$1");
  return ecosystem === "maven" ? name.replace(/^((?:[a-z]\w*\.)*[A-Z][\w$]*)\.([a-z]\w*)$/, "$1#$2") : name;
}

/** Returns a message without the severity and code before it. */
function messageOf(text: string): string {
  return shown(text.trim().replace(/^(?:\W{0,3}\[?(?:error|fatal|E)\b\]?(?:\[\w+\])?(?: TS\d+)?:?\s+)/i, ""));
}

function shown(text: string): string {
  const { text: masked } = maskSecrets(text.slice(0, 2 * MAX_VALUE_LENGTH));
  return masked.length > MAX_VALUE_LENGTH ? `${masked.slice(0, MAX_VALUE_LENGTH - 1)}…` : masked;
}
