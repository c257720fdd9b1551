import { wordsOf } from "../../../text/words.ts";

/** Memories that make a name a speaker's. With fewer, it may be any word before a colon. */
const MIN_MEMORIES = 2;
/** In words. */
const MAX_NAME_LENGTH = 4;

/** The speakers of the memories, with the number of memories of each. */
export class Speakers {
  readonly #memories = new Map<string, number>();
  readonly #names: (string | undefined)[] = [];

  put(memory: number, name: string | undefined): void {
    const before = this.#names[memory];
    if (before === name) return;
    this.#count(before, -1);
    this.#count(name, 1);
    this.#names[memory] = name;
  }

  nameOf(memory: number): string | undefined {
    return this.#names[memory];
  }

  /** Returns the speakers that a text names, and its other words. */
  namedIn(text: string): { named: ReadonlySet<string>; words: string[] } {
    const all = wordsOf(text);
    const named = new Set<string>();
    const words: string[] = [];
    for (let at = 0; at < all.length; ) {
      const length = this.#nameAt(all, at);
      if (length > 0) named.add(all.slice(at, at + length).join(" "));
      else words.push(all[at] as string);
      at += Math.max(1, length);
    }
    return { named, words };
  }

  #nameAt(words: readonly string[], at: number): number {
    for (let length = MAX_NAME_LENGTH; length > 0; length--) {
      const name = words.slice(at, at + length).join(" ");
      if ((this.#memories.get(name) ?? 0) >= MIN_MEMORIES) return length;
    }
    return 0;
  }

  #count(name: string | undefined, by: number): void {
    if (name === undefined) return;
    const count = (this.#memories.get(name) ?? 0) + by;
    if (count > 0) this.#memories.set(name, count);
    else this.#memories.delete(name);
  }
}
