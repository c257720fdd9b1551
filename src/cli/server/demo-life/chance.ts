/** Chance that comes out the same for the same seed: a demo is told as often as somebody likes. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  pick<T>(of: readonly T[]): T;
  /** About `mean`, and never far off: the sum of a few dice. */
  about(mean: number, spread: number): number;
}

/** Mulberry32: 32 bits of state are plenty for what nobody may guess anyway. */
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
