import { NEWLINE } from "./characters.ts";
import type { Lexis } from "./lexis.ts";
import type { Comment, Token, TokenKind } from "./token.ts";

/** Brackets with deeper nesting inside get no partner: contents are scanned per bracket, so depth multiplies work. */
const MAX_HEIGHT = 200;
export const OPENING = "([{";
export const CLOSING = ")]}";
/** Bound on the characters read in vain for ends of strings: a multiple of the text's length, so time is linear. */
const [PATIENCE, MIN_PATIENCE] = [8, 10_000];

/** A place in a text that is read from left to right, with what was read in front of it. */
export abstract class Cursor {
  readonly tokens: Token[] = [];
  readonly comments: Comment[] = [];
  at = 0;
  line = 0;
  lineStart = 0;
  /** Offsets of quotes that turned out not to begin a string. */
  readonly noStrings = new Set<number>();
  /** End offset of a heredoc that is already read; `newline` skips to it. */
  heredocEnd = 0;
  /** Depth of nested holes and heredocs. */
  depth = 0;
  /** Characters read in vain for the end of a string or regular expression that has none. */
  wasted = 0;
  /** Indexes of the brackets that are open. */
  protected readonly brackets: number[] = [];
  /** Depth of the nested brackets inside each of `brackets`. */
  private readonly heights: number[] = [];
  /** The last range that `endOfLine` searched. */
  private searched: readonly [from: number, end: number] = [0, -1];

  constructor(
    readonly text: string,
    readonly lexis: Lexis,
  ) {}

  /** Reads to the end, or to the `stop` that closes a bracket opened before this call. Reports whether it came. */
  abstract run(stop?: string): boolean;

  /** Whether so much was read in vain that ends are no longer looked for: from every quote or slash, that is quadratic. */
  get isOutOfPatience(): boolean {
    return this.wasted > PATIENCE * this.text.length + MIN_PATIENCE;
  }

  push(
    kind: TokenKind,
    text: string,
    start: number,
    end: number,
    line = this.line,
    lineStart = this.lineStart,
  ) {
    this.tokens.push({ kind, text, line, column: start - lineStart, end, partner: -1 });
  }

  open(bracket: string): void {
    this.heights[this.brackets.length] = 0;
    this.brackets.push(this.tokens.length);
    this.push("open", bracket, this.at, ++this.at);
  }

  /** A closing bracket that matches none of the last three opened in this run gets no partner. */
  close(bracket: string, outer: number): void {
    this.push("close", bracket, this.at, ++this.at);
    const index = this.tokens.length - 1;
    const expected = OPENING[CLOSING.indexOf(bracket)];
    for (let depth = this.brackets.length - 1; depth >= outer && depth >= this.brackets.length - 3; depth--) {
      const opening = this.brackets[depth] as number;
      if (this.tokens[opening]?.text !== expected) continue;
      const height = Math.max(...this.heights.slice(depth, this.brackets.length));
      this.brackets.length = depth;
      if (depth > 0) this.heights[depth - 1] = Math.max(this.heights[depth - 1] as number, height + 1);
      if (height < MAX_HEIGHT) this.pair(opening, index);
      return;
    }
  }

  pair(opening: number, closing: number): void {
    (this.tokens[opening] as Token).partner = closing;
    (this.tokens[closing] as Token).partner = opening;
  }

  /** Restores an earlier state and discards what was read since. */
  rewind(to: ReturnType<Cursor["state"]>): void {
    [this.at, this.line, this.lineStart] = [to.at, to.line, to.lineStart];
    this.tokens.length = to.tokens;
    this.comments.length = to.comments;
    this.brackets.length = to.brackets;
  }

  state() {
    const { at, line, lineStart, tokens, comments, brackets } = this;
    const read = { tokens: tokens.length, comments: comments.length, brackets: brackets.length };
    return { at, line, lineStart, ...read };
  }

  newline(): void {
    this.line++;
    this.lineStart = ++this.at;
    while (this.at < this.heredocEnd) if (this.text.charCodeAt(this.at++) === NEWLINE) this.nextLine();
  }

  nextLine(): void {
    this.line++;
    this.lineStart = this.at;
  }

  /** Returns the end of the current line. Each line is searched for it once, however often it is asked for. */
  endOfLine(): number {
    const { text, at } = this;
    const [from, end] = this.searched;
    if (from <= at && at <= end) return end;
    const found = text.indexOf("\n", at);
    this.searched = [at, found < 0 ? text.length : found];
    return this.searched[1];
  }
}
