/**
 * The state of a detector: one array of numbers, of which each part takes a slice. It is stored and restored
 * as a whole, whatever the parts are. Fresh state is all zeros.
 */
export interface Memory {
  /** Takes the next `length` numbers. */
  take(length: number): Float64Array;
}

export function memoryOver(numbers: Float64Array): Memory {
  let taken = 0;
  return {
    take(length) {
      taken += length;
      return numbers.subarray(taken - length, taken);
    },
  };
}

/** Returns how many numbers `build` takes. */
export function lengthOf(build: (memory: Memory) => unknown): number {
  let length = 0;
  build({
    take(more) {
      length += more;
      return new Float64Array(more);
    },
  });
  return length;
}
