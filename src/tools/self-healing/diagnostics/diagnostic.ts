import { COMPILER_FORMATS } from "./compiler-formats.ts";
import {
  BLOCKS,
  FORMATS,
  PLACE_BELOW,
  PLACES_ABOVE,
  RULE_APART,
  UNDER_FILE,
  WITHOUT_LINE,
} from "./formats.ts";

export type Severity = "error" | "warning" | "info";

/** A finding of a tool in a file. */
export interface Diagnostic {
  file: string;
  /** From 1, as the tool prints it. */
  line?: number;
  column?: number;
  severity?: Severity;
  code?: string;
  message: string;
  /** Whether only linters report in this format. */
  lint?: boolean;
  /** Whether only compilers report in this format. */
  compiler?: boolean;
}

/** The method that an exception of Ruby comes from, between the place and what it says. */
const RUBY_METHOD = /^in [`'][^`'\n]*': (?=\S)/;
/** A host name, which with a port may look like a file and a line. */
const HOST =
  /^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|local|localhost|internal|test|cloud|app|invalid|example|tech|de|eu)$/i;
const CODE =
  /^(?:\[(?<bracketed>[A-Z]+\d+)\]|(?<plain>[A-Z]{1,5}\d{2,5})\b)|(?:\((?<last>[\w/@.-]+)\)|\[(?<square>[\w-]+)\])$/;

