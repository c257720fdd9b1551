import { getHeapStatistics } from "node:v8";

/** Returns this process's heap limit in bytes: `--max-old-space-size`, or Node's default for the machine's memory. */
export function heapLimitBytes(): number {
  return getHeapStatistics().heap_size_limit;
}
