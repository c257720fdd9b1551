import { firstIndex } from "../../../system/binary-search.ts";
import type { Line } from "../diff/file-change.ts";
import type { Language } from "../language/language.ts";
import { textBeforeCode } from "../lexer/hunk-start.ts";
import { lex } from "../lexer/lexer.ts";
import type { Lexis } from "../lexer/lexis.ts";
import type { Comment, Token, TokenKind } from "../lexer/token.ts";
import type { Project } from "../project.ts";
import { Branches } from "./branches/branches.ts";
import { type Call, callsOf } from "./calls.ts";
import { indexBy } from "./lookup/index-by.ts";
import { Nesting } from "./lookup/nesting.ts";
import { Names } from "./names.ts";
import type { Range } from "./range.ts";

/** Maximum uses of a name that `usesIn` returns. */
const MAX_USES = 20;

/** The new side of a hunk as rules see it: lines, tokens, and structures built from them, each computed once. */
export class Fragment {
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  #calls?: readonly Call[];
  #names?: Names;
  #callsAround?: { sorted: readonly Call[]; nesting: Nesting };
  #branches?: Branches;
  #code?: string[];
  #words?: ReadonlyMap<string, readonly number[]>;
  #strings?: readonly number[];
  #callsByName?: ReadonlyMap<string, readonly Call[]>;

  constructor(
    readonly path: string,
    readonly language: Language,
    readonly lines: readonly Line[],
    lexis: Lexis,
    /** The other files that it may look functions up in. */
    readonly project?: Project,
  ) {
    const text = lines.map((line) => line.text).join("\n");
    const skipped = textBeforeCode(text, lexis);
    const blank = text.slice(0, skipped).replace(/[^\n]/g, " ");
    const lexed = lex(skipped > 0 ? blank + text.slice(skipped) : text, lexis);
    this.tokens = lexed.tokens;
    this.comments = skipped > 0 ? [cutComment(text.slice(0, skipped)), ...lexed.comments] : lexed.comments;
  }

  /** Every call, in the order of the text. */
  get calls(): readonly Call[] {
    this.#calls ??= callsOf(this);
    return this.#calls;
  }

  /** Returns calls whose last word matches. Each distinct word is tested once. */
  callsOf(names: RegExp): readonly Call[] {
    this.#callsByName ??= indexBy(this.calls, ({ name }) => name);
    return pick(this.#callsByName, names);
  }

  /** Returns calls whose last word is this one. */
  callsNamed(name: string): readonly Call[] {
    this.#callsByName ??= indexBy(this.calls, ({ name }) => name);
    return this.#callsByName.get(name) ?? [];
  }

  /** Returns the innermost call whose arguments contain a token. */
  callAround(at: number): Call | undefined {
    this.#callsAround ??= nested(this);
    const { sorted, nesting } = this.#callsAround;
    return sorted[nesting.innermost(at)];
  }

  /** Yields the call whose name is at `at`, and then those around it, the innermost first. */
  *callsAround(at: number): Generator<Call> {
    for (let call = this.callAround(at + 1); call; call = this.callAround(call.at)) yield call;
  }

  /** Returns the indexes of the words that match. */
  wordsLike(pattern: RegExp): readonly number[] {
    return pick(this.words, pattern);
  }

  /** Indexes of all words, by their text. */
  get words(): ReadonlyMap<string, readonly number[]> {
    this.#words ??= indexBy(indexesOf(this.tokens, "word"), (index) => this.text(index));
    return this.#words;
  }

  /** Returns the indexes of a word in a range, at most the first `MAX_USES`. */
  usesIn(word: string, { from, to }: Range): readonly number[] {
    const places = this.words.get(word) ?? [];
    const next = firstIndex(places, (at) => at >= from);
    return places.slice(next, next + MAX_USES).filter((at) => at < to);
  }

  /** Indexes of all strings and their pieces. */
  get strings(): readonly number[] {
    this.#strings ??= indexesOf(this.tokens, "string");
    return this.#strings;
  }

  /** Returns the indexes of the strings that match. */
  stringsLike(pattern: RegExp): readonly number[] {
    return this.strings.filter((index) => pattern.test(this.text(index)));
  }

  /** Functions, definitions and imports. */
  get names(): Names {
    this.#names ??= new Names(this);
    return this.#names;
  }

  /** Conditional statements. */
  get branches(): Branches {
    this.#branches ??= new Branches(this);
    return this.#branches;
  }

  /** Returns a line with its comments replaced by blanks. */
  code(line: number): string {
    this.#code ??= this.withoutComments();
    return this.#code[line] as string;
  }

  /** Returns the line of a token; -1 outside the hunk. */
  lineOf(index: number): number {
    return this.tokens[index]?.line ?? -1;
  }

  /** Returns the text of a token; empty outside the hunk. */
  text(index: number): string {
    return this.tokens[index]?.text ?? "";
  }

  /** Returns the texts of the tokens in a range. */
  texts({ from, to }: Range): string[] {
    return this.tokens.slice(from, to).map(({ text }) => text);
  }

  /** Returns the path that a range of names and marks spells, with dots between the names: `this->key` is `this.key`. */
  pathIn({ from, to }: Range): string {
    return this.tokens
      .slice(from, to)
      .map(({ kind, text }) => (kind === "mark" ? "." : text))
      .join("");
  }

  /** Returns the first character of a token as written in the file: the text of PHP's `.` operator is `+`. */
  written(index: number): string {
    const token = this.tokens[index];
    return (token && this.lines[token.line]?.text[token.column]) ?? "";
  }

  isWord(index: number): boolean {
    return this.tokens[index]?.kind === "word";
  }

  isString(index: number): boolean {
    return this.tokens[index]?.kind === "string";
  }

  isAdded(line: number): boolean {
    return this.lines[line]?.added === true;
  }

  private withoutComments(): string[] {
    const lines = this.lines.map(({ text }) => ({ text, code: "", end: 0 }));
    for (const { line, column, endLine, endColumn } of this.comments) {
      for (const [index, each] of lines.slice(line, endLine + 1).entries()) {
        const from = index === 0 ? column : 0;
        const to = line + index === endLine ? endColumn : each.text.length;
        each.code += each.text.slice(each.end, from) + " ".repeat(Math.max(0, to - from));
        each.end = to;
      }
    }
    return lines.map(({ text, code, end }) => code + text.slice(end));
  }
}

/** Maximum nesting of calls. Deeper ones count as part of the call around them. */
const MAX_CALL_DEPTH = 50;

function nested({ tokens, calls }: Fragment) {
  const sorted = [...calls].sort((a, b) => a.at - b.at || b.end - a.end);
  const ranges = sorted.map(({ at, end }) => ({ from: at + 1, to: end }));
  return { sorted, nesting: new Nesting(ranges, tokens.length, MAX_CALL_DEPTH) };
}

function indexesOf(tokens: readonly Token[], kind: TokenKind): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < tokens.length; index++) if (tokens[index]?.kind === kind) indexes.push(index);
  return indexes;
}

function pick<T>(index: ReadonlyMap<string, readonly T[]>, pattern: RegExp): readonly T[] {
  return [...index].flatMap(([name, all]) => (pattern.test(name) ? all : []));
}

/** Returns the text above the first code as a comment, for a hunk that begins within one. */
function cutComment(text: string): Comment {
  const lines = text.split("\n");
  return { text, line: 0, column: 0, endLine: lines.length - 1, endColumn: (lines.at(-1) as string).length };
}
