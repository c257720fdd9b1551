import type { Output } from "../../terminal/io.ts";
import { count } from "../../ui/format.ts";
import { oneLine } from "../../ui/terminal-text.ts";
import { shorten } from "../../ui/width.ts";
import type { Edit } from "./line-diff.ts";
import type { Change } from "./roles.ts";

/** Whole lines that edits touch, as they were and as they are. */
interface ChangedLines {
  /** Of the first, in the text as it was; the first line of all is 1. */
  line: number;
  removed: string[];
  inserted: string[];
}

export function applied(content: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, insert } of edits) {
    pieces.push(content.slice(at, from), insert);
    at = to;
  }
  return pieces.join("") + content.slice(at);
}

/** What edits do to the lines of a text; edits of the same lines together. */
export function changedLines(content: string, edits: readonly Edit[]): ChangedLines[] {
  const groups: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of edits) {
    const start = content.lastIndexOf("\n", edit.from - 1) + 1;
    const newline = content.indexOf("\n", Math.max(edit.to, edit.from));
    const end = newline < 0 ? content.length : newline + 1;
    const last = groups.at(-1);
    if (last && edit.from < last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else groups.push({ start, end, edits: [edit] });
  }
  return groups.map(({ start, end, edits: own }) => {
    const before = content.slice(start, end);
    const after = applied(
      before,
      own.map(({ from, to, insert }) => ({ from: from - start, to: to - start, insert })),
    );
    return {
      line: content.slice(0, start).split("\n").length,
      ...withoutCommon(linesOf(before), linesOf(after)),
    };
  });
}

function withoutCommon(removed: string[], inserted: string[]): Omit<ChangedLines, "line"> {
  const left = [...removed];
  const right = [...inserted];
  while (left.length > 0 && right.length > 0 && left.at(-1) === right.at(-1)) {
    left.pop();
    right.pop();
  }
  return { removed: left, inserted: right };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** `- old` and `+ new`, as wide as the terminal and what is longer below it, at most so many. */
export function diffLines(content: string, edits: readonly Edit[], output: Output, most: number): string[] {
  const { style, symbols, columns } = output;
  const all = changedLines(content, edits).flatMap(({ line, removed, inserted }) => [
    ...removed.map((text, index) => ({ mark: "-", line: line + index, text })),
    ...inserted.map((text, index) => ({ mark: "+", line: line + index, text })),
  ]);
  const width = Math.max(0, ...all.slice(0, most).map(({ line }) => String(line).length));
  const rows = all.slice(0, most).flatMap(({ mark, line, text }) => {
    const colour = mark === "-" ? style.red : style.green;
    const parts = broken(text.replaceAll("\t", "  "), columns - width - MARGINS, most);
    return parts.map((part, index) =>
      index === 0
        ? `${style.dim(String(line).padStart(width))} ${colour(`${mark} ${part}`)}`
        : `${" ".repeat(width + 3)}${colour(part)}`,
    );
  });
  const rest = all.length - most;
  if (rest <= 0 && rows.length <= most) return rows;
  const more = rest > 0 ? ` ${count(rest, "more line")}` : "";
  return [...rows.slice(0, most), style.dim(`${symbols.ellipsis}${more}`)];
}

/** Of the screen, of the change, and the mark of a line. */
const MARGINS = 8;

/** A text in parts of so many columns, as many as may be shown. */
function broken(text: string, columns: number, most: number): string[] {
  if (columns === Number.POSITIVE_INFINITY) return [text];
  const parts: string[] = [];
  let rest = oneLine(text.slice(0, columns * (most + 1)));
  do {
    const part = shorten(rest, columns, "");
    parts.push(part);
    rest = part === "" ? "" : rest.slice(part.length);
  } while (rest !== "");
  return parts;
}

/** Who changed what, and the change under it. */
export function changeLines(content: string, change: Change, output: Output, most: number): string[] {
  const { style, symbols } = output;
  const title = [
    style.dim(new Date(change.at).toTimeString().slice(0, 8)),
    `${style.bold(change.author)} ${change.path}`,
    ...(change.rebased ? [style.dim("rebased")] : []),
    style.dim(`#${change.sequence}`),
  ].join("  ");
  return [
    title,
    ...(change.message ? [`  ${shorten(change.message, output.columns - 6, symbols.ellipsis)}`] : []),
    ...diffLines(content, change.edits, output, most).map((line) => `  ${line}`),
  ];
}
