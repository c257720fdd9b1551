/** Returns the index of the first item that passes a test, by binary search: all items behind it must pass too. */
export function firstIndex<T>(list: ArrayLike<T>, passes: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
