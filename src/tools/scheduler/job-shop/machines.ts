import { type Instance, rowOf } from "../solving/instance.ts";

/** Which tasks exclude each other: a machine runs one task at a time. */
export interface Machines {
  /** The machine of each task, or -1. */
  readonly machineOf: Int32Array;
  /** The tasks of each machine. */
  readonly tasks: readonly (readonly number[])[];
}

/** Maximum number of pairs of tasks on the same machine, since a tabu list has an entry for each. */
const MAX_PAIRS = 1 << 24;

/**
 * Returns the machines of a problem that amounts to a job shop: every task takes at most one resource, of
 * which there is never enough for two tasks. Returns undefined for other problems and for those with
 * deadlines, which a search for the shortest plan ignores.
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

/**
 * Returns the most chains that a job shop can have: the number of tasks on machines that have no predecessor
 * on one.
 */
export function jobCount({ size, predecessors }: Instance, { machineOf }: Machines): number {
  let count = 0;
  for (let task = 0; task < size; task++) {
    if (machineOf[task] === -1) continue;
    if (rowOf(predecessors, task).every((before) => machineOf[before] === -1)) count++;
  }
  return count;
}
