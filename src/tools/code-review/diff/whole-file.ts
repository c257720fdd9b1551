import type { FileChange, Line } from "./file-change.ts";

/** Characters of a file that is read as a whole; of a longer one, its hunks alone. */
const MAX_LENGTH = 1 << 20;

export interface WholeFile {
  /** As the diff names it after the change. */
  path: string;
  content: string;
}

/**
 * A change with its whole file in place of its hunks, so that what is defined outside of them is known. The
 * hunks stay where the file is not the one that the diff leads to, or too long.
 */
export function wholeWhere(change: FileChange, content: string | undefined): FileChange {
  if (content === undefined || content.length > MAX_LENGTH || change.hunks.length === 0) return change;
  const lines: Line[] = content
    .split("\n")
    .map((text, index) => ({ number: index + 1, text: text.replace(/\r$/, ""), added: false }));
  for (const { lines: shown } of change.hunks) {
    for (const { number, text, added } of shown) {
      const line = lines[number - 1];
      if (line?.text !== text.replace(/\r$/, "")) return change;
      line.added = added;
    }
  }
  return { ...change, hunks: [{ lines }] };
}
