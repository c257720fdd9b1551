/** Replaces [`from`, `to`) by `insert`; offsets are UTF-16 code units. */
interface Edit {
  from: number;
  to: number;
  insert: string;
}

/** Whole lines that edits touch, before and after. */
export interface ChangedLines {
  /** Number of the first line in the original text, from 1. */
  line: number;
  removed: string[];
  inserted: string[];
}

/** Applies edits to a text. @param edits sorted and without overlaps */
export function applied(content: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, insert } of edits) {
    pieces.push(content.slice(at, from), insert);
    at = to;
  }
  return pieces.join("") + content.slice(at);
}

/** Returns the lines that edits change. Edits of the same lines are merged. */
export function changedLines(content: string, edits: readonly Edit[]): ChangedLines[] {
  const groups: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of edits) {
    const start = edit.from === 0 ? 0 : content.lastIndexOf("\n", edit.from - 1) + 1;
    const newline = content.indexOf("\n", Math.max(edit.to, edit.from));
    const end = newline < 0 ? content.length : newline + 1;
    const last = groups.at(-1);
    // Behind the last line, which ends without a line break, is still in it.
    if (last && (start < last.end || start === last.start)) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else groups.push({ start, end, edits: [edit] });
  }
  let [line, counted] = [1, 0];
  return groups.map(({ start, end, edits: own }) => {
    for (let at = content.indexOf("\n", counted); at >= 0 && at < start; at = content.indexOf("\n", at + 1)) {
      line++;
    }
    counted = start;
    const before = content.slice(start, end);
    const after = applied(
      before,
      own.map(({ from, to, insert }) => ({ from: from - start, to: to - start, insert })),
    );
    return { line, ...withoutCommon(linesOf(before), linesOf(after)) };
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
