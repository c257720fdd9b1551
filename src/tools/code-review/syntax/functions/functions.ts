import { firstIndex } from "../../../../system/binary-search.ts";
import { defined } from "../../../../system/defined.ts";
import type { Token } from "../../lexer/token.ts";
import { splitAtCommas } from "../calls.ts";
import { isKeyword } from "../keywords.ts";
import type { LexedFragment } from "../lexed-fragment.ts";
import { oncePerFragment } from "../lookup/once-per-fragment.ts";
import type { Range } from "../range.ts";
import { statementEnd, statementStart } from "../statements.ts";
import { type Parameter, parametersIn } from "./parameters.ts";

export interface FunctionScope {
  name?: string;
  /** Index of the declaration's first token, decorators left out. */
  start: number;
  body: Range;
  parameters: Parameter[];
}

const KEYWORD_FUNCTIONS = /^(?:function|func|fn|def|fun)$/;
const ARROWS: Partial<Record<LexedFragment["language"], string>> = {
  javascript: "=>",
  csharp: "=>",
  java: "->",
};
const METHODS = new Set(["javascript", "java", "csharp", "c", "cpp"]);

/** Returns the functions of a hunk, outer ones before those within them. */
export function functionsOf(fragment: LexedFragment): FunctionScope[] {
  const functions: FunctionScope[] = [];
  const arrow = ARROWS[fragment.language];
  for (let index = 0; index < fragment.tokens.length; index++) {
    const token = fragment.tokens[index];
    let found: FunctionScope | undefined;
    if (token?.kind === "word" && KEYWORD_FUNCTIONS.test(token.text))
      found = keywordFunction(fragment, index);
    else if (token?.kind === "mark" && token.text === arrow) found = arrowFunction(fragment, index);
    else if (token?.kind === "open" && token.text === "(" && METHODS.has(fragment.language)) {
      found = method(fragment, index);
    }
    if (found) functions.push(found);
  }
  return functions.sort((a, b) => a.body.from - b.body.from);
}

function keywordFunction(fragment: LexedFragment, at: number): FunctionScope | undefined {
  const { tokens, language } = fragment;
  let index = at + 1;
  if (fragment.text(index) === "*") index++;
  // Go writes the receiver before the name.
  if (language === "go" && fragment.text(index) === "(") {
    const close = tokens[index]?.partner ?? -1;
    if (close > 0 && fragment.isWord(close + 1) && fragment.text(close + 2) === "(") index = close + 1;
  }
  let name: string | undefined;
  // `def self.name`, `fun Type.name(`
  while (fragment.isWord(index)) {
    name = fragment.text(index);
    index += fragment.text(index + 1) === "." ? 2 : 1;
    if (fragment.text(index - 1) !== ".") break;
  }
  if (language === "ruby" && /^[?!]$/.test(fragment.text(index))) index++;
  if (fragment.text(index) === "<" || fragment.text(index) === "[") {
    while (index < at + 24 && fragment.text(index) !== "(") index++;
  }
  const open = fragment.text(index) === "(" ? index : -1;
  const close = open >= 0 ? (tokens[open]?.partner ?? -1) : -1;
  if (open >= 0 && close < 0) return undefined;
  if (open < 0 && language !== "ruby") return undefined;
  const after = close >= 0 ? close + 1 : index;
  const body =
    language === "python" || language === "ruby"
      ? indentedBody(fragment, at, after)
      : (braces(fragment, after) ?? assignedBody(fragment, after));
  if (!body) return undefined;
  const parameters = open < 0 ? [] : parametersIn(fragment, { from: open + 1, to: close });
  return { ...defined({ name }), start: at, body, parameters };
}

/** Maximum tokens before a `def` on its line. */
const MAX_BEFORE = 100;

/** Returns everything indented deeper than the line of `def`. */
function indentedBody(fragment: LexedFragment, at: number, after: number): Range | undefined {
  const { tokens } = fragment;
  let first = at;
  while (fragment.lineOf(first - 1) === fragment.lineOf(at)) {
    if (at - --first > MAX_BEFORE) return undefined;
  }
  const indentation = tokens[first]?.column ?? 0;
  const next = nextAsDeep(fragment);
  let end = next[first] as number;
  // Parameters may stand on lines of their own.
  if (end < after) {
    const begins = (index: number) => fragment.lineOf(index) !== fragment.lineOf(index - 1);
    for (end = after; end < tokens.length; end++)
      if (begins(end) && (tokens[end] as Token).column <= indentation && tokens[end]?.kind !== "close") break;
  }
  return { from: after, to: end };
}

/**
 * For the first token of each line, that of the next line which is not indented deeper. A line that begins with a closing
 * bracket goes on with what is above it.
 */
const nextAsDeep = oncePerFragment(({ tokens }) => {
  const next = new Int32Array(tokens.length).fill(tokens.length);
  const below: number[] = [];
  for (let index = tokens.length - 1; index >= 0; index--) {
    const { line, column, kind } = tokens[index] as Token;
    if (line === tokens[index - 1]?.line) continue;
    const deeper = firstIndex(below, (each) => (tokens[each] as Token).column > column);
    next[index] = below[deeper - 1] ?? tokens.length;
    if (kind !== "close") below.splice(deeper, below.length, index);
  }
  return next;
});

