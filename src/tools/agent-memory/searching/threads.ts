/** The neighbour at the end of a thread, and of a memory in no thread. */
export const NONE = -1;

/** The memories of each thread in the order they were stored, as doubly linked lists of small numbers. */
export class Threads {
  readonly #before: number[] = [];
  readonly #after: number[] = [];
  readonly #last = new Map<string, number>();
  readonly #threadOf: (string | undefined)[] = [];

  /** @param precedes orders the memories of a thread; an added one is nearly always the last. */
  add(thread: string, memory: number, precedes: (memory: number, other: number) => boolean): void {
    let after = NONE;
    let before = this.#last.get(thread) ?? NONE;
    while (before !== NONE && precedes(memory, before)) {
      after = before;
      before = this.#before[before] as number;
    }
    this.#threadOf[memory] = thread;
    this.#before[memory] = before;
    this.#after[memory] = after;
    if (before !== NONE) this.#after[before] = memory;
    if (after === NONE) this.#last.set(thread, memory);
    else this.#before[after] = memory;
  }

  remove(memory: number): void {
    const thread = this.#threadOf[memory];
    if (thread === undefined) return;
    const [before, after] = [this.#before[memory] as number, this.#after[memory] as number];
    if (before !== NONE) this.#after[before] = after;
    if (after !== NONE) this.#before[after] = before;
    else if (before !== NONE) this.#last.set(thread, before);
    else this.#last.delete(thread);
    this.#threadOf[memory] = undefined;
  }

  has(memory: number): boolean {
    return this.#threadOf[memory] !== undefined;
  }

  /** Returns the previous memory of the thread, or `NONE`. */
  before(memory: number): number {
    return this.#threadOf[memory] === undefined ? NONE : (this.#before[memory] as number);
  }

  /** Returns the next memory of the thread, or `NONE`. */
  after(memory: number): number {
    return this.#threadOf[memory] === undefined ? NONE : (this.#after[memory] as number);
  }
}
