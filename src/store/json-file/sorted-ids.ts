import { partition } from "./partition.ts";

/**
 * Orders as the UTF-8 bytes do. The order of UTF-16 units differs from it where surrogates meet
 * U+E000 to U+FFFF.
 */
export function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** True of a first stretch of the order and false of all the rest. */
export type Before = (id: string) => boolean;

/** Insertion and removal move at most this many references, however many ids there are. */
const MAX_RUN_LENGTH = 1024;

/** A sorted set of ids, cut into short runs so that a change in the middle stays cheap. */
export class SortedIds {
  readonly #runs: string[][] = [];

  constructor(ids: Iterable<string>) {
    const sorted = [...ids].sort(compareIds);
    for (let start = 0; start < sorted.length; start += MAX_RUN_LENGTH / 2) {
      this.#runs.push(sorted.slice(start, start + MAX_RUN_LENGTH / 2));
    }
  }

  add(id: string): void {
    const [run, index] = this.#find((other) => compareIds(other, id) < 0);
    const ids = this.#runs[run];
    if (ids === undefined) {
      this.#append(id);
      return;
    }
    if (ids[index] === id) return;
    ids.splice(index, 0, id);
    if (ids.length > MAX_RUN_LENGTH) this.#runs.splice(run + 1, 0, ids.splice(MAX_RUN_LENGTH / 2));
  }

  delete(id: string): void {
    const [run, index] = this.#find((other) => compareIds(other, id) < 0);
    const ids = this.#runs[run];
    if (ids?.[index] !== id) return;
    ids.splice(index, 1);
    if (ids.length === 0) this.#runs.splice(run, 1);
  }

  /** From the first id of which `before` is false, upwards. */
  *ascending(before: Before): Generator<string> {
    let [run, index] = this.#find(before);
    for (; run < this.#runs.length; run++, index = 0) {
      const ids = this.#runs[run] as string[];
      for (; index < ids.length; index++) yield ids[index] as string;
    }
  }

  /** From the last id of which `before` is true, downwards. */
  *descending(before: Before): Generator<string> {
    const [first, end] = this.#find(before);
    for (let run = Math.min(first, this.#runs.length - 1); run >= 0; run--) {
      const ids = this.#runs[run] as string[];
      for (let index = (run === first ? end : ids.length) - 1; index >= 0; index--)
        yield ids[index] as string;
    }
  }

  /** Ids mostly come in ascending order: those fill a run up to the brim. */
  #append(id: string): void {
    const last = this.#runs.at(-1);
    if (last && last.length < MAX_RUN_LENGTH) last.push(id);
    else this.#runs.push([id]);
  }

  /** The run and the index in it of the first id of which `before` is false. */
  #find(before: Before): [run: number, index: number] {
    const run = partition(this.#runs.length, (at) => before(this.#runs[at]?.at(-1) as string));
    const ids = this.#runs[run] ?? [];
    return [run, partition(ids.length, (at) => before(ids[at] as string))];
  }
}
