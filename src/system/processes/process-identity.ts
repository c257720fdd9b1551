import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Identifies a process, even after its pid is reused. */
export interface ProcessIdentity {
  pid: number;
  host: string;
  /** Linux only, as far as /proc shows it: the start time in clock ticks since boot, the boot id, the pid namespace. */
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

/**
 * Returns the state of a process. `"unknown"`: it cannot be checked, because it is in another container or on another
 * machine, or because one of the two sees too little of /proc, as with systemd's `ProcSubset=pid`.
 */
export function stateOf(other: ProcessIdentity): "running" | "gone" | "unknown" {
  const self = thisProcess();
  if (other.bootId !== self.bootId) {
    const isKnown = other.bootId !== undefined && self.bootId !== undefined;
    // LXC and nspawn show a boot id of their own, but not to a unit for which systemd mounts /proc/sys anew.
    return isKnown && other.host === self.host && !isStillThere(other, self) ? "gone" : "unknown";
  }
  if (other.pidNamespace !== self.pidNamespace) return "unknown";
  if (self.startTime !== undefined) return isStillThere(other, self) ? "running" : "gone";
  if (other.host !== self.host) return "unknown";
  return canSignal(other.pid) ? "running" : "gone";
}

export function isThisProcess(other: ProcessIdentity): boolean {
  return other.pid === process.pid && stateOf(other) === "running";
}

/** Whether a process that runs here has its number and its start time. After a restart of the machine that may be another. */
function isStillThere(other: ProcessIdentity, self: ProcessIdentity): boolean {
  return other.pidNamespace === self.pidNamespace && startTimeOf(other.pid) === other.startTime;
}

/** Returns the start time; undefined if the process does not exist or is a zombie. */
function startTimeOf(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The second field, the command in parentheses, may contain spaces, so fields are counted after it.
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
