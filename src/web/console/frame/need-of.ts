import type { Need } from "./section.ts";

/** How many of several items are named. */
const NAMED = 3;

/**
 * Returns the need for items of one kind: one for a single item, a common one for several. `nextCursor` means that
 * there are more.
 */
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
