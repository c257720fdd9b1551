import type { Memory } from "./memory.ts";

/** The last values, newest last. */
export interface Recent {
  push(value: number): void;
  /** How many were pushed in all. */
  seen(): number;
  /** How many are held. */
  count(): number;
  /** `at` values back from the newest; 0 is the newest. */
  back(at: number): number;
  /** Copies of all that are held, oldest first. */
  values(): Float64Array;
}

export function createRecent(memory: Memory, length: number): Recent {
  const counter = memory.take(1);
  const ring = memory.take(length);
  /** Index of the next value. It is kept because computing a remainder each time is too slow. */
  let next = (counter[0] as number) % length;

  function back(at: number): number {
    const index = next - 1 - at;
    return ring[index < 0 ? index + length : index] as number;
  }
  function count(): number {
    return Math.min(length, counter[0] as number);
  }

  return {
    push(value) {
      ring[next] = value;
      next = next + 1 === length ? 0 : next + 1;
      counter[0] = (counter[0] as number) + 1;
    },
    seen: () => counter[0] as number,
    count,
    back,
    values: () => Float64Array.from({ length: count() }, (_, index) => back(count() - 1 - index)),
  };
}
