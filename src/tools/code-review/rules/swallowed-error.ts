import { firstIndex } from "../../../system/binary-search.ts";
import type { Rule, Sighting } from "../finding.ts";
import type { Comment, Token } from "../lexer/token.ts";
import type { Fragment } from "../syntax/fragment.ts";
import { MEMBER } from "../syntax/keywords.ts";
import { seenAt } from "./sightings/sightings.ts";

/** Errors that signal an expected condition, such as a missing key. They are caught in order to be ignored. */
const EXPECTED =
  /^(?:StopIteration|KeyError|ImportError|ModuleNotFoundError|FileNotFoundError|FileExistsError|ProcessLookupError|KeyboardInterrupt|GeneratorExit|CancelledError|InterruptedException|CancellationException|OperationCanceledException|TaskCanceledException|ObjectDisposedException|NoSuchElementException|DoesNotExist|ENOENT|AlreadyExistsError|LoadError|Errno|IndexError|AttributeError|ThreadAbortException|CloneNotSupportedException|NumberFormatException|queue|Empty|TimeoutError|BrokenPipeError|BrokenPipe|UnicodeDecodeError)$/;

/** Names with which linters of Java let an error be passed over on purpose. */
const SAYS_SO = /^(?:ignored?|expected)$/;

export const swallowedError: Rule = {
  id: "swallowed-error",
  category: "correctness",
  severity: "info",
  cwe: 390,
  languages: ["javascript", "python", "go", "java", "ruby", "php", "cpp", "csharp", "rust"],
  message: "An error is caught and nothing is done about it: whatever failed stays unseen.",
  suggestion: "Handle it, log it, or pass it on; if it may be ignored, say why in a comment.",
  *check(fragment) {
    switch (fragment.language) {
      case "python":
        return yield* emptyBlocks(fragment, "except");
      case "ruby":
        return yield* emptyBlocks(fragment, "rescue");
      case "go":
        return yield* ignoredErrors(fragment);
      case "rust":
        yield* emptyErrors(fragment);
        return yield* discardedResults(fragment);
      default:
        yield* emptyCatches(fragment);
        if (fragment.language === "javascript") yield* emptyHandlers(fragment);
    }
  },
};

/** `catch (e) {}` */
function* emptyCatches(fragment: Fragment): Iterable<Sighting> {
  const { tokens } = fragment;
  for (const index of fragment.words.get("catch") ?? []) {
    if (fragment.text(index - 1) === ".") continue;
    let open = index + 1;
    const bracket = tokens[open];
    if (bracket?.text === "(") {
      if (bracket.partner < 0) continue;
      if (tokens.slice(open, bracket.partner).some(({ text }) => EXPECTED.test(text))) continue;
      if (SAYS_SO.test(fragment.text(bracket.partner - 1))) continue;
      open = bracket.partner + 1;
    }
    const body = tokens[open];
    if (body?.text !== "{" || body.partner < 0) continue;
    const inside = tokens.slice(open + 1, body.partner).filter(({ text }) => text !== ";");
    if (
      inside.length > 0 ||
      expectsError(fragment, index) ||
      isExplained(fragment, body.line, fragment.lineOf(body.partner))
    )
      continue;
    yield seenAt(fragment, [index, body.partner]);
  }
}

const FAILS = /^(?:fail|Fail|markTestIncomplete)$/;
/** Whose `fail` it is, where it is not called alone: a promise's ends no test. */
const TESTS = /^(?:\w{0,20}[aA]ssert\w{0,20}|\$?this|self|static|parent|[tT]est\w{0,10}|expect|chai|should)$/;

/** `try { f(); fail(); } catch (E e) {}`: a test that expects the error, and fails without it. */
function expectsError(fragment: Fragment, at: number): boolean {
  const close = fragment.tokens[at - 1];
  if (close?.text !== "}" || close.partner < 0) return false;
  return fragment.tokens.slice(close.partner, at - 1).some(({ text }, index) => {
    const at = close.partner + index;
    if (!FAILS.test(text) || fragment.text(at + 1) !== "(") return false;
    return !MEMBER.has(fragment.text(at - 1)) || TESTS.test(fragment.text(at - 2));
  });
}

/** Whether a comment within the block gives a reason. */
function isExplained(fragment: Fragment, from: number, to: number): boolean {
  const { comments } = fragment;
  for (let index = firstIndex(comments, ({ line }) => line >= from); index < comments.length; index++) {
    const { line, text } = comments[index] as Comment;
    if (line > to) return false;
    if (/\w{3}/.test(text) && !/eslint|prettier|biome|tslint|istanbul|noqa|pylint/i.test(text)) return true;
  }
  return false;
}

const CATCH = /^catch$/;

/** `.catch(() => {})`. A function called noop says that nothing is to be done. */
function* emptyHandlers(fragment: Fragment): Iterable<Sighting> {
  for (const call of fragment.callsOf(CATCH)) {
    const [handler] = call.args;
    if (!handler || call.args.length !== 1) continue;
    const last = fragment.tokens[handler.to - 1];
    const open = last?.text === "}" ? last.partner : -1;
    const isFunction =
      open >= handler.from && (fragment.text(open - 1) === "=>" || fragment.text(open - 1) === ")");
    const empty = isFunction && open === handler.to - 2;
    if (!empty || isExplained(fragment, fragment.lineOf(open), last?.line ?? 0)) continue;
    yield seenAt(fragment, [call.at]);
  }
}

