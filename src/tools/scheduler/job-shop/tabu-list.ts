import type { Machines } from "./machines.ts";

/** Remembers which task moved past which, and forbids for a while moves that mostly undo that. */
export interface TabuList {
  /**
   * Whether a move is forbidden. `passed` begins with the `count` tasks that `task` passes, to go behind them
   * or, if `behind` is 0, in front of them.
   */
  forbids(task: number, behind: number, passed: Int32Array, count: number): boolean;
  /** Remembers a move. Each call is one step of time. */
  remember(task: number, behind: number, passed: Int32Array, count: number): void;
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
  /** By pair, the step until which the first may not move in front of the second. */
  const until = new Int32Array(pairs);
  let now = 0;

  function pair(first: number, second: number): number {
    const machine = machineOf[first] as number;
    const count = tasks[machine]?.length as number;
    return (base[machine] as number) + (position[first] as number) * count + (position[second] as number);
  }

  return {
    forbids(task, behind, passed, count) {
      let forbidden = 0;
      for (let at = 0; at < count; at++) {
        const other = passed[at] as number;
        if ((until[behind === 1 ? pair(other, task) : pair(task, other)] as number) > now) forbidden++;
      }
      // Forbidding a move for one pair of many would be too strict, since such a move still leads elsewhere.
      return 2 * forbidden > count;
    },
    remember(task, behind, passed, count) {
      now++;
      const end = now + tenure();
      for (let at = 0; at < count; at++) {
        const other = passed[at] as number;
        until[behind === 1 ? pair(task, other) : pair(other, task)] = end;
      }
    },
    clear() {
      until.fill(0);
    },
  };
}
