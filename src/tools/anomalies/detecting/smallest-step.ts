import type { Memory } from "./memory.ts";

/** Of fewer changes the smallest says little. */
const MIN_CHANGES = 10;

/** By how little a metric changes at least: 1 where it counts, next to nothing where it measures. */
export interface SmallestStep {
  /** 0 as long as it hardly changed. */
  get(): number;
  learn(value: number, previous: number): void;
}

export function createSmallestStep(memory: Memory): SmallestStep {
  const state = memory.take(2);
  const [STEP, CHANGES] = [0, 1] as const;

  return {
    get: () => ((state[CHANGES] as number) < MIN_CHANGES ? 0 : (state[STEP] as number)),
    learn(value, previous) {
      if (value === previous) return;
      const step = Math.abs(value - previous);
      state[STEP] = state[CHANGES] === 0 ? step : Math.min(state[STEP] as number, step);
      state[CHANGES] = (state[CHANGES] as number) + 1;
    },
  };
}
