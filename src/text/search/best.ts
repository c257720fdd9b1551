import { firstIndex } from "../../system/binary-search.ts";

/**
 * Returns the first `limit` items in the order of `precedes`, without sorting all of them.
 *
 * @param accepts called only for items that would be among them
 */
export function bestOf(
  items: Iterable<number>,
  limit: number,
  precedes: (a: number, b: number) => boolean,
  accepts: (item: number) => boolean = () => true,
): number[] {
  const best: number[] = [];
  for (const item of items) {
    if (best.length === limit && !precedes(item, best[limit - 1] as number)) continue;
    if (!accepts(item)) continue;
    const at = firstIndex(best, (each) => !precedes(each, item));
    best.splice(at, 0, item);
    if (best.length > limit) best.pop();
  }
  return best;
}
