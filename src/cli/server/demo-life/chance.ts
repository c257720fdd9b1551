/** A pseudo-random generator. The same seed gives the same sequence, so that each demo is the same. */
export interface Chance {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  pick<T>(of: readonly T[]): T;
  /** Returns a number near `mean`, at most `spread` of it away; the sum of three uniform numbers. */
  about(mean: number, spread: number): number;
}

/** Returns a Mulberry32 generator, which is not for secrets. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    pick: (of) => of[Math.floor(next() * of.length)] as (typeof of)[number],
    about: (mean, spread) => mean * (1 + spread * ((next() + next() + next()) / 1.5 - 1)),
  };
}
