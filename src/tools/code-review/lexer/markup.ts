import { NEWLINE } from "./characters.ts";
import type { Cursor } from "./cursor.ts";
import type { Islands } from "./islands.ts";

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
export function enterCode(cursor: Cursor, { opening, writing }: Islands): void {
  const { text } = cursor;
  opening.lastIndex = cursor.at;
  const found = opening.exec(text);
  skipTo(cursor, found?.index ?? text.length);
  if (!found) return;
  const end = cursor.at + found[0].length;
  if (found[0] === writing?.opening) cursor.push("word", writing.word, cursor.at, end);
  cursor.at = end;
}

/**
 * If code ends at the current offset, ends its statement and skips the markup that follows. Reports whether it did.
 */
export function leaveCode(cursor: Cursor, islands: Islands): boolean {
  const { closing, otherClosing, closingSign } = islands;
  const signs =
    closingSign && cursor.text.startsWith(closingSign + closing, cursor.at) ? closingSign.length : 0;
  const closed = [closing, otherClosing].find(
    (each) => each && cursor.text.startsWith(each, cursor.at + signs),
  );
  if (!closed) return false;
  const end = cursor.at + signs + closed.length;
  cursor.push("mark", ";", cursor.at, end);
  cursor.at = end;
  enterCode(cursor, islands);
  return true;
}

function skipTo(cursor: Cursor, end: number): void {
  while (cursor.at < end) if (cursor.text.charCodeAt(cursor.at++) === NEWLINE) cursor.nextLine();
}
