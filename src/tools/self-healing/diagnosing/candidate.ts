import {
  type Around,
  type Diagnostic,
  diagnosticOf,
  placeBelow,
  type Severity,
} from "../diagnostics/diagnostic.ts";
import { kindByWords } from "../kind-by-words.ts";
import type { LineSignature, Signature } from "../signatures/signature.ts";
import type { CleanLine } from "./clean-line.ts";
import {
  isAside,
  isBoilerplate,
  isCommand,
  isPointer,
  isProperty,
  isQuoted,
  tellsOfNoFailure,
} from "./negation.ts";

/** A line that may tell why the build failed. */
export interface Candidate {
  /** 0-based. */
  index: number;
  text: string;
  signature: Signature;
  /** What the signature's named groups caught. */
  caught: Record<string, string | undefined>;
  /** Where the line itself names a place in a file. */
  diagnostic?: Diagnostic;
  /** Where its tool itself tells what belongs to it: the line behind the last, and what to do. */
  told?: { end: number; remedy?: string };
  /** How likely it tells the reason by itself: about 100 where nothing speaks against it, 60 where little does. */
  plain: number;
  /** The same, after what the rest of the log says. */
  score: number;
}

/** What no other signature knows, but names a place in a file as tools do. */
const FINDING: Signature = { id: "finding", role: "cause", category: "lint", weight: 84 };
/** A tool that does not call it an error may go on. */
const REMARK: Signature = { ...FINDING, survivable: true };

/** Of files that hardly anything but their compiler reads. */
const COMPILED =
  /\.(?:zig|proto|sol|nim|cr|mli?|hx|vhdl?|s?v|f\d\d|ad[bs]|pas|lpr|cls|sql|graphql|gql|thrift|erl|hrl|ll?|yy?|awk|vala|d)$/i;
const OF_SETTINGS =
  /\.(?:prisma|ini|cfg|conf|properties|service|env)$|(?:^|[\\/])(?:Cargo\.toml|go\.mod|Caddyfile|meson\.build|configure\.ac|Makefile\.am)$/;

/** Of a finding that no signature knows: a linter's bears a code, a compiler's speaks of what it cannot read. */
function signatureOf({ file, severity, code, message }: Diagnostic): Signature {
  const found = severity === "error" ? FINDING : REMARK;
  if (code !== undefined || severity === "warning" || severity === "info") return found;
  const spoken = kindByWords(message);
  if (OF_SETTINGS.test(file)) return { ...found, category: spoken ?? "configuration" };
  const category = spoken ?? (COMPILED.test(file) ? "compile_error" : undefined);
  return category ? { ...found, category } : found;
}

const HEADING =
  /^\s*(?:[✘✖X×▲] |TS\d{4,5} )?\[?(?<severity>error|warning)\]?(?! code: )(?:\[(?<code>[\w:-]+)\])?:? (?<message>\S.*)/i;

/** True also where a tool calls it a warning. */
const GRAVE = new Set(["disk_full", "out_of_memory"]);

/** `signatures`: those that may fit, in their order. */
export function candidateOf(
  index: number,
  line: CleanLine,
  signatures: readonly LineSignature[],
  around: Around,
): Candidate | undefined {
  const { text, level } = line;
  const known = recognised(text, signatures);
  const diagnostic =
    diagnosticOf(text, around, level === "debug" ? undefined : level) ?? belowHeading(text, around);
  if (!known && !diagnostic) return errorOf(index, line);
  const { signature, caught } =
    diagnostic && (!known || isVague(known.signature, diagnostic))
      ? { signature: signatureOf(diagnostic), caught: {} }
      : (known as Recognised);
  const plain = signature.weight + doubts(line, signature, diagnostic?.severity ?? level);
  return { index, text, signature, caught, ...(diagnostic && { diagnostic }), plain, score: plain };
}

const ERROR: Signature = { id: "error-level", role: "symptom", weight: 50 };

/** What is an error only by its prefix. */
function errorOf(index: number, line: CleanLine): Candidate | undefined {
  const { text, level } = line;
  if (level !== "error" || text.trim() === "" || isBoilerplate(text)) return undefined;
  const plain = ERROR.weight + doubts(line, ERROR, level);
  return { index, text, signature: ERROR, caught: {}, plain, score: plain };
}

/** Ruff's and others' heading of a finding: the next line says where it is. */
const CODE_HEADING =
  /^(?:(?<code>[A-Z]{1,6}\d{2,5}|[a-z][\w-]{2,60})(?::| \[\*\])?|[A-Z]\w{1,30}Error:) (?<message>[^\s-].*)/;
const ARROW_BELOW = /^\s*--> \S+:\d+:\d+:?$/;

/** Of rustc's and others' findings, whose place stands on a line below. */
function belowHeading(text: string, around: Around): Diagnostic | undefined {
  const heading =
    HEADING.exec(text)?.groups ??
    (CODE_HEADING.test(text) && ARROW_BELOW.test(around(1) ?? "")
      ? CODE_HEADING.exec(text)?.groups
      : undefined);
  const next = [1, 2, 3].find((offset) => HEADING.test(around(offset) ?? ""));
  const place = heading && (next === undefined || placeBelow(around, next)) && placeBelow(around);
  if (!place) return undefined;
  const { severity = "error", code, message = "" } = heading;
  return { ...place, severity: severity.toLowerCase() as Severity, ...(code && { code }), message };
}

/** Found in a source by a tool that reads sources. */
export function isFinding({ diagnostic, signature }: Candidate): boolean {
  return diagnostic !== undefined && STATIC.has(signature.category ?? "");
}

const STATIC = new Set(["compile_error", "type_error", "lint"]);

/** Words of failure in what a tool found in a file say nothing more of it. */
function isVague({ role, survivable }: Signature, { column }: Diagnostic): boolean {
  return role !== "cause" || (survivable === true && column !== undefined);
}

type Recognised = Pick<Candidate, "signature" | "caught">;

/** The first signature that matches; a dependency that could not be fetched is a trouble of the network. */
function recognised(text: string, signatures: readonly LineSignature[]): Recognised | undefined {
  let first: Recognised | undefined;
  for (const signature of signatures) {
    if (first && signature.category !== "network") continue;
    const match = signature.pattern.exec(text);
    if (!match) continue;
    first = { signature, caught: match.groups ?? {} };
    if (signature.category !== "dependency_resolution") return first;
  }
  return first;
}

/** What speaks against a line by itself. */
function doubts(
  { text, level }: CleanLine,
  { role, weight, category }: Signature,
  severity: string | undefined,
): number {
  const strong = role === "cause" && weight >= 90;
  let doubt = 0;
  if (severity === "warning" && !GRAVE.has(category ?? "") && !(category === "lint" && weight >= 88))
    doubt -= 40;
  if (severity === "info" && !(level === "info" && weight >= 92)) doubt -= 30;
  if (level === "error") doubt += 2;
  if (tellsOfNoFailure(text)) doubt -= strong ? 30 : 45;
  else if (isCommand(text)) doubt -= 50;
  else if (isQuoted(text)) doubt -= strong ? 25 : 45;
  if (isAside(text) || (!strong && isPointer(text))) doubt -= 25;
  if (isProperty(text)) doubt -= 10;
  if (/^\s+(?:Caused by|\d+): /.test(text)) doubt -= 15;
  return doubt;
}
