import { readdirSync, readFileSync } from "node:fs";

/**
 * Processor time that a process has had so far, in microseconds: of all its threads that live, to the nanosecond, as
 * Linux tells it. Undefined elsewhere.
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
