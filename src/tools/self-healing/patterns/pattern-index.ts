import { createWordSearch } from "./aho-corasick.ts";
import { requiredLiterals } from "./required-literals.ts";

/** Finds which of many patterns may match a text, so that only those are tried. */
export interface PatternIndex {
  /** Returns the numbers of the patterns that may match text[from, to), in ascending order. The array is reused. */
  candidates(text: string, from: number, to: number): readonly number[];
}

/** Creates an index. Throws if a pattern requires no literal, since it would have to be tried on every line. */
export function createPatternIndex(patterns: readonly RegExp[]): PatternIndex {
  const owners = ownersOf(patterns);
  const ownersByWord = [...owners.values()].map((numbers) => Uint16Array.from(numbers));
  const words = createWordSearch([...owners.keys()]);
  /** The search in which each word was last found. */
  const metWords = new Uint32Array(ownersByWord.length);
  /** The search in which each pattern was last found. */
  const metPatterns = new Uint32Array(patterns.length);
  const found: number[] = [];
  let round = 0;

  function meet(word: number): void {
    if (metWords[word] === round) return;
    metWords[word] = round;
    for (const pattern of ownersByWord[word] as Uint16Array) {
      if (metPatterns[pattern] === round) continue;
      metPatterns[pattern] = round;
      insert(pattern);
    }
  }

  function insert(pattern: number): void {
    let at = found.length;
    while (at > 0 && (found[at - 1] as number) > pattern) {
      found[at] = found[at - 1] as number;
      at--;
    }
    found[at] = pattern;
  }

  return {
    candidates(text, from, to) {
      found.length = 0;
      round++;
      words.search(text, from, to, meet);
      return found;
    },
  };
}

/** Returns the patterns that each literal may belong to. */
function ownersOf(patterns: readonly RegExp[]): Map<string, number[]> {
  const owners = new Map<string, number[]>();
  for (const [index, pattern] of patterns.entries()) {
    const literals = requiredLiterals(pattern);
    if (!literals) throw new Error(`${pattern} requires no literal of three characters`);
    for (const literal of literals) owners.set(literal, [...(owners.get(literal) ?? []), index]);
  }
  return owners;
}
