import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";

/** Returns this process's heap limit in bytes: `--max-old-space-size`, or Node's default for the machine's memory. */
export function heapLimitBytes(): number {
  return getHeapStatistics().heap_size_limit;
}

/** Returns how many bytes of memory there are for this process: the machine's, or less in a container or unit with a limit. */
export function memoryBytes(limit = process.constrainedMemory(), machine = totalmem()): number {
  // Without a limit, Node answers 0 or a number beyond any machine.
  return limit ? Math.min(limit, machine) : machine;
}
