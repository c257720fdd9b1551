import type { ChildProcess } from "node:child_process";

/**
 * Returns the child, or throws if this process may open no more files. `spawn` then neither throws nor makes pipes, and
 * the child's `error` event, without a listener, would end this process.
 */
export function withPipes<Child extends ChildProcess>(child: Child): Child {
  if (child.stdio) return child;
  child.on("error", () => {});
  throw new Error("A process could not be started: this process may not open more files, see `ulimit -n`.");
}
