import { changedLines } from "../../../text/changed-lines.ts";
import type { Output } from "../../terminal/io.ts";
import { count } from "../../ui/format.ts";
import { oneLine } from "../../ui/terminal-text.ts";
import { shorten } from "../../ui/width.ts";
import type { Edit } from "./line-diff.ts";
import type { Change } from "./roles.ts";

/** Returns at most `most` lines `- old` and `+ new`, wrapped at the terminal's width. */
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

/** The columns of the screen's margin, the change's indentation and the mark of a line. */
const MARGINS = 8;

/** Splits a text into parts of at most `columns` columns. Cuts it if more than about `most` parts would be needed. */
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

/** Returns a title with the author and file, followed by the change. */
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
