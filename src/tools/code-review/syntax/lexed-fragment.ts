import { firstIndex } from "../../../system/binary-search.ts";
import type { Line } from "../diff/file-change.ts";
import type { Language } from "../language/language.ts";
import { textBeforeCode } from "../lexer/hunk-start.ts";
import { lex } from "../lexer/lexer.ts";
import type { Lexis } from "../lexer/lexis.ts";
import type { Comment, Token, TokenKind } from "../lexer/token.ts";
import { indexBy } from "./lookup/index-by.ts";
import type { Range } from "./range.ts";

/** Maximum uses of a name that `usesIn` returns. */
const MAX_USES = 20;

/** The new side of a hunk: its lines, and the tokens in them. */
export class LexedFragment {
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  #code?: string[];
  #words?: ReadonlyMap<string, readonly number[]>;
  #strings?: readonly number[];

  constructor(
    readonly path: string,
    readonly language: Language,
    readonly lines: readonly Line[],
    lexis: Lexis,
  ) {
    const text = lines.map((line) => line.text).join("\n");
    const skipped = textBeforeCode(text, lexis);
    const blank = text.slice(0, skipped).replace(/[^\n]/g, " ");
    const lexed = lex(skipped > 0 ? blank + text.slice(skipped) : text, lexis);
    this.tokens = lexed.tokens;
    this.comments = skipped > 0 ? [cutComment(text.slice(0, skipped)), ...lexed.comments] : lexed.comments;
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

function indexesOf(tokens: readonly Token[], kind: TokenKind): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < tokens.length; index++) if (tokens[index]?.kind === kind) indexes.push(index);
  return indexes;
}

/** Returns what the names that match lead to. */
export function pick<T>(index: ReadonlyMap<string, readonly T[]>, pattern: RegExp): readonly T[] {
  return [...index].flatMap(([name, all]) => (pattern.test(name) ? all : []));
}

/** Returns the text above the first code as a comment, for a hunk that begins within one. */
function cutComment(text: string): Comment {
  const lines = text.split("\n");
  return { text, line: 0, column: 0, endLine: lines.length - 1, endColumn: (lines.at(-1) as string).length };
}
