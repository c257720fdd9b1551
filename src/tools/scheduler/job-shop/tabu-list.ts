import type { Machines } from "./machines.ts";
import type { Move } from "./moves.ts";

/** Remembers which task went past which, and forbids for a while that it goes back. */
export interface TabuList {
  /** `passed` are the tasks that the move passes. */
  forbids(move: Move, passed: readonly number[]): boolean;
  /** Counts as one step of time. */
  remember(move: Move, passed: readonly number[]): void;
  clear(): void;
}

/** @param tenure how many steps a move is remembered. */
export function createTabuList({ machineOf, tasks }: Machines, size: number, tenure: () => number): TabuList {
  const position = new Int32Array(size);
  const base = new Int32Array(tasks.length);
  let pairs = 0;
  for (const [machine, members] of tasks.entries()) {
    base[machine] = pairs;
    pairs += members.length ** 2;
    for (const [index, task] of members.entries()) position[task] = index;
  }
  /** By pair: until when the first may not be put in front of the second. */
  const until = new Int32Array(pairs);
  let now = 0;

  function pair(first: number, second: number): number {
    const machine = machineOf[first] as number;
    const count = tasks[machine]?.length as number;
    return (base[machine] as number) + (position[first] as number) * count + (position[second] as number);
  }

  return {
    forbids({ task, behind }, passed) {
      for (const other of passed) {
        const made = behind ? pair(other, task) : pair(task, other);
        if ((until[made] as number) > now) return true;
      }
      return false;
    },
    remember({ task, behind }, passed) {
      now++;
      const end = now + tenure();
      for (const other of passed) until[behind ? pair(task, other) : pair(other, task)] = end;
    },
    clear() {
      until.fill(0);
    },
  };
}
