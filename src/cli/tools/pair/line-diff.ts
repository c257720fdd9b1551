import { diffArrays } from "diff";
import { applied } from "../../../text/changed-lines.ts";

/** Replaces [`from`, `to`) by `insert`; offsets are UTF-16 code units. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

/** The most removed and inserted lines to search for. Beyond it, one edit replaces everything, to bound the time. */
const MAX_DIFFERENT = 2000;
/** The most edits of one change. */
const MAX_EDITS = 1000;
/** A longer word, such as encoded data, is split. */
const MAX_WORD = 100;
/** Letters with upper and lower case: scripts without, such as Chinese, put no spaces between words. */
const LETTERS = String.raw`[\p{Lu}\p{Ll}\p{Lt}\p{N}\p{M}_$]`;
const TWO_LETTERS = new RegExp(`^${LETTERS}{2}$`, "u");
const WORD_BEFORE = new RegExp(`${LETTERS}+$`, "u");
const WORD_AFTER = new RegExp(`^${LETTERS}+`, "u");

/** Returns what two versions of a text make together; undefined if they differ from it in the same place. */
export function merged(before: string, one: string, other: string): string | undefined {
  if (one === other || other === before) return one;
  if (one === before) return other;
  const ours = editsBetween(before, one);
  const alike = new Set(ours.map((edit) => JSON.stringify(edit)));
  const theirs = editsBetween(before, other).filter((edit) => !alike.has(JSON.stringify(edit)));
  const edits = [...ours, ...theirs].sort((left, right) => left.from - right.from);
  const isOurs = new Set(ours);
  for (const [index, edit] of edits.entries()) {
    const next = edits[index + 1];
    if (next && next.from <= edit.to && isOurs.has(next) !== isOurs.has(edit)) return undefined;
  }
  return applied(before, edits);
}

/**
 * Returns the edits that turn `before` into `after`: a minimal diff of lines, where edits of changed lines leave
 * out the common prefix and suffix.
 */
export function editsBetween(before: string, after: string): Edit[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const hunks = hunksOf(old, fresh);
  const editOf = ({ oldStart, oldEnd, newStart, newEnd }: Hunk): Edit[] => {
    const [from, to] = [old.starts[oldStart] as number, old.starts[oldEnd] as number];
    const insert = after.slice(fresh.starts[newStart], fresh.starts[newEnd]);
    return narrowed({ from, to, insert }, before.slice(from, to));
  };
  for (const parts of [hunks.flatMap(lineByLine), hunks]) {
    const edits = parts.flatMap(editOf);
    if (edits.length <= MAX_EDITS) return edits;
  }
  return narrowed({ from: 0, to: before.length, insert: after }, before);
}

/** Splits a hunk into single lines if it has as many lines after as before. */
function lineByLine(hunk: Hunk): Hunk[] {
  const { oldStart, oldEnd, newStart, newEnd } = hunk;
  if (oldEnd - oldStart !== newEnd - newStart) return [hunk];
  return Array.from({ length: oldEnd - oldStart }, (_, index) => ({
    oldStart: oldStart + index,
    oldEnd: oldStart + index + 1,
    newStart: newStart + index,
    newEnd: newStart + index + 1,
  }));
}

interface Lines {
  texts: string[];
  /** The offset of each line, and of the end of the text. */
  starts: number[];
}

function linesOf(text: string): Lines {
  const texts = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const starts = [0];
  for (const line of texts) starts.push((starts.at(-1) as number) + line.length);
  return { texts, starts };
}

/** Lines [`oldStart`, `oldEnd`) become [`newStart`, `newEnd`). */
interface Hunk {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

function hunksOf({ texts: old }: Lines, { texts: fresh }: Lines): Hunk[] {
  const parts = diffArrays(old, fresh, { maxEditLength: MAX_DIFFERENT });
  if (!parts) return [{ oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length }];
  const hunks: Hunk[] = [];
  let [oldEnd, newEnd] = [0, 0];
  for (const { added, removed, count } of parts) {
    const [oldStart, newStart] = [oldEnd, newEnd];
    if (!added) oldEnd += count;
    if (!removed) newEnd += count;
    if (!added && !removed) continue;
    const last = hunks.at(-1);
    // A removal and the insertion in its place are two parts.
    if (last?.oldEnd === oldStart && last.newEnd === newStart) Object.assign(last, { oldEnd, newEnd });
    else hunks.push({ oldStart, oldEnd, newStart, newEnd });
  }
  return hunks;
}

/**
 * Removes the common prefix and suffix from an edit, without splitting surrogate pairs or words. Empty if nothing is left.
 * Of two people who change the same number, one to 22 and one to 33, one would otherwise insert a digit beside what the
 * other replaces: no conflict, and 332.
 */
function narrowed({ from, to, insert }: Edit, removed: string): Edit[] {
  if (removed === insert) return [];
  const most = Math.min(removed.length, insert.length);
  let start = 0;
  while (start < most && removed[start] === insert[start]) start++;
  if (start > 0 && isHigh(removed.charCodeAt(start - 1))) start--;
  let end = 0;
  while (end < most - start && removed.at(-1 - end) === insert.at(-1 - end)) end++;
  if (end > 0 && isLow(removed.charCodeAt(removed.length - end))) end--;
  const after = removed.length - end;
  if ([removed, insert].some((text) => isWithinWord(text, start))) {
    start -= lengthOf(WORD_BEFORE, removed.slice(Math.max(0, start - MAX_WORD - 1), start));
  }
  if ([removed, insert].some((text) => isWithinWord(text, text.length - end))) {
    end -= lengthOf(WORD_AFTER, removed.slice(after, after + MAX_WORD + 1));
  }
  return [{ from: from + start, to: to - end, insert: insert.slice(start, insert.length - end) }];
}

/** Whether the characters on both sides of an offset belong to one word. */
function isWithinWord(text: string, offset: number): boolean {
  return offset > 0 && TWO_LETTERS.test(text.slice(offset - 1, offset + 1));
}

/** Returns the length of the word that a text ends or begins with; 0 if it is longer than `MAX_WORD`, such as data. */
function lengthOf(word: RegExp, text: string): number {
  const length = word.exec(text)?.[0].length ?? 0;
  return length > MAX_WORD ? 0 : length;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
