import { byUnits, SortedStrings } from "../../../store/sorted-strings.ts";

/** Lengths of words that may hold a typo. Nobody types longer ones. */
const MIN_LENGTH_WITH_TYPO = 3;
const MAX_LENGTH_WITH_TYPO = 32;

/** The words of an index. Finds those with a given beginning, and those that are one typo away. */
export class Vocabulary {
  readonly #sorted = new SortedStrings([], byUnits);
  /** Letters that occur, by their block of Unicode. */
  readonly #letters = new Map<number, Set<string>>();
  readonly #has: (word: string) => boolean;
  letterCount = 0;

  /** @param has whether a word exists, faster than a search in the sorted words. */
  constructor(has: (word: string) => boolean) {
    this.#has = has;
  }

  add(word: string): void {
    this.#sorted.add(word);
    for (const letter of word) {
      const block = blockOf(letter);
      const letters = this.#letters.get(block);
      if (letters?.has(letter)) continue;
      this.letterCount++;
      if (letters) letters.add(letter);
      else this.#letters.set(block, new Set([letter]));
    }
  }

  remove(word: string): void {
    this.#sorted.delete(word);
  }

  /** Yields longer words with this beginning, in order. */
  *beginningWith(prefix: string): Generator<string> {
    for (const word of this.#sorted.from(prefix)) {
      if (!word.startsWith(prefix)) return;
      if (word !== prefix) yield word;
    }
  }

  /**
   * Returns other words at a Damerau-Levenshtein distance of one: a letter more, less or different, or two neighbours
   * swapped. Candidates are generated and looked up, which takes no memory, and no more time where there are more
   * words.
   *
   * @param maxLooked with more candidates, none is looked up.
   */
  oneTypoFrom(word: string, maxLooked: number): { found: string[]; looked: number } {
    const nothing = { found: [], looked: 0 };
    const letters = [...word];
    if (letters.length < MIN_LENGTH_WITH_TYPO || letters.length > MAX_LENGTH_WITH_TYPO) return nothing;
    if (/^\p{N}+$/u.test(word)) return nothing;
    const blocks = new Set([...letters, "0"].map(blockOf));
    const alphabet = [...blocks].flatMap((block) => [...(this.#letters.get(block) ?? [])]);
    const looked = 2 * (alphabet.length + 1) * (letters.length + 1);
    if (looked > maxLooked) return nothing;
    const found = new Set<string>();
    const probe = (candidate: string): void => {
      if (this.#has(candidate)) found.add(candidate);
    };
    for (let at = 0; at <= letters.length; at++) {
      const head = letters.slice(0, at).join("");
      const [first = "", second = ""] = letters.slice(at, at + 2);
      const behindFirst = letters.slice(at + 1).join("");
      probe(head + behindFirst);
      if (second !== "") probe(head + second + first + letters.slice(at + 2).join(""));
      for (const letter of alphabet) {
        probe(head + letter + first + behindFirst);
        if (first !== "") probe(head + letter + behindFirst);
      }
    }
    found.delete(word);
    return { found: [...found], looked };
  }
}

function blockOf(letter: string): number {
  return (letter.codePointAt(0) as number) >> 8;
}
