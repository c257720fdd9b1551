import type { Need } from "./section.ts";

/** How many are named where there are several. */
const NAMED = 3;

/** What waits of one kind: the one, or how many and the first of them. A page of them says where more follow. */
export function needOf<T>(
  { items, nextCursor }: { items: readonly T[]; nextCursor?: string | undefined },
  one: (item: T) => Need,
  several: (count: string, items: readonly T[]) => Need,
): Need[] {
  const [first] = items;
  if (first === undefined) return [];
  if (items.length === 1 && nextCursor === undefined) return [one(first)];
  return [several(nextCursor === undefined ? String(items.length) : `${items.length} or more`, items)];
}

export function firstOf<T>(items: readonly T[], nameOf: (item: T) => string): string {
  return [...new Set(items.map(nameOf))].slice(0, NAMED).join(", ");
}
