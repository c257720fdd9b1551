import type { ChildProcess, SpawnOptions } from "node:child_process";

/** Windows has none: there, only the program itself is ended. */
const HAS_GROUPS = process.platform !== "win32";

/** Options for `spawn` that start a program in a group of its own. */
export const IN_GROUP: Pick<SpawnOptions, "detached"> = { detached: HAS_GROUPS };

/**
 * A program with the processes that it has started. `npx`, `uv run` and shells run the actual program as a process of
 * its own, which a signal to them alone leaves behind.
 */
export interface ProcessGroup {
  signal(signal: NodeJS.Signals): void;
  /** Whether any of its processes is left. */
  isRunning(): boolean;
}

const open = new Set<ProcessGroup>();
let endsWithThisProcess = false;

/** Returns the group of a child that was started with `IN_GROUP`. It does not outlive this process's own exit. */
export function groupOf(child: ChildProcess): ProcessGroup {
  const send = (signal: NodeJS.Signals | 0): boolean => {
    // A program that could not be started has no pid; 0 would be this process's own group.
    if (!child.pid) return false;
    try {
      return process.kill(HAS_GROUPS ? -child.pid : child.pid, signal);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  };
  const group: ProcessGroup = {
    signal: (signal) => void send(signal),
    isRunning() {
      const is = send(0);
      if (!is) open.delete(group);
      return is;
    },
  };
  open.add(group);
  if (!endsWithThisProcess) process.once("exit", endAll);
  endsWithThisProcess = true;
  return group;
}

/** Ctrl-C reaches no other group, so those that are left, as after a second one, are ended here. */
function endAll(): void {
  for (const group of open) group.signal("SIGKILL");
}
