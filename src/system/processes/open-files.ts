import { readFileSync } from "node:fs";

/** Returns how many files, pipes and connections this process may have open; undefined if that is not known. */
export function maxOpenFiles(): number | undefined {
  try {
    const [, most] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1")) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    // Only Linux has this file.
    return undefined;
  }
}
