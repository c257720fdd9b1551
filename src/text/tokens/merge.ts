import type { Vocabulary } from "./vocabulary.ts";

/** Returns the number of tokens that a piece's bytes merge into: the lowest rank first, the leftmost of equal ones. */
export function mergedLength(bytes: Uint8Array, vocabulary: Vocabulary): number {
  const size = bytes.length;
  if (vocabulary.rankOf(bytes, 0, size) < Number.POSITIVE_INFINITY) return 1;
  const next = Int32Array.from({ length: size + 1 }, (_, at) => at + 1);
  const previous = Int32Array.from({ length: size + 1 }, (_, at) => at - 1);
  const rankAt = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
  const heap: number[] = [];
  const rankOfPair = (at: number): number => {
    const second = next[at] as number;
    if (second >= size) return Number.POSITIVE_INFINITY;
    return vocabulary.rankOf(bytes, at, next[second] as number);
  };
  const consider = (at: number): void => {
    const rank = rankOfPair(at);
    rankAt[at] = rank;
    if (rank < Number.POSITIVE_INFINITY) push(heap, rank * (size + 1) + at);
  };
  for (let at = 0; at < size; at++) consider(at);
  let count = size;
  while (heap.length > 0) {
    const entry = pop(heap);
    const at = entry % (size + 1);
    if (rankAt[at] !== (entry - at) / (size + 1)) continue;
    const gone = next[at] as number;
    rankAt[gone] = Number.POSITIVE_INFINITY;
    const after = next[gone] as number;
    next[at] = after;
    previous[after] = at;
    count--;
    consider(at);
    if ((previous[at] as number) >= 0) consider(previous[at] as number);
  }
  return count;
}

function push(heap: number[], entry: number): void {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((heap[parent] as number) <= entry) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = entry;
}

function pop(heap: number[]): number {
  const first = heap[0] as number;
  const last = heap.pop() as number;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if ((heap[child] as number) >= last) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = last;
  return first;
}
