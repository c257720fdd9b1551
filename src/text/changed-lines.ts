/** Replaces [`from`, `to`) by `insert`; offsets are UTF-16 code units. */
interface Edit {
  from: number;
  to: number;
  insert: string;
}

/** Whole lines that edits touch, as they were and as they are. */
export interface ChangedLines {
  /** Of the first, in the text as it was; the first line of all is 1. */
  line: number;
  removed: string[];
  inserted: string[];
}

/** @param edits sorted and without overlaps. */
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
    const start = edit.from === 0 ? 0 : content.lastIndexOf("\n", edit.from - 1) + 1;
    const newline = content.indexOf("\n", Math.max(edit.to, edit.from));
    const end = newline < 0 ? content.length : newline + 1;
    const last = groups.at(-1);
    if (last && edit.from < last.end) {
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
