import { beginsLine, isDigit, isSpace, isWordPart, NEWLINE } from "./characters.ts";
import { CLOSING, Cursor, OPENING } from "./cursor.ts";
import type { Lexis, StringForm } from "./lexis.ts";
import { markLength } from "./marks.ts";
import { beginsOutside, enterCode, leaveCode } from "./markup.ts";
import { scanHeredoc, scanString } from "./strings.ts";
import type { Lexed } from "./token.ts";

const [DOUBLE_QUOTE, SINGLE_QUOTE, SLASH] = [34, 39, 47];
/** Words after which a slash begins a regular expression. */
const BEFORE_EXPRESSION = new Set("return typeof case in of when if unless and or not".split(" "));

export function lex(text: string, lexis: Lexis): Lexed {
  const lexer = new Lexer(text, lexis);
  if (lexis.islands && beginsOutside(text, lexis.islands)) enterCode(lexer, lexis.islands);
  lexer.run();
  // The text of a heredoc is read before the rest of the line that announces it.
  return {
    tokens: lexer.tokens,
    comments: lexer.comments.sort((a, b) => a.line - b.line || a.column - b.column),
  };
}

/** Reads a hunk's text once from left to right. A character that it cannot read becomes a mark, never an error. */
class Lexer extends Cursor {
  /** The range that the last unterminated regular expression was searched in. */
  private unended: readonly [from: number, to: number] = [0, 0];
  /** 1 at the codes of characters that a comment or string may begin with. */
  private readonly begins: Uint8Array;

  constructor(text: string, lexis: Lexis) {
    super(text, lexis);
    this.begins = beginningsOf(lexis);
  }

