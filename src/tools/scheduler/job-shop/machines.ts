import { type Instance, rowOf } from "../solving/instance.ts";

/** Which tasks exclude each other: of those on one machine, one runs at a time. */
export interface Machines {
  /** The machine of each task; -1 where it needs none. */
  readonly machineOf: Int32Array;
  readonly tasks: readonly (readonly number[])[];
}

/** Pairs of tasks on one machine are remembered one by one. */
const MAX_PAIRS = 1 << 24;

/**
 * The machines of a problem that is a job shop in kind: every task takes one resource at most, of which
 * there is never enough for two. Undefined where it is not, or where it has deadlines, which a search
 * for the shortest plan knows nothing of.
 */
export function machinesOf({
  size,
  capacity,
  deadline,
  demand,
  constraints,
}: Instance): Machines | undefined {
  if (constraints) return undefined;
  const { offsets, resources, units } = demand;
  const machineOf = new Int32Array(size).fill(-1);
  const tasks: number[][] = Array.from(capacity, () => []);
  const least = new Float64Array(capacity.length).fill(Number.POSITIVE_INFINITY);
  for (let task = 0; task < size; task++) {
    const at = offsets[task] as number;
    const count = (offsets[task + 1] as number) - at;
    if (count > 1 || deadline[task] !== Number.POSITIVE_INFINITY) return undefined;
    if (count === 0) continue;
    const machine = resources[at] as number;
    machineOf[task] = machine;
    tasks[machine]?.push(task);
    least[machine] = Math.min(least[machine] as number, units[at] as number);
  }
  const exclusive = least.every((units, machine) => 2 * units > (capacity[machine] as number));
  const pairs = tasks.reduce((sum, { length }) => sum + length * length, 0);
  return exclusive && capacity.length > 0 && pairs <= MAX_PAIRS ? { machineOf, tasks } : undefined;
}

/** How many chains a job shop has at most: tasks without a predecessor that is on a machine. */
export function jobCount({ size, predecessors }: Instance, { machineOf }: Machines): number {
  let count = 0;
  for (let task = 0; task < size; task++) {
    if (machineOf[task] === -1) continue;
    if (rowOf(predecessors, task).every((before) => machineOf[before] === -1)) count++;
  }
  return count;
}
