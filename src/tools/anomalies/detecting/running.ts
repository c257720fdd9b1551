import type { Memory } from "./memory.ts";
import type { Recent } from "./recent.ts";

/** Keeps the mean of the last `length` values of `recent`, updating it incrementally. */
export function createRunningMean(memory: Memory, recent: Recent, length: number) {
  const sum = memory.take(1);
  const held = () => Math.min(length, recent.count());

  return {
    /** Must be called before `recent` gets the value. */
    add(value: number): void {
      const isFull = held() === length;
      sum[0] = (sum[0] as number) + value - (isFull ? recent.back(length - 1) : 0);
      // The sum is recomputed at intervals, since large values leave rounding errors behind.
      if (!isFull || recent.seen() % length > 0) return;
      sum[0] = value;
      for (let back = 0; back < length - 1; back++) sum[0] = (sum[0] as number) + recent.back(back);
    },
    of: (otherwise: number): number => (held() > 0 ? (sum[0] as number) / held() : otherwise),
  };
}

/** Keeps the largest and the smallest of the last `length` values of `recent`. */
export function createRunningExtremes(memory: Memory, recent: Recent, length: number) {
  const [LARGEST, SMALLEST] = [0, 1] as const;
  const extremes = memory.take(2);
  const held = () => Math.min(length, recent.count());

  function widen(value: number): void {
    if (value > (extremes[LARGEST] as number)) extremes[LARGEST] = value;
    if (value < (extremes[SMALLEST] as number)) extremes[SMALLEST] = value;
  }

  return {
    /** Must be called before `recent` gets the value. */
    add(value: number): void {
      const known = held();
      const leaving = known === length ? recent.back(length - 1) : Number.NaN;
      const leavesExtreme = leaving === extremes[LARGEST] || leaving === extremes[SMALLEST];
      if (known === 0 || leavesExtreme) {
        extremes.fill(value);
        for (let back = 0; back < Math.min(known, length - 1); back++) widen(recent.back(back));
      } else widen(value);
    },
    largest: (otherwise: number): number => (held() > 0 ? (extremes[LARGEST] as number) : otherwise),
    smallest: (otherwise: number): number => (held() > 0 ? (extremes[SMALLEST] as number) : otherwise),
  };
}
