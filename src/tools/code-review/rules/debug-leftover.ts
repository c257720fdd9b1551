import type { Rule, Severity, Sighting } from "../finding.ts";
import type { Language } from "../language/language.ts";
import { PROGRAMS } from "../language/language.ts";
import { HOLE_CLOSE, type Token } from "../lexer/token.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import type { Range } from "../syntax/range.ts";
import { seenAt, seenCall } from "./sightings/sightings.ts";

const STOPS = "Whoever runs this is stopped in a debugger.";
const PRINTS = "Output that helped to find a fault is left in.";
const MODE = "A debugging mode is switched on, which shows the inside of the program to everyone.";

interface Leftover {
  path: RegExp;
  message: string;
  severity: Severity;
  /** Reported only if its text reads like a note to oneself. */
  whenNote?: boolean;
}

const stop = (path: RegExp): Leftover => ({ path, message: STOPS, severity: "warning" });
const print = (path: RegExp): Leftover => ({ path, message: PRINTS, severity: "info" });
const note = (path: RegExp): Leftover => ({ path, message: PRINTS, severity: "info", whenNote: true });

const CALLS: Partial<Record<Language, readonly Leftover[]>> = {
  javascript: [
    print(/^(?:window\.|globalThis\.)?console\.(?:log|debug|dir|dirxml|table|trace|count|timeLog|profile)$/),
    print(/^(?:window\.|self\.)?alert$/),
    print(/^(?:window\.)?(?:confirm|prompt)$/),
  ],
  python: [
    stop(
      /^(?:breakpoint|(?:pdb|ipdb|pudb|wdb|rpdb|remote_pdb|web_pdb|celery\.contrib\.rdb)\.(?:set_trace|post_mortem|runcall)|IPython\.embed|(?:ptvsd|debugpy|pydevd)\.\w{4,30}|code\.interact)$/,
    ),
    print(/^(?:icecream\.)?ic$/),
    note(/^(?:print|pprint|pp|pprint\.pprint|pprint\.pp)$/),
  ],
  go: [
    stop(/^runtime\.Breakpoint$/),
    print(/^(?:spew\.(?:Dump|Printf?|Fdump)|pp\.Print(?:ln)?|litter\.Dump|println|print)$/),
    note(/^(?:fmt|log)\.Print(?:ln|f)?$/),
  ],
  java: [
    print(/\.printStackTrace$|^Thread\.dumpStack$/),
    print(/^System\.(?:out|err)\.(?:println|print|printf)$/),
  ],
  ruby: [
    stop(/^(?:binding\.(?:pry|irb|b|break|remote_pry)|byebug|debugger|Pry\.start)$/),
    print(/^(?:pp|p|ap|awesome_print)$/),
    note(/^(?:puts|print|warn|Rails\.logger\.debug)$/),
  ],
  php: [
    stop(/^xdebug_break$/),
    print(
      /^(?:var_dump|dd|dump|ddd|debug_zval_refcount|debug_print_backtrace|debug_zval_dump|phpinfo|xdebug_var_dump|kint|d)$/,
    ),
    print(/^(?:print_r|var_export)$/),
    note(/^(?:echo|print|printf|error_log)$/),
  ],
  c: [
    stop(/^(?:__debugbreak|DebugBreak|__builtin_debugtrap|G_BREAKPOINT)$/),
    note(/^(?:printf|puts)$/),
    note(/^fprintf$/),
  ],
  cpp: [
    stop(/^(?:__debugbreak|DebugBreak|__builtin_debugtrap)$/),
    print(/^qDebug$/),
    note(/^(?:std\.)?(?:printf|puts|fprintf)$/),
  ],
  csharp: [
    stop(/^(?:System\.Diagnostics\.)?Debugger\.(?:Break|Launch)$/),
    note(/^(?:System\.)?Console\.Write(?:Line)?$/),
    note(/^(?:System\.Diagnostics\.)?(?:Debug|Trace)\.Write(?:Line)?$/),
  ],
  rust: [print(/^(?:std\.)?dbg!$/), note(/^e?println?!$/)],
};

/** Words alone on a line that stop the program. */
const STATEMENTS: Partial<Record<Language, RegExp>> = {
  javascript: /^debugger$/,
  ruby: /^(?:byebug|debugger|pry)$/,
};

