/**
 * Orders indexes so that each comes after its dependencies; or finds a cycle, in the direction of the
 * dependencies.
 *
 * @param dependencies for each index, those that come before it.
 */
export function topologicalOrder(dependencies: readonly (readonly number[])[]): {
  order: number[];
  cycle?: number[];
} {
  const waitsFor = dependencies.map(({ length }) => length);
  const dependents: number[][] = dependencies.map(() => []);
  for (const [index, before] of dependencies.entries())
    for (const each of before) dependents[each]?.push(index);
  const order: number[] = [];
  for (const [index, count] of waitsFor.entries()) if (count === 0) order.push(index);
  for (const index of order) {
    for (const after of dependents[index] as number[]) {
      waitsFor[after] = (waitsFor[after] as number) - 1;
      if (waitsFor[after] === 0) order.push(after);
    }
  }
  if (order.length === dependencies.length) return { order };
  return { order, cycle: cycleAmong(dependencies, waitsFor) };
}

/**
 * Returns a cycle. Every index that still waits depends on another that does, so following these dependencies
 * leads back to an index already visited.
 */
function cycleAmong(dependencies: readonly (readonly number[])[], waitsFor: readonly number[]): number[] {
  const places = new Map<number, number>();
  const way: number[] = [];
  let at = waitsFor.findIndex((count) => count > 0);
  while (!places.has(at)) {
    places.set(at, way.length);
    way.push(at);
    at = dependencies[at]?.find((before) => (waitsFor[before] as number) > 0) as number;
  }
  return way.slice(places.get(at));
}
