import { getHeapStatistics } from "node:v8";

/** Where this process's heap ends, in bytes: `--max-old-space-size`, or what Node makes of the machine's memory. */
export function heapLimitBytes(): number {
  return getHeapStatistics().heap_size_limit;
}
