import type { Steps } from "../../../store/projection.ts";

/** Number of items sorted in one step. Longer lists are merged step by step. */
const MAX_RUN = 1024;

/** Sorts in steps, with a merge sort. */
export function* inOrder(
  items: readonly number[],
  precedes: (one: number, other: number) => boolean,
): Steps<number[]> {
  let runs: number[][] = [];
  for (let start = 0; start < items.length; start += MAX_RUN) {
    runs.push(items.slice(start, start + MAX_RUN).sort((one, other) => (precedes(one, other) ? -1 : 1)));
    yield;
  }
  while (runs.length > 1) {
    const merged: number[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergeOf(runs[at] as number[], runs[at + 1] ?? [], precedes));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeOf(
  one: readonly number[],
  other: readonly number[],
  precedes: (one: number, other: number) => boolean,
): Steps<number[]> {
  const merged: number[] = [];
  let [at, otherAt] = [0, 0];
  while (at < one.length || otherAt < other.length) {
    const takesOther =
      at === one.length || (otherAt < other.length && precedes(other[otherAt] as number, one[at] as number));
    merged.push((takesOther ? other[otherAt++] : one[at++]) as number);
    if (merged.length % MAX_RUN === 0) yield;
  }
  return merged;
}