export const debugLeftover: Rule = {
  id: "debug-leftover",
  category: "leftover",
  severity: "info",
  cwe: 489,
  languages: [...PROGRAMS, "markup"],
  message: PRINTS,
  suggestion: "Remove it, or write to the program's log with a level.",
  *check(fragment) {
    if (fragment.language === "markup") return yield* debugModes(fragment, MARKUP_MODES);
    const table = CALLS[fragment.language] ?? [];
    const isScript =
      SCRIPTS.test(fragment.path) ||
      (fragment.lines[0]?.number === 1 && fragment.lines[0].text.startsWith("#!"));
    const meant = fragment.lines.map(({ text }) => MEANT.test(text));
    for (const call of fragment.calls) {
      const leftover = table.find(({ path }) => path.test(call.path));
      const line = fragment.lineOf(call.start);
      if (meant[line] || meant[line - 1]) continue;
      if (isScript && leftover?.severity === "info") continue;
      if (leftover && isLeft(fragment, call, leftover)) {
        const { message, severity } = leftover;
        yield seenCall(fragment, call, { message, severity });
      }
    }
    yield* statements(fragment);
    if (fragment.language === "python") yield* debugModes(fragment, PYTHON_MODES);
    if (fragment.language === "php") yield* debugModes(fragment, PHP_MODES);
  },
};

/** Scripts print output by design: those of a project or of one of its packages. Other folders of the name hold pages'. */
const SCRIPTS = /^(?:(?:packages|apps)\/[^/]{1,100}\/)?(?:scripts|bin)\//;

/** Linter directives by which the output of this line or the next is intended. */
const MEANT = /no-console|noConsole|no-alert|noqa:? ?T20|rubocop:disable/;

const PRY = /^(?:pry|irb|break|remote_pry)$/;

function* statements(fragment: Fragment): Iterable<Sighting> {
  const pattern = STATEMENTS[fragment.language];
  if (!pattern) return;
  for (const index of fragment.wordsLike(pattern)) {
    const token = fragment.tokens[index] as Token;
    const [before, after] = [fragment.tokens[index - 1], fragment.tokens[index + 1]];
    const begins = !before || before.line !== token.line || /^[;{})]$/.test(before.text);
    const ends = !after || after.line !== token.line || /^[;}]$/.test(after.text);
    if (begins && ends) yield seenAt(fragment, [index], { message: STOPS, severity: "warning" });
  }
  if (fragment.language !== "ruby") return;
  for (const index of fragment.wordsLike(PRY)) {
    const member = fragment.text(index - 1) === "." && fragment.text(index - 2) === "binding";
    if (member) yield seenAt(fragment, [index - 2], { message: STOPS, severity: "warning" });
  }
}

function isLeft(fragment: Fragment, call: Call, { whenNote }: Leftover): boolean {
  const texts = textsOf(fragment, call);
  if (whenNote) return isNote(fragment, call, texts);
  // With an argument it writes to where the program wants it.
  if (call.name === "printStackTrace") return call.args.length === 0;
  if (/^(?:print_r|var_export)$/.test(call.name)) return call.args.length < 2;
  if (/^(?:confirm|prompt)$/.test(call.name))
    return (
      call.args.length === 1 &&
      fragment.isString(call.args[0]?.from ?? -1) &&
      fragment.text(call.start - 1) !== "await"
    );
  if (/^(?:d|p|print|println)$/.test(call.path)) return call.args.length > 0;
  return !isReport(call, texts) && !isErrorReport(fragment, call);
}

/** Returns the fixed parts of a call's texts. */
function textsOf(fragment: Fragment, call: Call): string[] {
  const [first, last] = [call.args[0]?.from ?? 0, call.args.at(-1)?.to ?? 0];
  return fragment.tokens.slice(first, last).flatMap(({ kind, text }) => (kind === "string" ? [text] : []));
}

/** Messages to users about progress, recognised by their first word. */
const REPORT =
  /^[^A-Za-z]{0,12}(?:found|skipp(?:ing|ed)|testing|server|listening|starting|started|running|ready|created?|creating|loaded|loading|wrote|writing|saved|saving|generat(?:ed|ing)|download(?:ed|ing)|install(?:ed|ing)|building|built|process(?:ed|ing)|completed?|done|finished|success|successfully|usage|updated|updating|deleted|deleting|removed|removing|copied|copying|migrat(?:ed|ing)|connected|connecting|deployed|deploying|publish(?:ed|ing)|total|summary|results?|added|adding|seed(?:ed|ing)|sync(?:ed|ing)|export(?:ed|ing)|import(?:ed|ing)|validat(?:ed|ing)|press|open|visit|see|run|please|welcome|hello|version|available|example|output|note|next steps|all)\b/i;

