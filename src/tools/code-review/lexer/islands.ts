import { NEWLINE } from "./characters.ts";
import type { Lexer } from "./lexer.ts";

/** Delimiters of the code in a page that is otherwise markup. */
export interface Islands {
  /** Common prefix of all openings, including those that do not open code. */
  mark: string;
  opening: RegExp;
  /** An opening whose expression is output, and the keyword of the equivalent statement. */
  writing?: { opening: string; word: string };
  closing: string;
  /** Another closing, of another opening. */
  otherClosing?: string;
  /** A sign that may precede the closing and belongs to it. */
  closingSign?: string;
  /** Whether a text without any mark is markup instead of code. */
  isMarkup?: boolean;
}

/** `<?php … ?>` and `<?= … ?>` */
export const PHP_PAGE: Islands = {
  mark: "<?",
  opening: /<\?(?:php\b|=|(?=\s))/gi,
  writing: { opening: "<?=", word: "echo" },
  closing: "?>",
};

/** PHP in a page of Blade, whose braces and directives are read as markup: `@php … @endphp` beside PHP's own. */
export const BLADE_PAGE: Islands = {
  ...PHP_PAGE,
  opening: /<\?(?:php\b|=|(?=\s))|@php\b(?!\s{0,4}\()/gi,
  otherClosing: "@endphp",
  isMarkup: true,
};

/** `<% … %>`, `<%= … %>` and `<%- … -%>` of ERB; `<%%` stands for `<%`. */
export const ERB_PAGE: Islands = {
  mark: "<%",
  opening: /<%(?!%)(?:==?|-)?/g,
  closing: "%>",
  closingSign: "-",
  isMarkup: true,
};

/** `<script>`, unless it holds data or a template. */
export const SCRIPTS: Islands = {
  mark: "<script",
  opening:
    /<script\b(?![^>]{0,400}\btype\s{0,4}=\s{0,4}["']?(?:application\/(?:ld\+)?json|text\/(?:x-|ng-)?(?:template|html|handlebars)|importmap|speculationrules))[^>]{0,400}>/gi,
  closing: "</script",
};

/** Whether a text begins in markup, judged by its marks. A text without marks is code unless `isMarkup` is set. */
export function beginsOutside(
  text: string,
  { mark, closing, otherClosing, isMarkup = false }: Islands,
): boolean {
  const other = otherClosing === undefined ? -1 : text.indexOf(otherClosing);
  if (other >= 0) return text.lastIndexOf("@php", other) >= 0;
  const open = text.indexOf(mark);
  const close = text.indexOf(closing);
  if (open < 0 && close < 0) return isMarkup;
  return open >= 0 && (close < 0 || open < close);
}

export function hasIslands(text: string, { mark, closing }: Islands): boolean {
  return text.includes(closing) || text.includes(mark);
}

/** Skips markup up to the start of the next code. */
export function enterCode(lexer: Lexer, { opening, writing }: Islands): void {
  const { text } = lexer;
  opening.lastIndex = lexer.at;
  const found = opening.exec(text);
  skipTo(lexer, found?.index ?? text.length);
  if (!found) return;
  const end = lexer.at + found[0].length;
  if (found[0] === writing?.opening) lexer.push("word", writing.word, lexer.at, end);
  lexer.at = end;
}

/**
 * If code ends at the current offset, ends its statement and skips the markup that follows. Reports whether it did.
 */
export function leaveCode(lexer: Lexer, islands: Islands): boolean {
  const { closing, otherClosing, closingSign } = islands;
  const signs =
    closingSign && lexer.text.startsWith(closingSign + closing, lexer.at) ? closingSign.length : 0;
  const closed = [closing, otherClosing].find(
    (each) => each && lexer.text.startsWith(each, lexer.at + signs),
  );
  if (!closed) return false;
  const end = lexer.at + signs + closed.length;
  lexer.push("mark", ";", lexer.at, end);
  lexer.at = end;
  enterCode(lexer, islands);
  return true;
}

function skipTo(lexer: Lexer, end: number): void {
  while (lexer.at < end) if (lexer.text.charCodeAt(lexer.at++) === NEWLINE) lexer.nextLine();
}
