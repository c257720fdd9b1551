import type { Memory } from "./memory.ts";

/** Changes needed for the smallest one to be meaningful. */
const MIN_CHANGES = 10;

/** The smallest change of a metric: 1 for a count, close to 0 for a measurement. */
export interface SmallestStep {
  /** Returns the smallest step, or 0 after too few changes. */
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
