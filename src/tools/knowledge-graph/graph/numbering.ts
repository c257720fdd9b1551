/** Names as small integers that can index arrays. The number of a removed name is used again. */
export class Numbering {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #free: number[] = [];

  /** Number of names. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Exclusive upper bound of all numbers. */
  get end(): number {
    return this.#names.length;
  }

  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  obtain(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#names.length;
    this.#names[number] = name;
    this.#numbers.set(name, number);
    return number;
  }

  nameOf(number: number): string {
    return this.#names[number] as string;
  }

  names(): Iterable<string> {
    return this.#numbers.keys();
  }

  /** @param number of a name that exists. */
  remove(number: number): void {
    this.#numbers.delete(this.nameOf(number));
    this.#names[number] = "";
    this.#free.push(number);
  }
}
