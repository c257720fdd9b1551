import { firstIndex } from "../system/binary-search.ts";

/**
 * Compares as UTF-8 bytes, which is how stores order ids. The order of UTF-16 units differs where surrogates meet
 * U+E000 to U+FFFF.
 */
export function byBytes(a: string, b: string): number {
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

/** A predicate that is true up to some point of the order and false from there on. */
export type Before = (text: string) => boolean;

/** Insertion and removal move at most this many references, however many strings there are. */
const MAX_RUN_LENGTH = 1024;

/** A sorted set of strings, cut into short runs so that a change in the middle stays cheap. */
export class SortedStrings {
  readonly #runs: string[][] = [];

  size = 0;
  readonly #compare: (a: string, b: string) => number;

  /** @param compare by bytes by default. */
  constructor(strings: Iterable<string> = [], compare: (a: string, b: string) => number = byBytes) {
    this.#compare = compare;
    const sorted = distinct(inOrder([...strings], compare));
    this.size = sorted.length;
    for (let start = 0; start < sorted.length; start += MAX_RUN_LENGTH / 2) {
      this.#runs.push(sorted.slice(start, start + MAX_RUN_LENGTH / 2));
    }
  }

  add(text: string): void {
    const [at, index] = this.#find((other) => this.#compare(other, text) < 0);
    const run = this.#runs[at];
    if (run?.[index] === text) return;
    this.size++;
    if (!run) {
      this.#append(text);
      return;
    }
    run.splice(index, 0, text);
    if (run.length > MAX_RUN_LENGTH) this.#runs.splice(at + 1, 0, run.splice(MAX_RUN_LENGTH / 2));
  }

  delete(text: string): void {
    const [at, index] = this.#find((other) => this.#compare(other, text) < 0);
    const run = this.#runs[at];
    if (run?.[index] !== text) return;
    this.size--;
    run.splice(index, 1);
    if (run.length === 0) this.#runs.splice(at, 1);
  }

  /** Yields upwards from the first string that does not come before `text`. */
  from(text: string): Generator<string> {
    return this.ascending((other) => this.#compare(other, text) < 0);
  }

  /** Yields upwards from the first string for which `before` is false. */
  *ascending(before: Before): Generator<string> {
    let [at, index] = this.#find(before);
    for (; at < this.#runs.length; at++, index = 0) {
      const run = this.#runs[at] as string[];
      for (; index < run.length; index++) yield run[index] as string;
    }
  }

  /** Yields downwards from the last string for which `before` is true. */
  *descending(before: Before): Generator<string> {
    const [first, end] = this.#find(before);
    for (let at = Math.min(first, this.#runs.length - 1); at >= 0; at--) {
      const run = this.#runs[at] as string[];
      for (let index = (at === first ? end : run.length) - 1; index >= 0; index--) yield run[index] as string;
    }
  }

  /** Fills the last run completely, since strings mostly come in ascending order. */
  #append(text: string): void {
    const last = this.#runs.at(-1);
    if (last && last.length < MAX_RUN_LENGTH) last.push(text);
    else this.#runs.push([text]);
  }

  /** Returns the run, and the index in it, of the first string for which `before` is false. */
  #find(before: Before): [run: number, index: number] {
    const at = firstIndex(this.#runs, (run) => !before(run.at(-1) as string));
    const run = this.#runs[at] ?? [];
    return [at, firstIndex(run, (text) => !before(text))];
  }
}

/** Units for which the order of bytes and that of UTF-16 units may differ. */
const BEYOND = /[\ud800-\uffff]/;

/**
 * Sorts by the engine's own order, that of UTF-16 units, where it gives the same result. It takes a sixth of the time.
 */
function inOrder(strings: string[], compare: (a: string, b: string) => number): string[] {
  const engines = compare === byUnits || (compare === byBytes && !strings.some((text) => BEYOND.test(text)));
  return engines ? strings.sort() : strings.sort(compare);
}

/** Removes duplicates from sorted strings. */
function distinct(sorted: readonly string[]): string[] {
  return sorted.filter((text, index) => text !== sorted[index - 1]);
}

/** Compares UTF-16 units, which is faster than bytes. */
export function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
