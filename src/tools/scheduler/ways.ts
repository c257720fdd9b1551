import { Problem } from "../../contract/problem.ts";
import { hoursFault, type PlanCalendars } from "./calendar/plan-calendars.ts";
import type { PlanInput, Task } from "./contract.ts";

/** Maximum number of alternatives that a refusal tells of. */
const MAX_TOLD = 5;

type Resources = Task["resources"];

/** A resource that may run short. */
export interface Scarce {
  capacity: number;
  unitsOf(resources: Resources): number;
}

/** Returns the resources that a task holds, for each of its alternatives ("ways"). */
export function waysOf({ resources, anyOf }: Task): Resources[] {
  if (anyOf.length === 0) return [resources];
  return anyOf.map((more) => {
    const names = new Set([...Object.keys(resources), ...Object.keys(more)]);
    return Object.fromEntries(
      Array.from(names, (name) => [name, unitsOf(resources, name) + unitsOf(more, name)]),
    );
  });
}

/** Returns the units that every way takes at least. */
export function commonOf(ways: readonly Resources[]): Resources {
  const [first = {}, ...others] = ways;
  return Object.fromEntries(
    Object.keys(first).map((name) => [
      name,
      others.reduce((least, way) => Math.min(least, unitsOf(way, name)), unitsOf(first, name)),
    ]),
  );
}

/** Returns the names of the resources of which anything is taken. */
export function takenIn(resources: Resources): string[] {
  return Object.keys(resources).filter((name) => unitsOf(resources, name) > 0);
}

export function unitsOf(resources: Resources, name: string): number {
  return Object.hasOwn(resources, name) ? (resources[name] as number) : 0;
}

/** Returns pairs of a scarce resource's number and the units of it that a task holds in this way. */
export function unitsRow(
  { durationMs }: Task,
  way: Resources,
  scarce: readonly Scarce[],
): [resource: number, units: number][] {
  if (durationMs === 0) return [];
  return scarce.flatMap(({ unitsOf }, resource): [number, number][] => {
    const units = unitsOf(way);
    return units > 0 ? [[resource, units]] : [];
  });
}

/** Returns the resources that could run short if all tasks ran at once. Only these take part in the search. */
export function scarceResources(
  tasks: readonly Task[],
  capacity: PlanInput["capacity"],
  workers: number | undefined,
): (Scarce & { name?: string })[] {
  const limits: (Scarce & { name?: string })[] = Object.entries(capacity).map(([name, capacity]) => ({
    name,
    capacity,
    unitsOf: (resources) => unitsOf(resources, name),
  }));
  if (workers !== undefined) limits.push({ capacity: workers, unitsOf: () => 1 });
  const ways = tasks.filter(({ durationMs }) => durationMs > 0).map(waysOf);
  return limits.filter(({ capacity, unitsOf }) => {
    let wanted = 0;
    for (const each of ways) wanted += each.reduce((most, way) => Math.max(most, unitsOf(way)), 0);
    return wanted > capacity;
  });
}

/**
 * Returns the task with only those alternatives that the capacity is enough for and whose hours it fits.
 * Throws `Problem` `unprocessable` if there are none.
 */
export function feasible(
  task: Task,
  capacity: PlanInput["capacity"],
  calendars: PlanCalendars | undefined,
): Task {
  const ways = waysOf(task);
  const lacks = ways.map((way) => lackOf(way, capacity));
  const [lack] = lacks;
  if (lack && lacks.every((each) => each !== undefined)) {
    const { resource, units, most } = lack;
    const needs = [...new Set(lacks.map(lackText))];
    const more = needs.length > MAX_TOLD ? ", or …" : "";
    throw new Problem(
      "unprocessable",
      `"${task.id}" needs ${needs.slice(0, MAX_TOLD).join(", or ")}${more}. Raise the capacity or lower the need.`,
      { members: { task: task.id, resource, units, capacity: most } },
    );
  }
  const enough = ways.flatMap((resources, way) => (lacks[way] === undefined ? [{ resources, way }] : []));
  const faults = enough.map(({ resources }) => calendars && hoursFault(task, takenIn(resources), calendars));
  const fitting = enough.filter((_, at) => faults[at] === undefined);
  if (fitting.length === 0) {
    const other = ways.length > 1 ? ` Nor does another of its \`anyOf\` fit.` : "";
    throw new Problem("unprocessable", `${faults[0]}${other}`);
  }
  return fitting.length < ways.length
    ? { ...task, anyOf: fitting.map(({ way }) => task.anyOf[way] as Resources) }
    : task;
}

interface Lack {
  resource: string;
  units: number;
  most: number;
}

function lackText({ resource, units, most }: Lack): string {
  return `${units} of "${resource}", of which there are ${most}`;
}

/** Returns a resource of which a way needs more than its capacity. */
function lackOf(way: Resources, capacity: PlanInput["capacity"]): Lack | undefined {
  for (const [resource, units] of Object.entries(way)) {
    const most = Object.hasOwn(capacity, resource)
      ? (capacity[resource] as number)
      : Number.POSITIVE_INFINITY;
    if (units > most) return { resource, units, most };
  }
  return undefined;
}
