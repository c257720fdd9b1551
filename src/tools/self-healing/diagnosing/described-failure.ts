import type { Around } from "../diagnostics/diagnostic.ts";
import type { Candidate } from "./candidate.ts";

const MAX_LINES = 40;

/** What a tool prints below a heading that says only that it failed. */
interface Description extends Section {
  remedy?: string;
  /** That it is a candidate itself where a signature knows it. */
  unlessKnown?: true;
}

/** Readers of descriptions, by the id of the heading's signature. Offsets are those from the heading. */
const READERS: Readonly<Record<string, (around: Around) => Description | undefined>> = {
  "spring-failed-to-start": ofSpring,
  "symfony-console": ofSymfony,
  "jasmine-message": ofLineBelow,
  "jest-suite": ofLineBelow,
  "redis-config": ofParagraph,
  "cmake-source": ofNameBelow,
  "terraform-providers": ofFrame,
  "minitest-heading": ofError,
  "gradle-task": ofInnermost,
  "gradle-cause": ofInnermost,
  "plain-error": ofCount,
  "pip-conflict": ofSolver,
  "opam-report": ofOpam,
  "linker-undefined": ofSymbol,
  "ecj-error": ofMarked,
  "javac-error": ofMarked,
};

/**
 * Replaces a heading by the description below it. Returns `undefined` if the candidate is no such heading.
 *
 * @param recognise returns the candidate that a text would be on a line of its own
 */
export function describedFailure(
  heading: Candidate,
  around: Around,
  recognise: (text: string) => Candidate | undefined,
): Candidate | undefined {
  const description = READERS[heading.signature.id]?.((offset) =>
    offset === 0 ? heading.text : around(offset),
  );
  if (!description) return undefined;
  const { begin, end, text, remedy, unlessKnown } = description;
  const known = recognise(text);
  if (unlessKnown && known?.signature.category) return undefined;
  const isCause = known?.signature.role === "cause" && known.signature.category !== undefined;
  const own = known && (isCause || heading.signature.role === "symptom") ? known : heading;
  const { survivable, ...certain } = own.signature;
  const signature = heading.signature.role === "symptom" ? own.signature : certain;
  return {
    ...own,
    ...(heading.diagnostic && { diagnostic: { ...heading.diagnostic, message: text } }),
    index: heading.index + begin,
    text,
    signature,
    plain: heading.plain,
    score: heading.score,
    block: { end: heading.index + end, ...(remedy && { remedy }) },
  };
}

/** Spring Boot: under a banner, "Description" is the reason why it did not start, and "Action" the remedy. */
function ofSpring(around: Around): Description | undefined {
  const description = sectionUnder("Description:", around, 1, "Action:");
  const action = description && sectionUnder("Action:", around, description.end);
  return description && action ? { ...description, end: action.end, remedy: action.text } : description;
}

/**
 * Symfony's console, with which Composer and Artisan are made: a box of blanks, between empty lines, into which the
 * message is broken at its width, in the middle of words.
 */
function ofSymfony(around: Around): Description | undefined {
  let begin = 1;
  while (around(begin)?.trim() === "" && begin < MAX_LINES) begin++;
  const width = around(begin)?.length;
  let [end, text] = [begin, ""];
  for (let line = around(end); line?.trim() && line.length === width && end < MAX_LINES; line = around(end)) {
    text += line.slice(2).replace(/ {2}$/, "");
    end++;
  }
  return text === "" ? undefined : { begin, end, text: text.replace(/\s+/g, " ").trim() };
}

/** Jasmine, Jest: the first line below that says something; a stack, or the source, may follow. */
function ofLineBelow(around: Around): Description | undefined {
  const begin = around(1)?.trim() === "" ? 2 : 1;
  const text = around(begin)?.trim();
  return text ? { begin, end: begin + 1, text } : undefined;
}

/** CMake: the file that it does not find, below a blank line. */
function ofNameBelow(around: Around): Description | undefined {
  const below = ofLineBelow(around);
  return below && { begin: 0, end: below.end, text: `${around(0)?.trim()} ${below.text}` };
}

/** Apple's linker: the first symbol, below the architecture. */
function ofSymbol(around: Around): Description | undefined {
  return around(0)?.endsWith(":") && /", referenced from:$/.test(around(1) ?? "")
    ? ofNameBelow(around)
    : undefined;
}

/** Eclipse's compiler: below the place, the source, and a marker under it. */
function ofMarked(around: Around): Description | undefined {
  if (!/(?:\(at line \d+\)|\.\w+:\[[\d,]+\])\s*$/.test(around(0) ?? "")) return undefined;
  for (let begin = 2; begin < MAX_LINES; begin++) {
    const text = around(begin)?.trim();
    if (text === undefined || /^-{10}$/.test(text)) return undefined;
    if (text && /^\s*\^+$/.test(around(begin - 1) ?? "")) return { begin, end: begin + 1, text };
  }
  return undefined;
}