  run(stop?: string): boolean {
    const { text, lexis } = this;
    const outer = this.brackets.length;
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      if (this.begins[code] === 1 && (this.comment() || this.string(code))) continue;
      if (code === NEWLINE) this.newline();
      else if (isSpace(code)) this.at++;
      else if (isWordPart(code) && !isDigit(code)) this.word();
      else if (isDigit(code)) this.number();
      else {
        const character = text[this.at] as string;
        if (stop === character && this.brackets.length === outer) return true;
        if (lexis.islands && leaveCode(this, lexis.islands)) continue;
        if (OPENING.includes(character)) this.open(character);
        else if (CLOSING.includes(character)) this.close(character, outer);
        else if (lexis.wordStart.includes(character)) this.word();
        else if (code === SLASH && lexis.regularExpressions && this.regularExpression()) continue;
        else this.mark();
      }
    }
    return false;
  }

  private comment(): boolean {
    const { text, at, lexis } = this;
    for (const [open, close] of lexis.blockComments) {
      if (!text.startsWith(open, at)) continue;
      const found = text.indexOf(close, at + open.length);
      const to = found < 0 ? text.length : found;
      return this.readComment(at + open.length, to, found < 0 ? to : to + close.length);
    }
    for (const sign of lexis.lineComments) {
      if (!text.startsWith(sign, at)) continue;
      if (lexis.commentsStandApart && at > this.lineStart && !isSpace(text.charCodeAt(at - 1))) continue;
      const end = this.endOfComment();
      return this.readComment(at + sign.length, end, end);
    }
    return false;
  }

  private readComment(from: number, to: number, end: number): true {
    const { text, line } = this;
    const column = this.at - this.lineStart;
    while (this.at < end) if (text.charCodeAt(this.at++) === NEWLINE) this.nextLine();
    const place = { line, column, endLine: this.line, endColumn: end - this.lineStart };
    this.comments.push({ text: text.slice(from, to), ...place });
    return true;
  }

  /** Returns the end of a line comment: the end of the line, or of the code island if that comes first. */
  private endOfComment(): number {
    const { text, at, lexis } = this;
    const end = this.endOfLine();
    const close = lexis.islands ? text.slice(at, end).indexOf(lexis.islands.closing) : -1;
    return close < 0 ? end : at + close;
  }

  private string(code: number): boolean {
    const { text, at, lexis } = this;
    if (lexis.heredoc && code === 60 && scanHeredoc(this, lexis.heredoc)) return true;
    for (const form of lexis.strings) {
      if (text.charCodeAt(at) === form.open.charCodeAt(0) && text.startsWith(form.open, at)) {
        return (
          !this.noStrings.has(at) &&
          scanString(this, this.isPattern() ? { ...form, holes: "brace-name" } : form)
        );
      }
    }
    return false;
  }

  /** Whether the string at the current offset is an argument of a formatting macro: `format!(`, `write!(to, `. */
  private isPattern(): boolean {
    const { formatting } = this.lexis;
    const opening = this.brackets.at(-1);
    if (!formatting || opening === undefined || this.tokens[opening - 1]?.text !== "!") return false;
    return formatting.test(this.tokens[opening - 2]?.text ?? "");
  }

  private word(): void {
    const { text, at, lexis } = this;
    let end = at + 1;
    while (end < text.length && isWordPart(text.charCodeAt(end))) end++;
    const word = text.slice(at, end);
    const next = text.charCodeAt(end);
    if (next === DOUBLE_QUOTE || next === SINGLE_QUOTE) {
      const change = lexis.prefixes.get(word) ?? lexis.prefixes.get(word.toLowerCase());
      if (change && this.prefixedString(end, change)) return;
    }
    this.push("word", word, at, end);
    this.at = end;
  }

  private prefixedString(quote: number, change: Partial<StringForm>): boolean {
    const form = this.lexis.strings.find(({ open }) => this.text.startsWith(open, quote));
    if (!form || this.noStrings.has(quote)) return false;
    const before = this.state();
    this.at = quote;
    if (scanString(this, { ...form, ...change })) return true;
    this.rewind(before);
    return false;
  }

  private number(): void {
    const { text, at } = this;
    let end = at + 1;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (!isWordPart(code) && !(text[end] === "." && isDigit(text.charCodeAt(end + 1)))) break;
    }
    this.push("number", text.slice(at, end), at, end);
    this.at = end;
  }

  private regularExpression(): boolean {
    const { text, at, lexis } = this;
    const before = lexis.linesEndStatements && beginsLine(text, at) ? undefined : this.tokens.at(-1);
    if (before?.kind === "number" || before?.kind === "string" || before?.kind === "regex") return false;
    if (before?.kind === "word" && !BEFORE_EXPRESSION.has(before.text)) return false;
    if (before?.kind === "close" || before?.text === "<" || text[at + 1] === ">") return false;
    if (this.isOutOfPatience) return false;
    const [from, to] = this.unended;
    let inClass = false;
    let end = at + 1;
    for (; end < text.length; end++) {
      const character = text[end];
      if (character === "\n") break;
      if (character === "\\") end++;
      else if (character === "[" || character === "]") {
        // From the first bracket on, this scan repeats the earlier one that found no end.
        if (from < at && at < to) return false;
        inClass = character === "[";
      } else if (character === "/" && !inClass) {
        do end++;
        while (isWordPart(text.charCodeAt(end)));
        this.push("regex", text.slice(at, end), at, end);
        this.at = end;
        return true;
      }
    }
    this.unended = [at, end];
    this.wasted += end - at;
    return false;
  }

  private mark(): void {
    const { text, at, lexis } = this;
    const length = markLength(text, at);
    const mark = text.slice(at, at + length);
    const name = mark === lexis.concatenation ? "+" : mark === `${lexis.concatenation}=` ? "+=" : mark;
    this.push("mark", name, at, at + length);
    this.at = at + length;
  }
}

const beginnings = new WeakMap<Lexis, Uint8Array>();

function beginningsOf(lexis: Lexis): Uint8Array {
  const known = beginnings.get(lexis);
  if (known) return known;
  const made = new Uint8Array(128);
  const signs = [...lexis.lineComments, ...lexis.blockComments.map(([open]) => open)];
  for (const sign of [...signs, ...lexis.strings.map(({ open }) => open), ...(lexis.heredoc ? ["<"] : [])]) {
    made[sign.charCodeAt(0)] = 1;
  }
  beginnings.set(lexis, made);
  return made;
}
