import type { ChildProcess } from "node:child_process";

/** Said where the system refuses a process, which `error` events tell, mostly by `EAGAIN` or `ENOMEM`. */
export const NOT_STARTED =
  "a process could not be started: may this service have no more of them (TasksMax of its unit, ulimit -u), or no more memory?";

/**
 * Returns the child, or throws if this process may open no more files. `spawn` then neither throws nor makes pipes, and
 * the child's `error` event, without a listener, would end this process.
 */
export function withPipes<Child extends ChildProcess>(child: Child): Child {
  if (child.stdio) return child;
  child.on("error", () => {});
  throw new Error("A process could not be started: this process may not open more files, see `ulimit -n`.");
}
