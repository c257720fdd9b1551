import type { Generator } from "../solving/generator.ts";
import type { Instance } from "../solving/instance.ts";
import type { DisjunctiveGraph } from "./disjunctive-graph.ts";
import type { Machines } from "./machines.ts";

/** The moves that may shorten a plan, numbered from 0. The arrays are reused, for speed. */
export interface Neighbourhood {
  /** Finds the moves of a random critical path of the current plan, and returns their number. */
  find(): number;
  /** By move, the task that moves. */
  readonly task: Int32Array;
  /** By move, the task of the same machine that it moves next to. */
  readonly other: Int32Array;
  /** By move, 1 if the task moves directly behind the other one, and 0 if directly in front of it. */
  readonly behind: Uint8Array;
  /** Finds the tasks that a move passes, the one it moves next to last, and returns their number. */
  pass(move: number): number;
  readonly passed: Int32Array;
  /**
   * Returns the longest path through the tasks of the move that was last passed to `pass`, as it would be
   * after the move: a close estimate of the plan's new length, in time proportional to the number of these
   * tasks.
   */
  estimate(move: number, passedCount: number): number;
  /** Returns the critical path that was found last, first task first. */
  criticalPath(): Int32Array;
}

/**
 * The N6 neighbourhood (Balas and Vazacopoulos 1998, Zhang et al. 2007). A block is a run of tasks of one
 * machine on a critical path. Each of its tasks can move behind the last or in front of the first, and these
 * two can move inside, provided that the move provably closes no cycle. At the ends of the path, moves that
 * cannot shorten it are left out.
 */
export function createNeighbourhood(
  { size, duration, predecessors }: Instance,
  { machineOf }: Machines,
  graph: DisjunctiveGraph,
  random: Generator,
): Neighbourhood {
  const { forward, backward } = graph;
  const none = size;
  const before = forward.previous;
  const task = new Int32Array(4 * size);
  const other = new Int32Array(4 * size);
  const behind = new Uint8Array(4 * size);
  const passed = new Int32Array(size);
  const ends = new Float64Array(size);
  /** Filled from its end, since a path is found from its last task back. */
  const path = new Int32Array(size);
  let pathStart = size;
  let count = 0;

  function findPath(): void {
    pathStart = size;
    let chosen = lastTask();
    while (chosen !== none) {
      path[--pathStart] = chosen;
      chosen = taskBefore(chosen);
    }
  }

  /** Returns one of the tasks that end with the plan, each with the same probability. */
  function lastTask(): number {
    const { lastTasks, makespan } = graph;
    let chosen = none;
    let equals = 0;
    for (let at = 0; at < lastTasks.length; at++) {
      const each = lastTasks[at] as number;
      if (forward.end[each] !== makespan) continue;
      if (++equals === 1 || random() * equals < 1) chosen = each;
    }
    return chosen;
  }

  /** Returns one of the preceding tasks that end as `next` starts, each with the same probability, or `none`. */
  function taskBefore(next: number): number {
    const start = (forward.end[next] as number) - (duration[next] as number);
    const previous = before[next] as number;
    let chosen = none;
    let equals = 0;
    if (previous !== none && forward.end[previous] === start) {
      chosen = previous;
      equals = 1;
    }
    const stop = predecessors.offsets[next + 1] as number;
    for (let at = predecessors.offsets[next] as number; at < stop; at++) {
      const each = predecessors.targets[at] as number;
      if (each === previous || forward.end[each] !== start) continue;
      if (++equals === 1 || random() * equals < 1) chosen = each;
    }
    return chosen;
  }

  function addBlock(from: number, to: number): void {
    const first = path[from] as number;
    const last = path[to] as number;
    // If the path begins with a release rather than at 0, another first task can shorten it.
    const atStart = from === pathStart && forward.end[first] === duration[first];
    const atEnd = to === size - 1;
    if (to === from || (atStart && atEnd)) return;
    if (to === from + 1) {
      addBehind(first, last);
      return;
    }
    for (let at = from; at <= to; at++) {
      const each = path[at] as number;
      if (!atEnd && at < to) addBehind(each, last);
      if (!atStart && at > from) addBefore(each, first);
      if (!atStart && at > from && at < to) addBehind(first, each);
      if (!atEnd && at > from && at < to - 1) addBefore(last, each);
    }
  }

  function addBehind(moved: number, target: number): void {
    if ((backward.end[target] as number) > (backward.free[moved] as number)) add(moved, target, 1);
  }

  function addBefore(moved: number, target: number): void {
    if ((forward.end[target] as number) > (forward.free[moved] as number)) add(moved, target, 0);
  }

  function add(moved: number, target: number, isBehind: 0 | 1): void {
    task[count] = moved;
    other[count] = target;
    behind[count++] = isBehind;
  }

  return {
    task,
    other,
    behind,
    passed,
    criticalPath: () => path.slice(pathStart),

    find() {
      findPath();
      count = 0;
      for (let from = pathStart; from < size; ) {
        let to = from;
        while (
          to + 1 < size &&
          machineOf[path[to] as number] !== -1 &&
          before[path[to + 1] as number] === path[to]
        ) {
          to++;
        }
        addBlock(from, to);
        from = to + 1;
      }
      return count;
    },

    pass(move) {
      const { next } = behind[move] === 1 ? forward : backward;
      const target = other[move] as number;
      let found = 0;
      for (let at = next[task[move] as number] as number; ; at = next[at] as number) {
        passed[found++] = at;
        if (at === target) return found;
      }
    },

    estimate(move, passedCount) {
      // A move in front is a move behind in reversed time.
      const [one, back] = behind[move] === 1 ? [forward, backward] : [backward, forward];
      const moved = task[move] as number;
      let end = one.end[one.previous[moved] as number] as number;
      for (let at = 0; at < passedCount; at++) {
        const each = passed[at] as number;
        end = Math.max(end, one.free[each] as number) + (duration[each] as number);
        ends[at] = end;
      }
      const movedEnd = Math.max(end, one.free[moved] as number) + (duration[moved] as number);
      const beyond = one.next[passed[passedCount - 1] as number] as number;
      let way = Math.max(back.end[beyond] as number, back.free[moved] as number);
      let longest = movedEnd + way;
      way += duration[moved] as number;
      for (let at = passedCount - 1; at >= 0; at--) {
        const each = passed[at] as number;
        way = Math.max(way, back.free[each] as number);
        longest = Math.max(longest, (ends[at] as number) + way);
        way += duration[each] as number;
      }
      return longest;
    },
  };
}
