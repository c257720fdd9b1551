/** Returns a fraction in [0, 1); the same sequence for the same seed. */
export type Generator = () => number;

/** SplitMix32: one word of state, well mixed, and fast enough for millions of calls. */
export function createGenerator(seed: number): Generator {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
}
