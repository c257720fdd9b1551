/**
 * Returns the first index of 0 … length for which `before` is false. `before` must be true up to some index and false
 * from there on.
 */
export function partition(length: number, before: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
