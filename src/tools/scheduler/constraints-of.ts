import type { PlanCalendars } from "./calendar/plan-calendars.ts";
import type { Task } from "./contract.ts";
import { type Constraints, demandOf } from "./solving/instance.ts";
import { type Scarce, takenIn, unitsRow, waysOf } from "./ways.ts";

export interface Dependency {
  before: number;
  lag: number;
  fromStart: boolean;
}

/** Returns the constraints of a project. Undefined if it has none, since it is then planned faster. */
export function constraintsOf({
  tasks,
  dependencies,
  scarce,
  calendars,
}: {
  tasks: readonly Task[];
  dependencies: readonly (readonly Dependency[])[];
  scarce: readonly (Scarce & { name?: string })[];
  calendars: PlanCalendars | undefined;
}): Constraints | undefined {
  const arcs = dependencies.flat();
  const isPlain = !calendars && tasks.every(({ anyOf }) => anyOf.length === 0);
  if (isPlain && arcs.every(({ lag, fromStart }) => lag === 0 && !fromStart)) return undefined;
  const ways = tasks.flatMap((task) => waysOf(task).map((resources) => ({ task, resources })));
  const wayCount = Int32Array.from(tasks, ({ anyOf }) => Math.max(1, anyOf.length));
  let behind = 0;
  return {
    lag: Float64Array.from(arcs, ({ lag }) => lag),
    fromStart: Uint8Array.from(arcs, ({ fromStart }) => (fromStart ? 1 : 0)),
    firstWay: wayCount.map((count) => {
      behind += count;
      return behind - count;
    }),
    wayCount,
    demand: demandOf(ways.map(({ task, resources }) => unitsRow(task, resources, scarce))),
    calendar: ways.map(({ resources }) => calendars?.of(takenIn(resources))),
    whole: Uint8Array.from(tasks, ({ interruptible }) => (interruptible ? 0 : 1)),
    open: scarce.map(({ name }) => calendars?.of(name === undefined ? [] : [name])),
    isMirrored: false,
  };
}