/** Every line that names a place in a file matches this somewhere. */
const PLACE =
  /[A-Za-z][:([]\d|\.\w{1,15}(?:[:([]\[?\d|: | {2,}\d| \(?\d{1,6}(?:: |[,)])|" ?,?\d|,\d{1,6}\||\|\d)|^\s{0,8}(?:[✖⚠] {1,4})?\d{1,6}:\d|[Ll]ine:? (?:= )?\d| \(\d{1,6}:\d|\b[A-Z]{1,6}\d{3,5}\b|\b[A-Z][a-z]\d{3}\]: |^unformatted: |^[EWIL]: +\d|^\s{1,3}:?\d{1,6}\s{2,}\S|^\s*\d+ \| (?:ERROR|WARNING) \|/;

const WITHOUT_PLACE = /^(?:[Ww]ould reformat|ERROR: |error: cannot format|error file=|warning file=)/;

/** Whether a raw line of the log may name a place in a file. Cheap. */
export function mayNamePlace(raw: string): boolean {
  return PLACE.test(raw);
}

/** Returns the text of a neighbouring line, `undefined` beyond the ends of the log. */
export type Around = (offset: number) => string | undefined;

interface Context {
  /** The severity that a prefix of the line names. */
  level?: Severity | undefined;
  /** Returns the file that a heading above the line names. */
  heading?: () => string | undefined;
}

/** Parses a finding. */
export function diagnosticOf(text: string, around: Around, context: Context = {}): Diagnostic | undefined {
  if (!PLACE.test(text) && !WITHOUT_PLACE.test(text)) return undefined;
  const { level } = context;
  const diagnostic = inFormat(text, around, context);
  if (!diagnostic) return undefined;
  const column = diagnostic.column ?? (diagnostic.line === undefined ? undefined : caretBelow(around));
  const named = level ?? (isUnderWarning(text, around) ? "warning" : undefined);
  return { ...(named && { severity: named }), ...diagnostic, ...(column && { column }) };
}

/** Parses what a compiler adds to a finding elsewhere: a note, or a place alone. An error or a warning is one of its own. */
export function referenceOf(text: string): Diagnostic | undefined {
  const found = diagnosticOf(text, () => undefined);
  return found?.severity === "error" || found?.severity === "warning" ? undefined : found;
}

/** Of Questa, the place of what it heads with the files that include it. */
const BELOW_OF_QUESTA = /^(?:# )?\*\* at /;
const OF_QUESTA = /^(?:# )?\*\* (?<severity>[A-Z]\w+)(?: \(suppressible\))?: /;

/** Whether a line is below a warning. Elixir and others name the place of a warning on an indented line below it. */
function isUnderWarning(text: string, around: Around): boolean {
  if (BELOW_OF_QUESTA.test(text)) {
    const heading = [-1, -2, -3, -4]
      .map((offset) => around(offset) ?? "")
      .find((each) => OF_QUESTA.test(each));
    return OF_QUESTA.exec(heading ?? "")?.groups?.severity === "Warning";
  }
  return /^\s/.test(text) && /^warning\b/i.test(around(-1) ?? "");
}

function inFormat(text: string, around: Around, { level, heading }: Context): Diagnostic | undefined {
  const above = PLACES_ABOVE.map((format) => format.exec(text)?.groups).find(
    (groups) => groups !== undefined,
  );
  const message = above && (around(1)?.trim() || around(2)?.trim());
  if (message) return diagnosticFrom({ ...above, message });
  for (const format of COMPILER_FORMATS) {
    const groups = format.exec(text)?.groups;
    if (groups && isFile(groups.file)) return { ...diagnosticFrom(groups), compiler: true };
  }
  for (const format of FORMATS) {
    const groups = format.exec(text)?.groups;
    // file:line:column with nothing after it belongs to the message above
    if (groups && isFile(groups.file) && !/^\d+:?$/.test(groups.message ?? "")) return diagnosticFrom(groups);
  }
  const under = UNDER_FILE.exec(text)?.groups;
  if (under) {
    const file = heading?.();
    const { line = under.line2 ?? under.line3, column = under.column2 ?? under.column3 } = under;
    const { message = under.message2 ?? under.message3 ?? "", mark = under.mark2 } = under;
    const code = RULE_APART.exec(message)?.groups?.code;
    return file ? diagnosticFrom({ ...under, file, line, column, message, mark, code }) : undefined;
  }
  const inBlock = ofBlock(text, around);
  if (inBlock) return { ...diagnosticFrom(inBlock), lint: true };
  const bare = level && WITHOUT_LINE.exec(text)?.groups;
  return bare ? diagnosticFrom(bare) : undefined;
}

/**
 * Lines above a finding that are searched for the heading of its block. The first findings of a block matter
 * most, and searching farther from each line of a long log takes seconds.
 */
const MAX_BLOCK_LENGTH = 12;

function ofBlock(text: string, around: Around): Groups | undefined {
  for (const { heading, finding } of BLOCKS) {
    const found = finding.exec(text)?.groups;
    if (!found) continue;
    for (let offset = -1; offset >= -MAX_BLOCK_LENGTH; offset--) {
      const above = around(offset);
      // An empty line ends a block, but for one that the heading quotes.
      if (above === undefined || (above.trim() === "" && !heading.test(around(offset - 1) ?? ""))) break;
      const place = heading.exec(above)?.groups;
      if (place) return { ...place, ...found };
    }
  }
  return undefined;
}

/** Returns the column that a marker under the quoted source points at: scalac, javac. */
function caretBelow(around: Around): number | undefined {
  for (let offset = 2; offset <= 6; offset++) {
    const text = around(offset);
    if (text === undefined) return undefined;
    if (/^\s*\^\s*$/.test(text))
      return /^\s*\d* ?\|/.test(around(offset - 1) ?? "") ? undefined : text.indexOf("^") + 1;
  }
  return undefined;
}

/** Returns the place of a finding if one of the lines below it names it. */
export function placeBelow(
  around: Around,
  reach = 6,
): Pick<Diagnostic, "file" | "line" | "column"> | undefined {
  for (let offset = 1; offset <= reach; offset++) {
    const text = around(offset);
    if (text === undefined || isInStack(around, offset)) return undefined;
    for (const format of PLACE_BELOW) {
      const groups = format.exec(text)?.groups;
      if (groups && isFile(groups.file)) return placeFrom(groups);
    }
  }
  return undefined;
}

/** Whether a line is one of several frames, which name calls rather than the place of a finding. Rust numbers the calls. */
function isInStack(around: Around, offset: number): boolean {
  const isFrame = (at: number) => /^\s+(?:at|\d+:) \S/.test(around(at) ?? "");
  return isFrame(offset) && (isFrame(offset - 1) || isFrame(offset + 1));
}

/** Whether what has the form of a place names a file, not a host. */
export function isFile(file: string | undefined): file is string {
  return file !== undefined && /[A-Za-z]/.test(file) && !HOST.test(file);
}

type Groups = Record<string, string | undefined>;

function placeFrom({ file = "", line, column }: Groups) {
  return { file, ...(line && { line: Number(line) }), ...(column && { column: Number(column) }) };
}

function diagnosticFrom(groups: Groups): Diagnostic {
  const message = (groups.message ?? "").trim().replace(RUBY_METHOD, "");
  const found = CODE.exec(message)?.groups;
  const code =
    (groups.code ?? groups.number)?.replace(/:$/, "") ??
    found?.bracketed ??
    found?.plain ??
    found?.last ??
    found?.square;
  const severity = severityOf(groups) ?? byWords(message);
  return {
    ...placeFrom(groups),
    ...(severity && { severity }),
    ...(code && { code }),
    message,
  };
}

/** GNAT's remarks on style, and what GCC says of a template before its finding in it. */
const REMARK = /^\(style\) |^(?:recursively )?required (?:from|by) /;

function byWords(message: string): Severity | undefined {
  if (/^\w*Warning: /.test(message)) return "warning";
  return REMARK.test(message) ? "info" : undefined;
}

function severityOf({ severity, mark, letter }: Groups): Severity | undefined {
  if (letter) return /[EFSU]/.test(letter) ? "error" : letter === "W" ? "warning" : "info";
  if (mark) return mark === "⚠" ? "warning" : mark === "ℹ" ? "info" : "error";
  const word = severity?.toLowerCase();
  if (!word) return undefined;
  if (/error|fatal|failure|panic/.test(word)) return "error";
  return word.startsWith("warn") ? "warning" : "info";
}
