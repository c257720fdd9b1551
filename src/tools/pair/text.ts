import { ChangeSet, Text } from "@codemirror/state";
import type { Edit } from "./session-contract.ts";

/**
 * Edits of a text, all against the same one, sorted. Offsets are UTF-16 code units, and every unit
 * stays as it is: CodeMirror's `Text` splits at line breaks and joins with \n, so here each text is
 * one line of it, whatever it holds.
 */
function verbatim(text: string): Text {
  return Text.of([text]);
}

function changeSetOf(edits: readonly Edit[], length: number): ChangeSet {
  return ChangeSet.of(
    edits.map(({ from, to, insert }) => ({ from, to, insert: verbatim(insert) })),
    length,
  );
}

function editsOf(changes: ChangeSet): Edit[] {
  const edits: Edit[] = [];
  changes.iterChanges((from, to, _from, _to, inserted) => {
    edits.push({ from, to, insert: inserted.toString() });
  }, true);
  return edits;
}

/** Code units that a text gains by them, or loses. */
export function growthOf(edits: readonly Edit[]): number {
  return edits.reduce((sum, { from, to, insert }) => sum + insert.length - (to - from), 0);
}

export function applyAll(content: string, changes: readonly { edits: readonly Edit[] }[]): string {
  let text = verbatim(content);
  for (const { edits } of changes) text = changeSetOf(edits, text.length).apply(text);
  return text.toString();
}

/**
 * `edits` so that they do after `earlier` what they were to do before it: operational transformation,
 * by CodeMirror's `ChangeSet.map`. Of insertions at one place, the earlier stand first.
 *
 * @param length Of the text that both are against.
 */
export function rebase(edits: readonly Edit[], earlier: readonly Edit[], length: number): Edit[] {
  return editsOf(changeSetOf(edits, length).map(changeSetOf(earlier, length)));
}

/**
 * The first two edits, by their indexes, that touch the same text: both remove some of it, or one
 * inserts within what the other removes. Insertions at the same place, or at the edge of what was
 * removed, do not.
 */
export function collision(ours: readonly Edit[], theirs: readonly Edit[]): [number, number] | undefined {
  let [our, their] = [0, 0];
  while (our < ours.length && their < theirs.length) {
    const [mine, other] = [ours[our] as Edit, theirs[their] as Edit];
    if (mine.from < other.to && other.from < mine.to) return [our, their];
    if (mine.to <= other.to) our++;
    else their++;
  }
  return undefined;
}
