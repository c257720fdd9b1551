import { once } from "../../system/caching.ts";
import { byMarks, oneLine, withoutMarks } from "./terminal-text.ts";

/** Characters of one column each that never combine: ASCII, Latin letters, dashes, arrows, lines and our symbols. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u017f\u2010-\u2027\u2190-\u21ff\u2500-\u257f\u2713-\u2718]*$/;
/** Created on first use, as is the segmenter: that takes milliseconds, and most texts are plain. */
const wide = once(
  () =>
    /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u,
);
const nothing = once(() => /^[\p{Mark}\p{Control}\p{Format}]+$/u);
const segmenter = once(() => new Intl.Segmenter());

function graphemes(text: string): string[] {
  return [...segmenter().segment(text)].map(({ segment }) => segment);
}

/** Returns the columns that `text` takes in a terminal when an `Output` writes it. Colour takes none. */
export function columnsOf(text: string): number {
  const visible = withoutMarks(text);
  if (PLAIN.test(visible)) return visible.length;
  return graphemes(visible).reduce((columns, segment) => columns + widthOf(segment), 0);
}

function widthOf(grapheme: string): number {
  if (nothing().test(grapheme)) return 0;
  return wide().test(grapheme) ? 2 : 1;
}

/** Returns `text` in one line of at most `columns`, ending in an ellipsis if it is cut. */
export function shorten(text: string, columns: number, ellipsis: string): string {
  const line = oneLine(text);
  if (columnsOf(line) <= columns) return line;
  let room = columns - columnsOf(ellipsis);
  let cut = "";
  let full = false;
  for (const part of byMarks(line)) {
    // Marks in the cut part are kept, so that styles end.
    if (part.mark) cut += part.text;
    for (const segment of part.mark || full ? [] : graphemes(part.text)) {
      room -= widthOf(segment);
      full = room < 0;
      cut += full ? ellipsis : segment;
      if (full) break;
    }
  }
  return cut;
}

/** Wraps `text` at spaces to lines of at most `columns`, each with the indentation of the first. */
export function wrap(text: string, columns: number): string[] {
  if (columnsOf(text) <= columns) return [text];
  const indent = /^ */.exec(text)?.[0] ?? "";
  const lines: string[] = [];
  let line = "";
  for (const word of text.slice(indent.length).split(" ")) {
    const longer = line === "" ? indent + word : `${line} ${word}`;
    if (line === "" || columnsOf(longer) <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = indent + word;
  }
  return [...lines, line];
}

/** Returns `text` after `prefix`. Wrapped and further lines are indented to the width of the prefix. */
export function hanging(prefix: string, text: string, columns: number): string {
  const indent = columnsOf(prefix);
  const lines = text.split("\n").flatMap((line) => wrap(" ".repeat(indent) + line, columns));
  return prefix + lines.join("\n").slice(indent);
}
