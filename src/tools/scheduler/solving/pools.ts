import type { Constraints, Demand, Instance } from "./instance.ts";

/** Resources between which alternatives choose, taken together; or a resource by itself. */
export interface Pool {
  members: readonly { resource: number; capacity: number }[];
  /** What tasks take of all members together, at least. */
  tasks: readonly { task: number; units: number }[];
}

export function poolsOf(instance: Instance): Pool[] {
  const { size, capacity, demand, constraints } = instance;
  const own: { task: number; units: number }[][] = Array.from(capacity, () => []);
  for (let task = 0; task < size; task++) {
    for (const [resource, units] of demandIn(demand, task)) own[resource]?.push({ task, units });
  }
  const single = own.map((tasks, resource) => ({ members: [memberOf(resource)], tasks }));
  return constraints ? [...single, ...sharedPools(instance, constraints, memberOf)] : single;

  function memberOf(resource: number): Pool["members"][number] {
    return { resource, capacity: capacity[resource] as number };
  }
}

function sharedPools(
  { size, capacity }: Instance,
  { demand, firstWay, wayCount }: Constraints,
  memberOf: (resource: number) => Pool["members"][number],
): Pool[] {
  const waysOf = (task: number) =>
    Array.from({ length: wayCount[task] as number }, (_, way) =>
      demandIn(demand, (firstWay[task] as number) + way),
    );
  const join = disjointSets(capacity.length);
  for (let task = 0; task < size; task++) {
    if (wayCount[task] === 1) continue;
    const [chosen, ...others] = chosenBetween(waysOf(task));
    for (const other of others) join.unite(chosen as number, other);
  }
  const members = Array.from(capacity, (): number[] => []);
  for (const resource of capacity.keys()) members[join.find(resource)]?.push(resource);
  const tasks = Array.from(capacity, (): { task: number; units: number }[] => []);
  for (let task = 0; task < size; task++) {
    for (const [pool, units] of leastByPool(waysOf(task), join.find)) tasks[pool]?.push({ task, units });
  }
  return members.flatMap((resources, pool) =>
    resources.length > 1 ? [{ members: resources.map(memberOf), tasks: tasks[pool] ?? [] }] : [],
  );
}

type Row = [resource: number, units: number][];

function demandIn({ offsets, resources, units }: Demand, row: number): Row {
  const found: Row = [];
  for (let at = offsets[row] as number; at < (offsets[row + 1] as number); at++) {
    found.push([resources[at] as number, units[at] as number]);
  }
  return found;
}

/** Returns the resources of which the ways take different amounts. */
function chosenBetween(ways: readonly Row[]): number[] {
  const amounts = new Map<number, number[]>();
  for (const [resource, units] of ways.flat()) {
    const known = amounts.get(resource);
    if (known) known.push(units);
    else amounts.set(resource, [units]);
  }
  return [...amounts]
    .filter(([, each]) => each.length < ways.length || each.some((units) => units !== each[0]))
    .map(([resource]) => resource);
}

/** Returns, by pool, the units that each way takes at least, where that is any. */
function leastByPool(ways: readonly Row[], poolOf: (resource: number) => number): Map<number, number> {
  const [first = new Map<number, number>(), ...others] = ways.map((row) => {
    const sums = new Map<number, number>();
    for (const [resource, units] of row) {
      sums.set(poolOf(resource), (sums.get(poolOf(resource)) ?? 0) + units);
    }
    return sums;
  });
  return new Map(
    Array.from(first, ([pool, units]): [number, number] => [
      pool,
      others.reduce((least, sums) => Math.min(least, sums.get(pool) ?? 0), units),
    ]).filter(([, units]) => units > 0),
  );
}

function disjointSets(size: number) {
  const parents = Array.from({ length: size }, (_, each) => each);
  const find = (each: number): number => {
    let at = each;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at] as number] as number;
      at = parents[at] as number;
    }
    return at;
  };
  return {
    find,
    unite(left: number, right: number) {
      parents[find(right)] = find(left);
    },
  };
}
