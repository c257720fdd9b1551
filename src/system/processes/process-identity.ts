import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Names a process so that no later one of the same number is taken for it. */
export interface ProcessIdentity {
  pid: number;
  host: string;
  /** Linux only: when it started in ticks since the boot, the boot, and where its number is valid. */
  startTime?: string;
  bootId?: string;
  pidNamespace?: string;
}

export function thisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    startTime: startTimeOf(process.pid),
    bootId: attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    pidNamespace: attempt(() => readlinkSync("/proc/self/ns/pid")),
  };
}

/** `"unknown"`: it runs, if it does, where we cannot look: in another container, on another machine. */
export function stateOf(other: ProcessIdentity): "running" | "gone" | "unknown" {
  const self = thisProcess();
  if (other.bootId !== self.bootId) return other.host === self.host ? "gone" : "unknown";
  if (other.pidNamespace !== self.pidNamespace) return "unknown";
  if (self.startTime !== undefined) {
    return startTimeOf(other.pid) === other.startTime ? "running" : "gone";
  }
  if (other.host !== self.host) return "unknown";
  return canSignal(other.pid) ? "running" : "gone";
}

/** Undefined where there is no such process, or only what is left of it until its parent asks. */
function startTimeOf(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The second field, the command in parentheses, may hold spaces: count behind it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields?.[0] === "Z" || fields?.[0] === "X" ? undefined : fields?.[19];
}

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
