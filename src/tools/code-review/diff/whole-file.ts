import type { FileChange, Line } from "./file-change.ts";

/** Maximum characters of a file that is read as a whole. Of a longer one, only the hunks are read. */
export const MAX_WHOLE_LENGTH = 1 << 20;

export interface WholeFile {
  /** As the diff names it after the change. */
  path: string;
  content: string;
}

/**
 * Replaces the hunks of a change with its whole file, so that definitions outside of them are known. Returns the
 * change unchanged if the file does not have the diff's lines or is too long.
 */
export function wholeWhere(change: FileChange, content: string | undefined): FileChange {
  if (content === undefined || content.length > MAX_WHOLE_LENGTH || change.hunks.length === 0) return change;
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
