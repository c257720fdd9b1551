import { type Around, diagnosticOf, placeBelow } from "../diagnostics/diagnostic.ts";
import type { Candidate } from "./candidate.ts";
import { type Reading, textAt } from "./reading.ts";

/** A place in a source file, as the log names it. */
export interface Place {
  file: string;
  line?: number;
  column?: number;
}

const FARTHEST = 40;
const NEAR = 12;
/** Lines between a message and its stack: the code and the values that a test report shows. */
const STRANGE = 25;

/** Frames of what the program itself is made of, not of what it was made with. */
const FOREIGN =
  /node:|\[eval|node_modules|site-packages|dist-packages|\/lib\/python|<frozen|<anonymous>|\/gems\/|\/vendor\/|\/\.cargo\/|\/rustc\/|internal\//;
const FOREIGN_CLASS =
  /^(?:java|javax|jdk|sun|kotlin|scala|groovy|org\.(?:junit|testng|assertj|hamcrest|mockito|apache\.maven|gradle|codehaus)|com\.sun|hudson|jenkins)\./;

const PYTHON_FRAME = /^\s*File "(?<file>[^"]+)", line (?<line>\d+)/;
const SCRIPT_FRAME =
  /^\s*at (?:.*\()?(?:file:\/\/)?(?<file>\/?[^\s():]+|[A-Z]:[^():]+):(?<line>\d+):(?<column>\d+)\)?$/;
const JAVA_FRAME = /^\s*at (?<class>[\w.$]+)\.[\w$<>]+ ?\((?<file>\w+\.\w+):(?<line>\d+)\)/;
const GO_FRAME = /^\s+(?<file>\S+\.go):(?<line>\d+)(?: \+0x|$)/;
const RUBY_FRAME = /^\s*(?:from |# )?(?<file>[^\s:]+\.rb):(?<line>\d+):in /;
const FRAMES = [SCRIPT_FRAME, JAVA_FRAME, GO_FRAME, RUBY_FRAME];
/** Node prints where a program broke off above what it broke off with. */
const ALONE = /^(?:file:\/\/)?(?<file>(?:[A-Z]:)?[^\s:]+\.\w+):(?<line>\d+)(?::(?<column>\d+))?$/;
const FILE_ALONE = /^(?<file>[\w./\\@-]+\.\w{1,8})$/;
const QUOTED_PATH =
  /['"`‘](?<file>(?:[A-Za-z]:)?[^'"`’\s]*[./\\][^'"`’\s]*)['"`’]|(?:^|\s)(?<bare>\.{0,2}\/[\w./@+-]+)/;
/** As Unix tools say it: `cat: settings.json: No such file or directory`. */
const BEFORE_COLON = /(?:^|\s)(?<file>[^\s:'"`]+): (?:No such file|[Pp]ermission denied|No space left)/;
const FILE_CATEGORIES = new Set(["missing_file", "permission", "disk_full"]);

/** Where the source stands that a line is about: named by itself, below it, or by the stack around it. */
export function placeOf(
  reading: Reading,
  { index, text, diagnostic, caught, signature }: Candidate,
): Place | undefined {
  const around = (offset: number) => textAt(reading.lines, index + offset);
  if (diagnostic) return placeFrom({ ...diagnostic });
  const caughtFile = caught.file ?? caught.file2;
  if (caughtFile)
    return withLine(reading, placeFrom({ file: caughtFile, line: caught.line ?? caught.line2 }));
  if (FILE_CATEGORIES.has(signature.category ?? "")) {
    const quoted = (BEFORE_COLON.exec(text) ?? QUOTED_PATH.exec(text))?.groups;
    const file = quoted?.file ?? quoted?.bare;
    if (file && !/(?:Exception|Error)$|^\w+:\/\//.test(file)) return { file };
  }
  const reach = signature.category === "test_failure" ? NEAR : undefined;
  return (
    own(placeBelow(around, reach)) ??
    tracebackAbove(around) ??
    stackBelow(around) ??
    aloneAbove(around) ??
    (signature.category === "test_failure" ? findingBelow(around) : undefined)
  );
}

/** The last line of that file that a tool names. */
function withLine({ candidates }: Reading, place: Place | undefined): Place | undefined {
  if (place === undefined || place.line !== undefined) return place;
  const named = candidates.findLast(
    ({ diagnostic }) => diagnostic?.file === place.file && diagnostic.line !== undefined,
  );
  return named?.diagnostic ? placeFrom({ ...named.diagnostic }) : place;
}

function own(place: Place | undefined): Place | undefined {
  return place && !FOREIGN.test(place.file) ? place : undefined;
}

/** Python: the innermost frame stands nearest above the exception. */
function tracebackAbove(around: Around): Place | undefined {
  let nearest: Place | undefined;
  for (let offset = -1; offset >= -FARTHEST; offset--) {
    const text = around(offset);
    if (text === undefined || !/^\s|^Traceback/.test(text)) return nearest;
    const frame = PYTHON_FRAME.exec(text)?.groups;
    if (!frame) continue;
    const place = placeFrom(frame);
    if (place && !FOREIGN.test(place.file)) return place;
    nearest ??= place;
  }
  return nearest;
}

/** The first frame of the project's own. */
function stackBelow(around: Around): Place | undefined {
  for (let offset = 1, strange = 0; offset <= FARTHEST && strange < STRANGE; offset++) {
    const text = around(offset);
    if (text === undefined) break;
    const frame = FRAMES.map((format) => format.exec(text)?.groups).find((groups) => groups !== undefined);
    if (!frame) {
      strange++;
      continue;
    }
    const place = placeFrom(frame);
    if (place && !FOREIGN.test(place.file) && !FOREIGN_CLASS.test(frame.class ?? "")) return place;
  }
  return undefined;
}

function aloneAbove(around: Around): Place | undefined {
  for (let offset = -1; offset >= -6; offset--) {
    const text = around(offset)?.trim();
    if (text === undefined) return undefined;
    const place = (ALONE.exec(text) ?? (offset >= -2 ? FILE_ALONE.exec(text) : null))?.groups;
    if (place && !FOREIGN.test(place.file ?? "")) return placeFrom(place);
  }
  return undefined;
}

function findingBelow(around: Around): Place | undefined {
  for (let offset = 1; offset <= NEAR; offset++) {
    const text = around(offset);
    if (text === undefined) return undefined;
    const found = diagnosticOf(text, (further) => around(offset + further));
    if (found?.line !== undefined && !FOREIGN.test(found.file)) return placeFrom({ ...found });
  }
  return undefined;
}

function placeFrom({ file, line, column }: Record<string, unknown>): Place | undefined {
  if (typeof file !== "string" || file === "") return undefined;
  return { file, ...(line ? { line: Number(line) } : {}), ...(column ? { column: Number(column) } : {}) };
}