/** Returns the body in braces, past what may precede it: a return type, `throws`, `const`. */
function braces(fragment: LexedFragment, after: number): Range | undefined {
  const { tokens } = fragment;
  for (let index = after; index < after + 24; index++) {
    const token = tokens[index];
    if (!token || token.text === ";" || token.text === "=") return undefined;
    if (token.text === "=>") return { from: index + 1, to: statementEnd(fragment, index + 1) };
    if (token.kind !== "open") continue;
    const end = token.partner < 0 ? tokens.length : token.partner;
    if (token.text === "{" && !isTypeLiteral(fragment, index, end)) return { from: index + 1, to: end };
    index = end;
  }
  return undefined;
}

/** `def page(name: String) = Action { … }` of Scala: the body is the expression behind the `=`. */
function assignedBody(fragment: LexedFragment, after: number): Range | undefined {
  if (fragment.language !== "java") return undefined;
  for (let index = after; index < after + 24; index++) {
    const token = fragment.tokens[index];
    if (!token || /^[;{}]$/.test(token.text)) return undefined;
    if (token.text === "=") return { from: index + 1, to: expressionEnd(fragment, index + 1) };
  }
  return undefined;
}

/** `): { name: string } {` of TypeScript. */
function isTypeLiteral(fragment: LexedFragment, open: number, close: number): boolean {
  return fragment.text(open - 1) === ":" && fragment.text(close + 1) === "{";
}

function arrowFunction(fragment: LexedFragment, at: number): FunctionScope | undefined {
  const { tokens } = fragment;
  const parameters = arrowParameters(fragment, at);
  if (!parameters) return undefined;
  const next = tokens[at + 1];
  const body =
    next?.text === "{"
      ? { from: at + 2, to: next.partner < 0 ? tokens.length : next.partner }
      : { from: at + 1, to: expressionEnd(fragment, at + 1) };
  const { start } = parameters;
  const named = fragment.text(start - 1) === "async" ? start - 2 : start - 1;
  const name =
    fragment.text(named) === "=" || fragment.text(named) === ":" ? fragment.text(named - 1) : undefined;
  return { ...(name && { name }), start, body, parameters: parametersIn(fragment, parameters.range) };
}

function arrowParameters(fragment: LexedFragment, at: number): { start: number; range: Range } | undefined {
  const { tokens } = fragment;
  const before = tokens[at - 1];
  if (!before) return undefined;
  if (before.text === ")" && before.partner >= 0) {
    if (isDeclaredMethod(fragment, before.partner)) return undefined;
    return { start: before.partner, range: { from: before.partner + 1, to: at - 1 } };
  }
  // Behind one of these marks, the word ends a return type: `(a: A): B | C =>`.
  if (before.kind === "word" && !/^[:|&.]$/.test(fragment.text(at - 2)))
    return { start: at - 1, range: { from: at - 1, to: at } };
  // A return type precedes the arrow: `(a: A): Promise<B> =>`.
  for (let index = at - 1; index > at - 20 && index > 0; index--) {
    const token = tokens[index];
    if (token?.kind === "close" && token.partner >= 0 && token.text !== ")") index = token.partner;
    else if (token?.text === ":" && fragment.text(index - 1) === ")") {
      const open = tokens[index - 1]?.partner ?? -1;
      return open < 0 ? undefined : { start: open, range: { from: open + 1, to: index - 1 } };
    } else if (token?.text === ";" || token?.text === "=>" || token?.kind === "open") return undefined;
  }
  return undefined;
}

/** Returns the end of an expression: the next comma of the list it is in, or the end of its statement. */
export function expressionEnd(fragment: LexedFragment, from: number): number {
  const end = statementEnd(fragment, from);
  return splitAtCommas(fragment, { from, to: end })[0]?.to ?? end;
}

/** `name(parameters) {`, with any modifiers and types around the name. */
function method(fragment: LexedFragment, open: number): FunctionScope | undefined {
  const { tokens } = fragment;
  const name = tokens[open - 1];
  const close = tokens[open]?.partner ?? -1;
  if (name?.kind !== "word" || isKeyword(fragment.language, name.text) || close < 0) return undefined;
  if (KEYWORD_FUNCTIONS.test(fragment.text(open - 2)) || fragment.text(open - 2) === "new") return undefined;
  const after = fragment.text(close + 1);
  // `IActionResult Show(string name) => View(name);` of C#
  const isExpression = after === "=>" && isDeclaredMethod(fragment, open);
  if (!isExpression && !/^(?:\{|:|throws|const|noexcept|override|where)$/.test(after)) return undefined;
  if (after === ":" && fragment.language !== "javascript" && fragment.language !== "cpp") return undefined;
  // `a ? b(c) : {…}` declares nothing.
  if (after === ":" && tokens.slice(Math.max(0, open - 8), open).some(({ text }) => text === "?"))
    return undefined;
  const body = braces(fragment, close + 1);
  if (!body || body.from > close + 24) return undefined;
  const parameters = parametersIn(fragment, { from: open + 1, to: close });
  return { name: name.text, start: statementStart(fragment, open - 1), body, parameters };
}

/** Whether a type precedes the name (C#), which distinguishes a method from the parameters of a lambda. */
function isDeclaredMethod(fragment: LexedFragment, open: number): boolean {
  const { tokens, language } = fragment;
  const type = tokens[open - 2];
  if (language !== "csharp" || tokens[open - 1]?.kind !== "word" || !type) return false;
  if (type.kind === "word") return !isKeyword(language, type.text) || type.text === "void";
  return /^(?:>|>>|\?|\])$/.test(type.text);
}
