import type { Rule, Sighting } from "../finding.ts";
import { TEMPLATE_OPEN } from "../lexer/token.ts";
import { enclosingBracket } from "../syntax/brackets.ts";
import type { Call } from "../syntax/calls.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { oncePerFragment } from "../syntax/lookup/once-per-fragment.ts";
import { seenCall } from "./sightings/sightings.ts";

const SKIPPED = "A test is switched off, so nothing says whether what it tests still works.";
const FOCUSED = "A single test is singled out, so that all others of its file do not run.";

export const disabledTest: Rule = {
  id: "disabled-test",
  category: "correctness",
  severity: "warning",
  languages: ["javascript", "python", "go", "java", "ruby", "php", "cpp", "csharp", "rust"],
  everywhere: true,
  message: SKIPPED,
  suggestion: "Fix the test or delete it; if it must wait, give the reason and the issue beside it.",
  *check(fragment) {
    for (const sighting of switchedOff(fragment))
      yield isTracked(fragment, sighting) ? { ...sighting, severity: "info" } : sighting;
  },
};

function switchedOff(fragment: Fragment): Iterable<Sighting> {
  switch (fragment.language) {
    case "javascript":
      return calls(fragment, javascript);
    case "ruby":
      return calls(fragment, ruby);
    case "go":
      return calls(fragment, go);
    case "php":
      return calls(fragment, php);
    default:
      return marks(fragment);
  }
}

/** An issue, by its address, number or key; standards look like keys: `UTF-8`. */
const ISSUE =
  /https?:\/\/\S{1,200}(?:\/\d{1,9}|[?&]id=\d|\/browse\/)|#\d{1,7}\b|\b(?:[Ii]ssue|[Tt]icket|[Bb]ug|PR|GH)[\s-]{0,2}\d{1,7}\b|\b(?!(?:UTF|SHA|ISO|RFC|AES|MD|HTTP|TLS|ES|CVE)-)[A-Z][A-Z0-9]{1,9}-\d{2,7}\b/;

/** Whether the issue that a test waits for is named on its line, or in a comment on the line above. */
function isTracked(fragment: Fragment, { places: [place] }: Sighting): boolean {
  const { lines, below } = issuesIn(fragment);
  return place !== undefined && (lines.has(place.line) || below.has(place.line));
}

/** The lines that name an issue, and those below a comment that does. */
const issuesIn = oncePerFragment(({ lines, comments }) => ({
  lines: new Set([...lines.keys()].filter((line) => ISSUE.test(lines[line]?.text ?? ""))),
  below: new Set(comments.filter(({ text }) => ISSUE.test(text)).map(({ line }) => line + 1)),
}));

type Judge = (fragment: Fragment, call: Call) => string | undefined;

function* calls(fragment: Fragment, judge: Judge): Iterable<Sighting> {
  for (const call of fragment.calls) {
    const message = judge(fragment, call);
    if (message) yield seenCall(fragment, call, { message });
  }
}

const SUITE = "(?:it|test|describe|context|suite|specify|bench|each|concurrent|Deno\\.test|tape)";
const OF_SUITE = new RegExp(
  `^${SUITE}(?:\\.\\w{1,20}(?:\\(\\))?){0,2}\\.(skip|only|todo|fixme)(?:\\.(?:each|concurrent|sequential|for)(?:\\(\\))?)?$`,
);

function javascript(fragment: Fragment, call: Call): string | undefined {
  const switched = OF_SUITE.exec(call.path.replace(/\(\)$/, ""))?.[1];
  // A `todo` has no body that could run.
  if (switched === "todo") return undefined;
  // Playwright's `test.skip(condition, reason)` decides at run time, by a value or a function.
  const first = call.args[0];
  const titled =
    first !== undefined &&
    (fragment.isString(first.from) || [TEMPLATE_OPEN, "["].includes(fragment.text(first.from)));
  const body = call.args[1];
  const hasBody = body !== undefined && !fragment.isString(body.from);
  if (
    switched &&
    (hasBody ||
      (titled && call.args.length === 1) ||
      (call.args.length === 0 && /^(?:it|test)\b/.test(call.path)))
  )
    return switched === "only" ? FOCUSED : SKIPPED;
  if (/^(?:xit|xtest|xdescribe|xcontext|xspecify)$/.test(call.path) && call.args.length >= 2) return SKIPPED;
  if (/^(?:fit|fdescribe|fcontext|ftest)$/.test(call.path) && call.args.length >= 2) return FOCUSED;
  return undefined;
}

function ruby(fragment: Fragment, call: Call): string | undefined {
  const { path, args } = call;
  if (/^(?:xit|xdescribe|xcontext|xspecify|xexample|xscenario|xfeature)$/.test(path)) return SKIPPED;
  if (/^(?:fit|fdescribe|fcontext|fspecify|fexample)$/.test(path)) return FOCUSED;
  const titled = args.length === 0 || fragment.isString(args[0]?.from ?? -1);
  return /^(?:skip|pending)$/.test(path) && titled && !dependsOnCondition(fragment, call)
    ? SKIPPED
    : undefined;
}

