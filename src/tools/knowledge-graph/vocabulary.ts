import { Numbering } from "./numbering.ts";

/** From this many letters on a word may hold a typo; above the other it is no word that people type. */
const SHORTEST_WITH_TYPO = 3;
const LONGEST_WITH_TYPO = 32;
/** New words are searched one by one until there are so many. */
const MOST_RECENT = 1000;

/** The words of an index: finds those that begin so, and those that are one typo away. */
export class Vocabulary {
  readonly words = new Numbering();
  /** In order; may hold words that are gone. */
  #sorted: string[] = [];
  /** Those that are not among the sorted yet, if they are still there. */
  #recent: string[] = [];
  /** Letters that occur, by the block of Unicode that they belong to. */
  readonly #letters = new Map<number, Set<string>>();

  obtain(word: string): number {
    const known = this.words.find(word);
    if (known !== undefined) return known;
    this.#recent.push(word);
    for (const letter of word) {
      const block = blockOf(letter);
      const letters = this.#letters.get(block);
      if (letters) letters.add(letter);
      else this.#letters.set(block, new Set([letter]));
    }
    return this.words.obtain(word);
  }

  remove(word: string): void {
    this.words.remove(word);
  }

  /** Longer words that begin so. */
  beginningWith(prefix: string): string[] {
    if (this.#recent.length > MOST_RECENT) this.#sort();
    const found = new Set(this.#recent.filter((word) => word.startsWith(prefix)));
    for (let at = firstNotBefore(this.#sorted, prefix); at < this.#sorted.length; at++) {
      const word = this.#sorted[at] as string;
      if (!word.startsWith(prefix)) break;
      found.add(word);
    }
    found.delete(prefix);
    return [...found].filter((word) => this.words.find(word) !== undefined);
  }

  /**
   * Other words with one letter more, less or different, or two neighbours swapped. The candidates are
   * made and looked up: that takes no memory, and no longer where there are more words.
   */
  oneTypoFrom(word: string): string[] {
    const letters = [...word];
    if (letters.length < SHORTEST_WITH_TYPO || letters.length > LONGEST_WITH_TYPO) return [];
    if (/^\p{N}+$/u.test(word)) return [];
    const blocks = new Set([...letters, "0"].map(blockOf));
    const alphabet = [...blocks].flatMap((block) => [...(this.#letters.get(block) ?? [])]);
    const found = new Set<string>();
    const look = (candidate: string): void => {
      if (this.words.find(candidate) !== undefined) found.add(candidate);
    };
    for (let at = 0; at <= letters.length; at++) {
      const head = letters.slice(0, at).join("");
      const [first = "", second = ""] = letters.slice(at, at + 2);
      const behindFirst = letters.slice(at + 1).join("");
      look(head + behindFirst);
      if (second !== "") look(head + second + first + letters.slice(at + 2).join(""));
      for (const letter of alphabet) {
        look(head + letter + first + behindFirst);
        if (first !== "") look(head + letter + behindFirst);
      }
    }
    found.delete(word);
    return [...found];
  }

  #sort(): void {
    // Two sorted runs: to sort them together takes no longer than to read them.
    const words = new Set([...this.#sorted, ...this.#recent.sort()]);
    this.#sorted = [...words].filter((word) => this.words.find(word) !== undefined).sort();
    this.#recent = [];
  }
}

function blockOf(letter: string): number {
  return (letter.codePointAt(0) as number) >> 8;
}

function firstNotBefore(sorted: readonly string[], word: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
