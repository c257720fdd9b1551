/** Keys up to this many times the number of tasks are counted instead of compared. */
const COUNTED = 16;

/**
 * Returns a function that sorts task numbers by keys, ties by number, into `order`. Keys are whole numbers
 * and not negative. Key and number are packed into one number, which the engine sorts without a callback, as
 * long as that stays exact.
 */
export function createSorting(size: number): (keys: Float64Array, order: Int32Array) => void {
  const packed = new Float64Array(size);
  // A power of two: division by it is exact.
  const radix = 2 ** Math.ceil(Math.log2(Math.max(2, size)));
  const most = Number.MAX_SAFE_INTEGER / radix - 1;
  const counts = new Int32Array(COUNTED * size + 2);
  return (keys, order) => {
    if (count(keys, order)) return;
    let exact = true;
    for (let task = 0; task < size; task++) {
      const key = keys[task] as number;
      if (key > most) exact = false;
      packed[task] = key * radix + task;
    }
    if (exact) {
      packed.sort();
      for (let position = 0; position < size; position++) {
        const both = packed[position] as number;
        order[position] = both - Math.floor(both / radix) * radix;
      }
    } else {
      for (let task = 0; task < size; task++) order[task] = task;
      order.sort((left, right) => (keys[left] as number) - (keys[right] as number) || left - right);
    }
  };

  /** Sorts by counting if keys are small. Returns false otherwise. */
  function count(keys: Float64Array, order: Int32Array): boolean {
    let last = 0;
    for (let task = 0; task < size; task++) if ((keys[task] as number) > last) last = keys[task] as number;
    if (last > COUNTED * size) return false;
    counts.fill(0, 0, last + 2);
    for (let task = 0; task < size; task++) {
      const behind = (keys[task] as number) + 1;
      counts[behind] = (counts[behind] as number) + 1;
    }
    for (let key = 1; key <= last; key++) counts[key] = (counts[key] as number) + (counts[key - 1] as number);
    for (let task = 0; task < size; task++) {
      const key = keys[task] as number;
      const position = counts[key] as number;
      order[position] = task;
      counts[key] = position + 1;
    }
    return true;
  }
}
