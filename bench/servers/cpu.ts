import { readdirSync, readFileSync } from "node:fs";

/**
 * Returns the processor time that a process has used so far, in microseconds: the sum over its live threads, which
 * Linux counts in nanoseconds. Returns undefined on other systems.
 */
export function cpuMicroseconds(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = threads.map((thread) => {
      const [onCpu = ""] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      return Number(onCpu);
    });
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
  } catch {
    return undefined;
  }
}
