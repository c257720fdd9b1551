import { TEMPLATE_OPEN } from "../lexer/token.ts";
import { isKeyword, MEMBER } from "./keywords.ts";
import type { LexedFragment } from "./lexed-fragment.ts";
import type { Range } from "./range.ts";
import { statementEnd } from "./statements.ts";

export interface Call {
  /** The last word of the callee, with Ruby's or Rust's mark: `exists?`, `format!`. */
  name: string;
  /**
   * The callee with dots between its parts: `cp.exec`, `$().html`, `require().defaults`. It begins with a dot
   * if its first part is neither a name nor a call.
   */
  path: string;
  /** Index of the name. */
  at: number;
  /** Index of the path's first token. */
  start: number;
  /** Whether `new` precedes the path. */
  isNew: boolean;
  /** Index behind the last token. */
  end: number;
  args: readonly Range[];
}

/** Languages in which a word before the name is a type and makes it a declaration. */
const TYPED = new Set(["java", "csharp", "c", "cpp"]);
const BRACED = new Set(["javascript", "java", "csharp", "c", "cpp", "php"]);

/** Maximum calls without brackets around another, as each reads on to the end of the statement. Others are left out. */
const MAX_BARE = 8;

export function callsOf(fragment: LexedFragment): Call[] {
  const { tokens, language } = fragment;
  const calls: Call[] = [];
  let bareEnds: number[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.kind === "open") {
      const call = bracketCall(fragment, index);
      if (call) calls.push(call);
    } else if (token?.kind === "word" && (language === "ruby" || language === "php")) {
      bareEnds = bareEnds.filter((end) => end > index);
      const call = bareEnds.length < MAX_BARE ? bareCall(fragment, index) : undefined;
      if (!call) continue;
      calls.push(call);
      bareEnds.push(call.end);
    }
  }
  return calls;
}

function bracketCall(fragment: LexedFragment, open: number): Call | undefined {
  const { tokens, language } = fragment;
  const text = fragment.text(open);
  const macro = language === "rust" && fragment.text(open - 1) === "!" && text !== "“";
  if (text !== "(" && !macro) return undefined;
  const marked = language === "ruby" && isMarked(fragment, open);
  const at = macro || marked ? open - 2 : calleeBefore(fragment, open);
  if (at === undefined || !fragment.isWord(at)) return undefined;
  const word = fragment.text(at);
  const isMember = MEMBER.has(fragment.text(at - 1));
  if (isKeyword(language, word) && !isMember && word !== "import") return undefined;
  const close = tokens[open]?.partner ?? -1;
  const end = close < 0 ? statementEnd(fragment, open) : close;
  const { start, path, isNew } = pathBefore(fragment, at);
  if (isNamed(fragment, start) || (!isMember && !isNew && isDefinition(fragment, start, close)))
    return undefined;
  const mark = macro || marked ? fragment.text(open - 1) : "";
  const name = word + mark;
  return {
    name,
    path: path + mark,
    at,
    start,
    isNew,
    end: close < 0 ? end : close + 1,
    args: splitAtCommas(fragment, { from: open + 1, to: end }),
  };
}

/** Whether a Ruby name ends in a mark, `exec!(` or `exists?(`. `open` is the token behind the mark. */
export function isMarked(fragment: LexedFragment, open: number): boolean {
  const [word, mark] = [fragment.tokens[open - 2], fragment.tokens[open - 1]];
  if (word?.kind !== "word" || !/^[!?]$/.test(mark?.text ?? "") || word.line !== mark?.line) return false;
  return word.column + word.text.length === mark.column;
}

/** Returns the index of the name before a bracket, past type arguments: `parse<T>(`, `parse::<T>(`. */
function calleeBefore(fragment: LexedFragment, open: number): number | undefined {
  const before = fragment.text(open - 1);
  if (before === "?.") return open - 2;
  if (before !== ">") return open - 1;
  let depth = 0;
  for (let index = open - 1; index > open - 16; index--) {
    const text = fragment.text(index);
    if (text === ">") depth++;
    if (text === ">>") depth += 2;
    if (text === "<" && --depth === 0) return fragment.text(index - 1) === "::" ? index - 2 : index - 1;
  }
  return undefined;
}

const GENERIC = new Set(["csharp", "java", "javascript"]);
/** Maximum tokens of type arguments. */
const MAX_TYPES = 16;

/** Returns the index of the bracket of a call behind type arguments that begin here: `Parse<Kind>(`. */
export function typeArgumentsEnd(fragment: LexedFragment, at: number): number | undefined {
  if (!GENERIC.has(fragment.language)) return undefined;
  let depth = 0;
  for (let index = at; index < at + MAX_TYPES; index++) {
    const text = fragment.text(index);
    if (text === "<") depth++;
    else if (text === ">" || text === ">>") depth -= text.length;
    else if (!/^(?:[\w.,?|]{1,60}|\[|\])$/.test(text)) return undefined;
    if (depth <= 0) return depth === 0 && fragment.text(index + 1) === "(" ? index + 1 : undefined;
  }
  return undefined;
}

/** Maximum parts of a path. The beginning of a longer one is left out. */
const MAX_PARTS = 40;