/** `except: pass`, `rescue => e` with nothing below it. */
function* emptyBlocks(fragment: Fragment, keyword: "except" | "rescue"): Iterable<Sighting> {
  const { tokens } = fragment;
  for (const index of fragment.words.get(keyword) ?? []) {
    const token = tokens[index] as Token;
    if (fragment.lineOf(index - 1) === token.line) {
      // `value rescue nil`
      if (keyword === "rescue" && fragment.text(index + 1) === "nil") yield seenAt(fragment, [index]);
      continue;
    }
    let end = index + 1;
    while (fragment.lineOf(end) === token.line && fragment.text(end) !== ":") end++;
    if (fragment.texts({ from: index + 1, to: end }).some((name) => EXPECTED.test(name))) continue;
    const body = keyword === "except" ? end + 1 : end;
    const first = fragment.text(body);
    const nothing =
      keyword === "except" ? /^(?:pass|\.\.\.)$/.test(first) : /^(?:end|nil|next|ensure)$/.test(first);
    if (!nothing) continue;
    const after = tokens[body + 1];
    // A deeper indented token behind `pass` is in the same block, which does something after all.
    if (keyword === "except" && after && after.column > token.column) continue;
    if (isExplained(fragment, token.line, tokens[body]?.line ?? token.line)) continue;
    yield seenAt(fragment, [index, body]);
  }
}

/** `if err != nil {}`, `_ = err` */
function* ignoredErrors(fragment: Fragment): Iterable<Sighting> {
  const { tokens } = fragment;
  for (const index of fragment.words.get("nil") ?? []) {
    if (fragment.text(index - 1) !== "!=" || !/err/i.test(fragment.text(index - 2))) continue;
    const open = tokens[index + 1];
    if (open?.text !== "{" || open.partner !== index + 2) continue;
    if (!isExplained(fragment, open.line, fragment.lineOf(open.partner))) yield seenAt(fragment, [index - 2]);
  }
  for (const index of fragment.words.get("_") ?? []) {
    if (fragment.text(index + 1) !== "=" || !/err$/i.test(fragment.text(index + 2))) continue;
    if (!/^[(.]$/.test(fragment.text(index + 3))) yield seenAt(fragment, [index]);
  }
}

const RESULTS = /^(?:ok|Err)$/;

/** A statement that only calls `.ok();`, and the arm `Err(_) => {}`. */
function* discardedResults(fragment: Fragment): Iterable<Sighting> {
  for (const index of fragment.wordsLike(RESULTS)) {
    const text = fragment.text(index);
    const isOk =
      text === "ok" &&
      fragment.text(index - 1) === "." &&
      fragment.text(index + 1) === "(" &&
      fragment.text(index + 3) === ";";
    if (isOk && startsStatement(fragment, index)) yield seenAt(fragment, [index]);
    const errArm = text === "Err" && fragment.text(index + 2) === "_" && fragment.text(index + 4) === "=>";
    const body = fragment.text(index + 5);
    if (
      errArm &&
      ((body === "{" && fragment.tokens[index + 5]?.partner === index + 6) ||
        (body === "(" && fragment.text(index + 6) === ")"))
    ) {
      yield seenAt(fragment, [index]);
    }
  }
}

/** `if let Err(_) = f() {}` */
function* emptyErrors(fragment: Fragment): Iterable<Sighting> {
  const { tokens } = fragment;
  for (const index of fragment.words.get("Err") ?? []) {
    const close = tokens[index + 1]?.partner ?? -1;
    const isCondition = /^(?:if|while)$/.test(fragment.text(index - 2)) && fragment.text(index - 1) === "let";
    if (!isCondition || close < 0 || fragment.text(close + 1) !== "=") continue;
    const open = firstBrace(fragment, close + 2);
    if (open < 0 || tokens[open]?.partner !== open + 1) continue;
    if (!isExplained(fragment, tokens[open]?.line ?? 0, tokens[open + 1]?.line ?? 0))
      yield seenAt(fragment, [index]);
  }
}

/** Maximum tokens of the value that a condition tests. */
const MAX_CONDITION = 100;

function firstBrace(fragment: Fragment, from: number): number {
  for (let index = from; index < from + MAX_CONDITION; index++) {
    const token = fragment.tokens[index];
    if (!token || token.text === ";") return -1;
    if (token.text === "{") return index;
    if (token.kind === "open" && token.partner > index) index = token.partner;
  }
  return -1;
}

/** Whether a chain begins its statement, so that its value is not used. */
function startsStatement(fragment: Fragment, at: number): boolean {
  let index = at;
  while (index > 0) {
    const before = fragment.tokens[index - 1];
    if (!before || before.text === ";" || before.text === "{" || before.text === "}") return true;
    if (before.text === "=" || before.text === "return" || before.text === "=>" || before.kind === "open")
      return false;
    index = before.kind === "close" && before.partner >= 0 ? before.partner : index - 1;
  }
  return true;
}