/** Any program: "Error:" alone, above what it says. Of Minitest, the name of the test follows, and stays below it. */
function ofError(around: Around): Description | undefined {
  const below = ofLineBelow(around);
  return below && !/#\w/.test(below.text) ? { ...below, text: `Error: ${below.text}` } : undefined;
}

/** Gradle: below a task or its worker, the innermost reason, which each line indents further. */
function ofInnermost(around: Around): Description | undefined {
  const heading = /^(?:(\s*)> A failure occurred while executing |Execution failed for task )/.exec(
    around(0) ?? "",
  );
  if (!heading) return undefined;
  let begin = 0;
  let indent = heading[1]?.length ?? -1;
  for (let found = REASON.exec(around(1) ?? ""); found; found = REASON.exec(around(begin + 1) ?? "")) {
    if ((found[1] as string).length <= indent) break;
    indent = (found[1] as string).length;
    begin++;
  }
  const text = REASON.exec(around(begin) ?? "")?.[2];
  return begin === 0 || text === undefined ? undefined : { begin, end: begin + 1, text, unlessKnown: true };
}

const REASON = /^(\s*)> (\S.*)/;

/** Poetry: the name of an exception alone, above what the solver found. */
function ofSolver(around: Around): Description | undefined {
  if (around(0)?.trim() !== "SolverProblemError" || around(1)?.trim() !== "") return undefined;
  const found = ofParagraph((offset) => around(offset + 1));
  return found && { ...found, begin: 2, end: found.end + 1 };
}

/** opam: what a command wrote, below what opam knows of it: the first error, or the last line. */
function ofOpam(around: Around): Description | undefined {
  let [wrote, begin] = [false, 0];
  for (let offset = 1; offset < MAX_LINES; offset++) {
    const line = around(offset);
    if (line === undefined || line.trim() === "") break;
    if (/^### (?:output|stdout|stderr) ###$/.test(line)) wrote = true;
    else if (wrote && !/^(?:# )?(?:\[\.\.\.\]|-> required by )/.test(line)) begin = offset;
    if (begin > 0 && /\berror\b/i.test(line)) break;
  }
  const text = around(begin)?.replace(/^# ?/, "").trim();
  return begin === 0 || !text ? undefined : { begin, end: begin + 1, text, unlessKnown: true };
}

/** Terraform and Pulumi: a count of errors, above a list of them. */
function ofCount(around: Around): Description | undefined {
  if (!/\b\d+ errors?(?:\(s\))? occurred:$/.test(around(0) ?? "")) return undefined;
  const begin = around(1)?.trim() === "" ? 2 : 1;
  const text = /^\s*\* (\S.*)/.exec(around(begin) ?? "")?.[1];
  return text === undefined ? undefined : { begin, end: begin + 1, text };
}

/** Redis: the place, the setting and what is wrong with it, on lines of their own. */
function ofParagraph(around: Around): Description | undefined {
  const lines: string[] = [];
  for (
    let text = around(1)?.trim();
    text && lines.length < MAX_LINES;
    text = around(lines.length + 1)?.trim()
  )
    lines.push(text);
  return lines.length > 0 ? { begin: 1, end: lines.length + 1, text: lines.join(" ") } : undefined;
}

/** Terraform: the first paragraph below the heading, in the frame that it draws where it writes to a terminal. */
function ofFrame(around: Around): Description | undefined {
  const unframed = (offset: number) => around(offset)?.replace(/^│ ?/, "");
  const described = ofParagraph((offset) => unframed(offset + 1));
  return described && { ...described, begin: described.begin + 1, end: described.end + 1 };
}

interface Section {
  /** Offset of its first line. */
  begin: number;
  /** Offset of the line after its last. */
  end: number;
  /** Its lines, joined. */
  text: string;
}

/**
 * Returns the section under a heading: up to the heading `next` if that is given and found, otherwise one
 * paragraph.
 */
function sectionUnder(heading: string, around: Around, from: number, next?: string): Section | undefined {
  const at = headingBelow(heading, around, from);
  if (at === undefined) return undefined;
  let begin = at + 1;
  while (around(begin)?.trim() === "") begin++;
  const limit = next === undefined ? undefined : headingBelow(next, around, begin);
  const lines: string[] = [];
  let end = begin;
  for (let text = around(end); text !== undefined && end < (limit ?? begin + MAX_LINES); text = around(end)) {
    if (limit === undefined && text.trim() === "") break;
    // Of a drawing of dependencies, only lines with words are kept.
    if (/[A-Za-z]/.test(text)) lines.push(text.trim());
    end++;
  }
  return lines.length === 0 ? undefined : { begin, end, text: lines.join(" ") };
}

function headingBelow(heading: string, around: Around, from: number): number | undefined {
  for (let at = from; at < from + MAX_LINES; at++) if (around(at)?.trim() === heading) return at;
  return undefined;
}
