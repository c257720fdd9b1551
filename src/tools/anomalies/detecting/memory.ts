/**
 * What a detector remembers lives in one array of numbers, of which each part takes a stretch: kept and
 * restored as a whole, whatever the parts are. Fresh, everything is 0.
 */
export interface Memory {
  /** The next `length` numbers. */
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

/** How many numbers `build` takes. */
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
