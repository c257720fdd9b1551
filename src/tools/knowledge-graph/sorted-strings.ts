/** Insertion and removal move at most this many references, however many strings there are. */
const MAX_RUN = 1024;

/** A sorted set of strings, cut into short runs so that a change in the middle stays cheap. */
export class SortedStrings {
  readonly #runs: string[][] = [];
  readonly #compare: (a: string, b: string) => number;
  size = 0;

  /** @param compare by UTF-16 units unless given. */
  constructor(compare: (a: string, b: string) => number = byUnits) {
    this.#compare = compare;
  }

  add(text: string): void {
    const [at, index] = this.#find(text);
    const run = this.#runs[at];
    if (run?.[index] === text) return;
    this.size++;
    if (run) {
      run.splice(index, 0, text);
      if (run.length > MAX_RUN) this.#runs.splice(at + 1, 0, run.splice(MAX_RUN / 2));
      return;
    }
    const last = this.#runs.at(-1);
    if (last && last.length < MAX_RUN) last.push(text);
    else this.#runs.push([text]);
  }

  delete(text: string): void {
    const [at, index] = this.#find(text);
    const run = this.#runs[at];
    if (run?.[index] !== text) return;
    this.size--;
    run.splice(index, 1);
    if (run.length === 0) this.#runs.splice(at, 1);
  }

  /** From the first that does not come before `text`, in order. */
  *from(text: string): Generator<string> {
    let [at, index] = this.#find(text);
    for (; at < this.#runs.length; at++, index = 0) {
      const run = this.#runs[at] as string[];
      for (; index < run.length; index++) yield run[index] as string;
    }
  }

  /** The run and the place in it of the first that does not come before `text`. */
  #find(text: string): [run: number, index: number] {
    const isBefore = (other: string | undefined) => this.#compare(other as string, text) < 0;
    const at = partition(this.#runs.length, (run) => isBefore(this.#runs[run]?.at(-1)));
    const run = this.#runs[at] ?? [];
    return [at, partition(run.length, (index) => isBefore(run[index]))];
  }
}

/** The first of 0 … length of which `before` is false. */
function partition(length: number, before: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As the UTF-8 bytes do, in which the store orders ids: surrogates stand behind U+E000 to U+FFFF. */
export function byBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
