import type { Memory } from "./memory.ts";

export interface PeriodMean {
  /** Number of the period, counted from the epoch. */
  period: number;
  mean: number;
}

/** Gathers values into periods of equal length, such as hours. */
export interface PeriodMeans {
  /** Adds a point. Returns the mean of the previous period if the point begins another one. */
  next(value: number, period: number): PeriodMean | undefined;
}

export function createPeriodMeans(memory: Memory): PeriodMeans {
  const state = memory.take(3);
  const [PERIOD, SUM, COUNT] = [0, 1, 2] as const;

  return {
    next(value, period) {
      const count = state[COUNT] as number;
      const sum = state[SUM] as number;
      const last = state[PERIOD] as number;
      if (count > 0 && last === period) {
        state[SUM] = sum + value;
        state[COUNT] = count + 1;
        return undefined;
      }
      state.set([period, value, 1]);
      return count > 0 ? { period: last, mean: sum / count } : undefined;
    },
  };
}
