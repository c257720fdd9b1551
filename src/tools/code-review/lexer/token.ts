/**
 * `open` and `close` are brackets. A string with interpolation is a bracket too: `open`, chunks of text, the tokens
 * of each hole between brackets of their own, `close`.
 */
export type TokenKind = "word" | "number" | "string" | "regex" | "mark" | "open" | "close";

export interface Token {
  kind: TokenKind;
  /** For a string, the text between its quotes, with escapes as written. */
  text: string;
  /** Index of its first line in the hunk. */
  line: number;
  /** 0-based, in UTF-16 units. */
  column: number;
  /** Offset in the hunk's text, behind the last character. */
  end: number;
  /** Index of the matching bracket; −1 if there is none. */
  partner: number;
}

export interface Comment {
  /** Without its delimiters. */
  text: string;
  line: number;
  column: number;
  /** Line of the first position behind the comment. */
  endLine: number;
  endColumn: number;
}

export interface Lexed {
  tokens: Token[];
  /** In the order of the text. */
  comments: Comment[];
}

/** The opening bracket of a string with holes. */
export const TEMPLATE_OPEN = "“";
export const TEMPLATE_CLOSE = "”";
/** The brackets around each hole, whatever the language writes. */
export const HOLE_OPEN = "⟨";
export const HOLE_CLOSE = "⟩";