function isReport({ name, args }: Call, texts: readonly string[]): boolean {
  if (!/^(?:log|debug|println|print|printf)$/.test(name)) return false;
  const [first] = texts;
  if (first === undefined) return args.length === 0;
  return (
    args.length === 1 && REPORT.test(first) && !/^\W{0,6}\w{1,24}(?:\s\w{1,24})?\s?[:=]\s{0,2}$/.test(first)
  );
}

/** Whether a call prints a caught error, which is a way to report it, not a leftover. */
function isErrorReport(fragment: Fragment, { args, name }: Call): boolean {
  if (!/^(?:log|println|print)$/.test(name)) return false;
  return args.some(({ from }) => /^(?:e|err|error|ex|exception)$/.test(fragment.text(from)));
}

const SHOUT =
  /^(?:[^A-Za-z]{0,6}(?:debug|here|test|xxx|foo|bar|aaa+|hello|dbg|todo|trace|checkpoint|reached|got here|wtf|asdf|hi|ok|in here|inside|before|after)\b|[>*=#-]{3,}|!{2,}|\d{1,3}$)/i;

/** Whether output reads like a note to oneself: `here`, `>>>`, `x =`, a value with only its name. */
function isNote(fragment: Fragment, { args, name }: Call, texts: readonly string[]): boolean {
  const [first] = texts;
  if (fragment.language === "python" && endsHole(fragment, args[0], /^=$/)) return true;
  const showsValue = fragment.language === "rust" && endsHole(fragment, args[0], /\?$/);
  if (showsValue && texts.join("").length < 24) return true;
  if (first === undefined) return false;
  if (SHOUT.test(first.trim())) return true;
  if (fragment.language === "rust") return /\{:#?\?\}/.test(first) && first.length < 24;
  if (name === "fprintf" || name === "error_log") return false;
  return (
    args.length === 2 && /^[\w.\][]{1,30}\s{0,2}[:=]{1,2}\s{0,2}(?:%[+#]?v|%\w{1,3})?(?:\\n)?$/.test(first)
  );
}

/** Whether a hole ends in a mark that shows a value's name or its debug format: `f"{value=}"`, `"{value:?}"`. */
function endsHole(fragment: Fragment, range: Range | undefined, mark: RegExp): boolean {
  for (let index = range?.from ?? 0; index < (range?.to ?? 0); index++) {
    if (fragment.text(index + 1) === HOLE_CLOSE && mark.test(fragment.text(index))) return true;
  }
  return false;
}

const PYTHON_MODES =
  /^\s{0,12}DEBUG\s{0,4}=\s{0,4}True\b|\.run\([^)]{0,200}\bdebug\s{0,2}=\s{0,2}True\b|\.debug\s{0,2}=\s{0,2}True\b|\bFLASK_DEBUG["']?\]?\s{0,2}=\s{0,2}["']?(?:1|True)/;
const PHP_MODES = /\bini_set\(\s{0,4}['"]display_errors['"]\s{0,4},\s{0,4}['"]?(?:1|on|true)/i;
const MARKUP_MODES =
  /\bdebug\s{0,2}=\s{0,2}["']true["']|\bandroid:debuggable\s{0,2}=\s{0,2}["']true["']|<customErrors\s[^>]{0,80}\bmode\s{0,2}=\s{0,2}["']Off["']|<trace\s[^>]{0,80}\benabled\s{0,2}=\s{0,2}["']true["']|\bdebugger;/i;

function* debugModes(fragment: Fragment, pattern: RegExp): Iterable<Sighting> {
  for (const [line, { added }] of fragment.lines.entries()) {
    if (!added) continue;
    const match = pattern.exec(fragment.code(line).slice(0, 4000));
    if (match)
      yield {
        places: [{ line, column: match.index + (match[0].length - match[0].trimStart().length) }],
        message: MODE,
        severity: "warning",
      };
  }
}
