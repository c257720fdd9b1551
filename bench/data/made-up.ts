const SYLLABLES = "ka lo mi ser ton ra vel du pex no gra bi fu hal ne qui sto ly wen za".split(" ");

const WORDS = Array.from({ length: 20_000 }, (_, index) => {
  const syllable = (at: number) => SYLLABLES[Math.floor(index / 20 ** at) % 20];
  return `${syllable(0)}${syllable(1)}${syllable(2)}${index % 3 === 0 ? syllable(3) : ""}`;
});

/** Returns one of 20,000 words, the first ones far more often than the last. */
export function word(random: () => number): string {
  return WORDS[Math.floor(random() ** 2 * WORDS.length)] as string;
}

export function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(" ");
}

/** Returns a generator that repeats its numbers for the same seed (LCG of Numerical Recipes). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
