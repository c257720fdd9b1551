import { ChangeSet, Text } from "@codemirror/state";
import { applied } from "../../text/changed-lines.ts";
import type { Edit } from "./session-contract.ts";

/**
 * Wraps a text as one line of CodeMirror's `Text`, whatever it holds. `Text` splits at line breaks and joins
 * with \n, but every code unit has to stay as it is.
 */
function verbatim(text: string): Text {
  return Text.of([text]);
}

/** Converts sorted edits of a text of `length`. Offsets are UTF-16 code units in the unedited text. */
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

/** Returns the number of code units that a text gains by the edits, negative if it loses some. */
export function growthOf(edits: readonly Edit[]): number {
  return edits.reduce((sum, { from, to, insert }) => sum + insert.length - (to - from), 0);
}

/** Applies changes one after the other. Not by `ChangeSet.apply`, which copies a text of one line for each edit. */
export function applyAll(content: string, changes: readonly { edits: readonly Edit[] }[]): string {
  return changes.reduce((text, { edits }) => applied(text, edits), content);
}

/**
 * Rebases `edits` over `earlier`, so that they have the same effect after it: operational transformation, by
 * CodeMirror's `ChangeSet.map`. Of insertions at one place, the earlier comes first.
 *
 * @param length of the text that both are against.
 */
export function rebase(edits: readonly Edit[], earlier: readonly Edit[], length: number): Edit[] {
  return editsOf(changeSetOf(edits, length).map(changeSetOf(earlier, length)));
}

/**
 * Returns the indexes of the first two edits that touch the same text: both remove some of it, or one inserts
 * within what the other removes. Insertions at the same place, or at the edge of what was removed, do not
 * touch it.
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
