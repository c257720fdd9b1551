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
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (precedes(best[middle] as number, item)) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, item);
    if (best.length > limit) best.pop();
  }
  return best;
}