/** Returns the path that ends in the name at `at`, walking back over `a.b()[0].c`. */
export function pathBefore(
  fragment: LexedFragment,
  at: number,
): { start: number; path: string; isNew: boolean } {
  const { tokens, language } = fragment;
  let path = fragment.text(at);
  let start = at;
  for (let parts = 1; MEMBER.has(fragment.text(start - 1)); parts++) {
    if (parts >= MAX_PARTS) return { start, path: `.${path}`, isNew: false };
    let index = start - 2;
    let brackets = "";
    while (tokens[index]?.kind === "close" && (tokens[index]?.partner ?? -1) >= 0) {
      const open = tokens[index]?.partner as number;
      const text = fragment.text(open);
      if (text === "{" || text === TEMPLATE_OPEN) return { start: open, path: `.${path}`, isNew: false };
      brackets = `${text === "(" ? "()" : "[]"}${brackets}`;
      index = open - 1;
      if (fragment.text(index) === "!") index--;
    }
    const word = fragment.text(index);
    // Behind a dot, keywords such as `new` are names.
    const kept = isKeyword(language, word) && word !== "import" && !MEMBER.has(fragment.text(index - 1));
    if (tokens[index]?.kind !== "word" || kept) {
      return { start: index + 1, path: `${brackets}.${path}`, isNew: false };
    }
    path = `${fragment.text(index)}${brackets}.${path}`;
    start = index;
  }
  const isNew = fragment.text(start - 1) === "new";
  return { start, path, isNew };
}

/** Whether a keyword declares the name behind it: `function name(`, `func (receiver *Type) name(`. */
function isNamed({ tokens, language }: LexedFragment, start: number): boolean {
  const before = tokens[start - 1];
  const word = before?.text === ")" && language === "go" ? tokens[before.partner - 1] : before;
  return word?.kind === "word" && /^(?:function|func|fn|fun|def|sub|class)$/.test(word.text);
}

/** Whether the name at `at`, with a bracket behind it, is that of a function being declared. */
export function isDeclared(fragment: LexedFragment, at: number): boolean {
  return isDefinition(fragment, at, fragment.tokens[at + 1]?.partner ?? -1);
}

/** `query(text: string): Promise<Row[]>;`, a member of a type of TypeScript. */
function isSignature(fragment: LexedFragment, close: number): boolean {
  const first = (fragment.tokens[close]?.partner ?? close) + 1;
  const colon = fragment.text(first + 1) === "?" ? first + 2 : first + 1;
  return fragment.text(close + 1) === ":" && fragment.isWord(first) && fragment.text(colon) === ":";
}

/** `name(parameters) {`, `type name(parameters)`, `function name(parameters)`. */
function isDefinition(fragment: LexedFragment, start: number, close: number): boolean {
  const { tokens, language } = fragment;
  if (isNamed(fragment, start)) return true;
  const before = tokens[start - 1];
  const isTyped =
    before?.kind === "word" &&
    TYPED.has(language) &&
    (before.text === "void" || !isKeyword(language, before.text));
  if (isTyped && before.line === fragment.lineOf(start)) return true;
  if (close < 0 || !BRACED.has(language)) return false;
  if (language === "javascript" && isSignature(fragment, close)) return true;
  return fragment.text(close + 1) === "{" && fragment.lineOf(close + 1) === fragment.lineOf(close);
}

export function splitAtCommas(fragment: LexedFragment, { from, to }: Range): Range[] {
  const { tokens } = fragment;
  const parts: Range[] = [];
  let start = from;
  for (let index = from; index < to; index++) {
    const token = tokens[index];
    if (token?.kind === "open" && token.partner > index) index = token.partner;
    else if (token?.text === "," && token.kind === "mark") {
      parts.push({ from: start, to: index });
      start = index + 1;
    }
  }
  if (start < to) parts.push({ from: start, to });
  return parts;
}

const PHP_STATEMENTS = /^(?:echo|print|include|include_once|require|require_once|exit|die)$/i;
const RUBY_ENDS = new Set(["do", "if", "unless", "while", "until", "then", "and", "or", "rescue"]);

/** Reads a call without brackets: `system "ls"`, `find_by! id` of Ruby, `echo $x` of PHP. */
export function bareCall(fragment: LexedFragment, at: number): Call | undefined {
  const { tokens, language } = fragment;
  const mark = language === "ruby" && isMarked(fragment, at + 2) ? fragment.text(at + 1) : "";
  const first = at + 1 + mark.length;
  const [word, next] = [tokens[at], tokens[first]];
  if (!word || !next || next.line !== word.line || next.text === "(") return undefined;
  const isMember = MEMBER.has(fragment.text(at - 1));
  if (language === "php" ? !PHP_STATEMENTS.test(word.text) : isKeyword(language, word.text) && !isMember)
    return undefined;
  const begins = next.kind === "string" || next.kind === "number" || next.text === TEMPLATE_OPEN;
  const beginsWord = next.kind === "word" && !RUBY_ENDS.has(next.text) && !isKeyword(language, next.text);
  const symbol = next.text === ":" && tokens[first + 1]?.column === next.column + 1;
  if (
    language === "ruby" &&
    (!(begins || beginsWord || symbol) || word.column + word.text.length + mark.length === next.column)
  ) {
    return undefined;
  }
  let end = statementEnd(fragment, at);
  if (language === "ruby") {
    for (let index = first; index < end; index++) {
      const token = tokens[index];
      if (token?.kind === "open" && token.partner > index && token.text !== "{") index = token.partner;
      else if (token?.text === "{" || (token?.kind === "word" && RUBY_ENDS.has(token.text))) end = index;
    }
  }
  const { start, path } = pathBefore(fragment, at);
  return {
    name: word.text + mark,
    path: path + mark,
    at,
    start,
    isNew: false,
    end,
    args: splitAtCommas(fragment, { from: first, to: end }),
  };
}
