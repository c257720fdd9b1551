import type { Input } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { schedulerContract } from "./contract.ts";
import { adjacency, demandOf, type Instance } from "./solving/instance.ts";
import { topologicalOrder } from "./topological-order.ts";

export type PlanInput = Input<typeof schedulerContract.plan>;
export type Task = PlanInput["tasks"][number];

/** What is to be planned, as it was sent and in numbers. */
export interface Project {
  /** In the order of the instance's numbers. */
  tasks: readonly Task[];
  /** Numbers, by the order in which the tasks were sent. */
  sent: readonly number[];
  /** Numbers of what each task depends on. */
  dependencies: readonly (readonly number[])[];
  instance: Instance;
}

/** Throws `Problem`: `unknown_dependency`, `dependency_cycle`, or `unprocessable` for a task that cannot run. */
export function projectOf({ tasks, capacity, workers }: PlanInput): Project {
  const indexes = new Map(tasks.map(({ id }, index) => [id, index]));
  const rows = tasks.map(({ id, dependsOn }) => [...new Set(dependsOn)].map((other) => indexOf(id, other)));
  const { order, cycle } = topologicalOrder(rows);
  if (cycle) {
    const ids = cycle.map((index) => (tasks[index] as Task).id);
    const [first] = ids;
    throw new Problem(
      "dependency_cycle",
      `The tasks depend on each other in a circle: ${shown([...ids, first as string])}. Remove one of these dependencies.`,
      { members: { cycle: ids } },
    );
  }
  const numbers = new Array<number>(tasks.length);
  for (const [number, index] of order.entries()) numbers[index] = number;
  const sorted = order.map((index) => tasks[index] as Task);
  const dependencies = order.map((index) =>
    (rows[index] as number[]).map((other) => numbers[other] as number),
  );
  for (const task of sorted) requireCapacity(task, capacity);
  return { tasks: sorted, sent: numbers, dependencies, instance: instanceOf(sorted, dependencies) };

  function indexOf(id: string, other: string): number {
    const index = indexes.get(other);
    if (index !== undefined) return index;
    throw new Problem(
      "unknown_dependency",
      `"${id}" depends on "${other}", which is not among the tasks. Add it or remove the dependency.`,
      { members: { task: id, dependency: other } },
    );
  }

  function instanceOf(tasks: readonly Task[], dependencies: readonly (readonly number[])[]): Instance {
    const successors: number[][] = tasks.map(() => []);
    for (const [task, before] of dependencies.entries())
      for (const each of before) successors[each]?.push(task);
    const scarce = scarceResources(tasks, capacity, workers);
    return {
      size: tasks.length,
      duration: Float64Array.from(tasks, ({ durationMs }) => durationMs),
      release: Float64Array.from(tasks, ({ earliestStartMs }) => earliestStartMs),
      deadline: Float64Array.from(tasks, ({ deadlineMs }) => deadlineMs ?? Number.POSITIVE_INFINITY),
      predecessors: adjacency(dependencies),
      successors: adjacency(successors),
      capacity: Int32Array.from(scarce, ({ capacity }) => capacity),
      demand: demandOf(
        tasks.map((task) =>
          scarce.flatMap(({ unitsOf }, resource): [number, number][] => {
            const units = task.durationMs > 0 ? unitsOf(task) : 0;
            return units > 0 ? [[resource, units]] : [];
          }),
        ),
      ),
    };
  }
}

/** Only what could run short if everything ran at once takes part in the search. */
function scarceResources(
  tasks: readonly Task[],
  capacity: PlanInput["capacity"],
  workers: number | undefined,
) {
  const limits = Object.entries(capacity).map(([name, capacity]) => ({
    capacity,
    unitsOf: ({ resources }: Task) => (Object.hasOwn(resources, name) ? (resources[name] as number) : 0),
  }));
  if (workers !== undefined) limits.push({ capacity: workers, unitsOf: () => 1 });
  return limits.filter(({ capacity, unitsOf }) => {
    let wanted = 0;
    for (const task of tasks) if (task.durationMs > 0) wanted += unitsOf(task);
    return wanted > capacity;
  });
}

function requireCapacity({ id, resources }: Task, capacity: PlanInput["capacity"]): void {
  for (const [name, units] of Object.entries(resources)) {
    const most = Object.hasOwn(capacity, name) ? (capacity[name] as number) : Number.POSITIVE_INFINITY;
    if (units <= most) continue;
    throw new Problem(
      "unprocessable",
      `"${id}" needs ${units} of "${name}", of which there are ${most}. Raise the capacity or lower the need.`,
      { members: { task: id, resource: name, units, capacity: most } },
    );
  }
}

const MAX_SHOWN = 10;

function shown(ids: readonly string[]): string {
  const quoted = ids.map((id) => `"${id}"`);
  if (ids.length <= MAX_SHOWN) return quoted.join(" → ");
  return [...quoted.slice(0, MAX_SHOWN - 2), "…", quoted.at(-1)].join(" → ");
}