/** Whether a test is skipped depending on its environment: `skip "…" unless linux?`, or within such a branch. */
function dependsOnCondition(fragment: Fragment, { at, end }: Call): boolean {
  const isModified =
    /^(?:if|unless)$/.test(fragment.text(end)) && fragment.lineOf(end) === fragment.lineOf(at);
  if (isModified) return true;
  for (const { condition, chain } of fragment.branches.around(at)) {
    if (!chain.loop && (condition ?? chain.subject ?? chain.arms[1])) return true;
  }
  return false;
}

function go(fragment: Fragment, call: Call): string | undefined {
  const skips = /^(?:t|b|tb|s\.T\(\)|suite\.T\(\))\.(?:Skip|SkipNow|Skipf)$/.test(call.path);
  return skips && !isConditional(fragment, call) ? SKIPPED : undefined;
}

function php(fragment: Fragment, call: Call): string | undefined {
  const skips =
    /^markTest(?:Skipped|Incomplete)$/.test(call.name) || /^(?:it|test)\(\)\.skip$/.test(call.path);
  return skips && !isConditional(fragment, call) ? SKIPPED : undefined;
}

/** Maximum tokens from the beginning of a condition to the block that depends on it. */
const MAX_HEAD = 60;

/** Whether a test is skipped depending on its environment: `if testing.Short() { t.Skip() }`. */
function isConditional(fragment: Fragment, { start }: Call): boolean {
  const open = enclosingBracket(fragment, start);
  if (open === undefined) return false;
  for (let back = open - 1; back > open - MAX_HEAD && back > 0; back--) {
    const text = fragment.text(back);
    if (/^(?:if|case|else)$/.test(text)) return true;
    if (/^(?:func|function|[{}])$/.test(text)) return false;
  }
  return false;
}

/** Annotations, attributes, calls and names that disable a test. */
const MARKS: Partial<Record<Fragment["language"], readonly RegExp[]>> = {
  python: [
    /^\s{0,40}@(?:pytest\.mark\.skip|unittest\.skip|skip|pytest\.mark\.xfail)\b(?!if|If|Unless)(?!\([^)]{0,200}(?:condition|sys\.|platform|version))/,
    /^\s{0,40}(?:pytest\.skip|self\.skipTest)\(/,
    /\bpytest\.skip\([^)]{0,200}allow_module_level/,
  ],
  java: [
    /^\s{0,40}@(?:Disabled|Ignore|Ignored)\b(?!If|Unless|On|For)/,
    /@Test\s{0,2}\([^)]{0,80}\benabled\s{0,2}=\s{0,2}false\b/,
    /^\s{0,40}(?:xit|xdescribe|xtest)\s{0,2}\(/,
  ],
  csharp: [
    /\[\s{0,4}(?:[\w, ()"]{0,80},\s{0,4})?(?:Ignore|Explicit)(?:Attribute)?\s{0,2}[\](,]/,
    /\[\s{0,4}(?:Fact|Theory)\s{0,2}\([^)]{0,80}\bSkip\s{0,2}=/,
  ],
  rust: [/^\s{0,40}#\[ignore\b/],
  cpp: [
    /\bTEST(?:_F|_P)?\s{0,2}\(\s{0,4}(?:DISABLED_\w{1,80}\s{0,4},|\w{1,80}\s{0,4},\s{0,4}DISABLED_)/,
    /^\s{0,40}GTEST_SKIP\(\)/,
    /\bTEST_CASE\([^)]{0,200}\[\.[\w!]{0,30}\]|\*\s{0,4}boost::unit_test::disabled\(\)|\bdoctest::skip\(/,
  ],
};

function* marks(fragment: Fragment): Iterable<Sighting> {
  const patterns = MARKS[fragment.language];
  if (!patterns) return;
  for (const [line, { added }] of fragment.lines.entries()) {
    if (!added) continue;
    const code = fragment.code(line).slice(0, 2000);
    const match = patterns.map((pattern) => pattern.exec(code)).find((each) => each !== null);
    if (!match) continue;
    // A call under a condition depends on the environment.
    const call = /^\s{0,40}(?:pytest\.skip|self\.skipTest|GTEST_SKIP)/.test(code);
    if (call && CONDITION.test(headAbove(fragment, line))) continue;
    const column = code.length - code.trimStart().length;
    yield seenAtLine(line, Math.max(column, match.index));
  }
}

const CONDITION = /^\s{0,40}(?:if|else|elif|except|case)\b/;
/** Maximum lines of a block before a call that are passed on the way to its head. */
const MAX_BLOCK = 40;

/** Returns the nearest line above with less space before it, which begins the block that a line is in. */
function headAbove(fragment: Fragment, line: number): string {
  const indentOf = (code: string) => code.length - code.trimStart().length;
  const own = indentOf(fragment.code(line));
  for (let above = line - 1; above >= Math.max(0, line - MAX_BLOCK); above--) {
    const code = fragment.code(above);
    if (code.trim() !== "" && indentOf(code) < own) return code;
  }
  return fragment.code(Math.max(0, line - 1));
}

function seenAtLine(line: number, column: number): Sighting {
  return { places: [{ line, column }], message: SKIPPED };
}
