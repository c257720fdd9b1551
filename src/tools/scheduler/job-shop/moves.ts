import type { Generator } from "../solving/generator.ts";
import type { Instance } from "../solving/instance.ts";
import type { DisjunctiveGraph } from "./disjunctive-graph.ts";
import type { Machines } from "./machines.ts";

/** A task goes directly behind another of its machine, or directly in front of it. */
export interface Move {
  task: number;
  other: number;
  behind: boolean;
}

/**
 * A random longest path through the graph, first task first: what makes the plan as long as it is.
 */
export function criticalPath(instance: Instance, graph: DisjunctiveGraph, random: Generator): number[] {
  const { size, duration, predecessors } = instance;
  const { head, before } = graph;
  const path: number[] = [];
  const makespan = graph.makespan();
  let chosen = -1;
  let equals = 0;
  for (let task = 0; task < size; task++) offer(task, makespan);
  while (chosen >= 0) {
    const task = chosen;
    path.push(task);
    const start = head[task] as number;
    const previous = before[task] as number;
    chosen = -1;
    equals = 0;
    if (previous >= 0) offer(previous, start);
    const stop = predecessors.offsets[task + 1] as number;
    for (let at = predecessors.offsets[task] as number; at < stop; at++) {
      const other = predecessors.targets[at] as number;
      if (other !== previous) offer(other, start);
    }
  }
  return path.reverse();

  /** Of the tasks that end at an instant, each is chosen as likely as another. */
  function offer(task: number, end: number): void {
    if ((head[task] as number) + (duration[task] as number) !== end) return;
    if (++equals === 1 || random() * equals < 1) chosen = task;
  }
}

/**
 * The N6 neighbourhood (Balas and Vazacopoulos 1998, Zhang et al. 2007): within a block of the path,
 * tasks that follow each other on one machine, each goes behind the last or in front of the first, and
 * these two go inside; all moves that provably close no cycle. At the ends of the path, moves that
 * cannot shorten it are left out.
 */
export function movesOf(
  path: readonly number[],
  { duration }: Instance,
  { machineOf }: Machines,
  { head, tail, ready, rest, before }: DisjunctiveGraph,
): Move[] {
  const moves: Move[] = [];
  for (let from = 0; from < path.length; ) {
    let to = from;
    while (to + 1 < path.length && isPair(path[to] as number, path[to + 1] as number)) to++;
    addBlock(from, to);
    from = to + 1;
  }
  return moves;

  function isPair(left: number, right: number): boolean {
    return machineOf[left] !== -1 && before[right] === left;
  }

  function addBlock(from: number, to: number): void {
    const first = path[from] as number;
    const last = path[to] as number;
    // A path that begins with a release is as long as it is for what stands first, too.
    const atStart = from === 0 && head[first] === 0;
    const atEnd = to === path.length - 1;
    if (to === from || (atStart && atEnd)) return;
    if (to === from + 1) {
      addBehind(first, last);
      return;
    }
    for (let at = from; at <= to; at++) {
      const task = path[at] as number;
      if (!atEnd && at < to) addBehind(task, last);
      if (!atStart && at > from) addBefore(task, first);
      if (!atStart && at > from && at < to) addBehind(first, task);
      if (!atEnd && at > from && at < to - 1) addBefore(last, task);
    }
  }

  function addBehind(task: number, other: number): void {
    const way = (tail[other] as number) + (duration[other] as number);
    if (way > (rest[task] as number)) moves.push({ task, other, behind: true });
  }

  function addBefore(task: number, other: number): void {
    const end = (head[other] as number) + (duration[other] as number);
    if (end > (ready[task] as number)) moves.push({ task, other, behind: false });
  }
}

/** The tasks that `move` passes, nearest to its target last. */
export function passed({ task, other, behind }: Move, graph: DisjunctiveGraph): number[] {
  const links = behind ? graph.behind : graph.before;
  const tasks: number[] = [];
  for (let at = links[task] as number; ; at = links[at] as number) {
    tasks.push(at);
    if (at === other) return tasks;
  }
}

/**
 * The longest path through the tasks that `move` touches, as the plan would be after it: a close
 * estimate of the new length, in the time that the touched tasks take.
 */
export function estimate(
  { task, behind }: Move,
  tasks: readonly number[],
  { duration }: Instance,
  graph: DisjunctiveGraph,
): number {
  // Moving in front is moving behind with time turned round.
  const [head, tail] = behind ? [graph.head, graph.tail] : [graph.tail, graph.head];
  const [ready, rest] = behind ? [graph.ready, graph.rest] : [graph.rest, graph.ready];
  const [before, after] = behind ? [graph.before, graph.behind] : [graph.behind, graph.before];
  const last = tasks[tasks.length - 1] as number;
  const ends: number[] = [];
  const previous = before[task] as number;
  let end = previous < 0 ? 0 : (head[previous] as number) + (duration[previous] as number);
  for (let at = 0; at < tasks.length; at++) {
    const each = tasks[at] as number;
    end = Math.max(end, ready[each] as number) + (duration[each] as number);
    ends.push(end);
  }
  const taskEnd = Math.max(end, ready[task] as number) + (duration[task] as number);
  const next = after[last] as number;
  let way = next < 0 ? 0 : (tail[next] as number) + (duration[next] as number);
  way = Math.max(way, rest[task] as number);
  let longest = taskEnd + way;
  way += duration[task] as number;
  for (let at = tasks.length - 1; at >= 0; at--) {
    const each = tasks[at] as number;
    way = Math.max(way, rest[each] as number);
    longest = Math.max(longest, (ends[at] as number) + way);
    way += duration[each] as number;
  }
  return longest;
}
