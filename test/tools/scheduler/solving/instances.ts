import {
  adjacency,
  type Constraints,
  demandOf,
  type Instance,
} from "../../../../src/tools/scheduler/solving/instance.ts";

export interface Task {
  duration: number;
  deadline?: number;
  release?: number;
  after?: number[];
}

/** Returns an instance without resources. */
export function instanceOf(tasks: readonly Task[], constraints?: Partial<Constraints>): Instance {
  const after = tasks.map(({ after = [] }) => after);
  const before = tasks.map((_, task) => after.flatMap((row, other) => (row.includes(task) ? [other] : [])));
  const nothing = demandOf(tasks.map(() => []));
  return {
    size: tasks.length,
    duration: Float64Array.from(tasks, ({ duration }) => duration),
    release: Float64Array.from(tasks, ({ release = 0 }) => release),
    deadline: Float64Array.from(tasks, ({ deadline = Number.POSITIVE_INFINITY }) => deadline),
    predecessors: adjacency(after),
    successors: adjacency(before),
    capacity: new Int32Array(0),
    demand: nothing,
    ...(constraints && {
      constraints: {
        lag: new Float64Array(after.flat().length),
        fromStart: new Uint8Array(after.flat().length),
        firstWay: Int32Array.from(tasks, (_, task) => task),
        wayCount: new Int32Array(tasks.length).fill(1),
        demand: nothing,
        calendar: tasks.map(() => undefined),
        whole: new Uint8Array(tasks.length),
        open: [],
        isMirrored: false,
        ...constraints,
      },
    }),
  };
}
