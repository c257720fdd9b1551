/**
 * `open` and `close` are brackets, of which strings with interpolation are one kind: `open`, chunks of
 * text and the tokens of each hole between brackets of their own, `close`.
 */
export type TokenKind = "word" | "number" | "string" | "regex" | "mark" | "open" | "close";

export interface Token {
  kind: TokenKind;
  /** Of a string: what stands between its quotes, escapes as written. */
  text: string;
  /** Index of its first line in the hunk. */
  line: number;
  /** 0-based, in UTF-16 units. */
  column: number;
  /** Offset in the hunk's text, behind the last character. */
  end: number;
  /** Index of the bracket that belongs to this one; −1 where there is none. */
  partner: number;
}

export interface Comment {
  /** Without its delimiters. */
  text: string;
  line: number;
  column: number;
  /** Where what is no comment begins again. */
  endLine: number;
  endColumn: number;
}

export interface Lexed {
  tokens: Token[];
  comments: Comment[];
}

/** The opening bracket of a string with holes. */
export const TEMPLATE_OPEN = "“";
export const TEMPLATE_CLOSE = "”";
/** The brackets around each hole, whatever the language writes. */
export const HOLE_OPEN = "⟨";
export const HOLE_CLOSE = "⟩";
