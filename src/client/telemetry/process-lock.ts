import { linkSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { stateOf, thisProcess } from "../../system/processes/process-identity.ts";

/**
 * A lock among processes, in files `<name>.lock.<n>`. The process that creates the next number holds the lock, which
 * the file system grants to one only, until it releases it or dies. A number is never reused while a later one
 * exists, so that a process that slept between listing and creating cannot acquire the lock.
 */
export interface ProcessLock {
  /** Returns a function that releases the lock; undefined while another process holds it. */
  acquire(): (() => void) | undefined;
  /** Whether a living process holds the lock. */
  isHeld(): boolean;
}

/** Longest time a lock is held. Applies to holders whose processes cannot be checked, for example on other machines. */
const MAX_HOLD_MS = 15 * MINUTE_MS;

export function createProcessLock(directory: string, name: string, clock: Pick<Clock, "now">): ProcessLock {
  const prefix = `${name}.lock.`;
  const pathOf = (number: number) => join(directory, prefix + number);

  /** Returns the numbers of the lock files, newest first. */
  function numbers(): number[] {
    return listing(directory)
      .filter((file) => file.startsWith(prefix) && /^\d+$/.test(file.slice(prefix.length)))
      .map((file) => Number(file.slice(prefix.length)))
      .sort((a, b) => b - a);
  }

  function isAlive(number: number): boolean {
    try {
      const age = clock.now() - statSync(pathOf(number)).mtimeMs;
      const state = stateOf(JSON.parse(readFileSync(pathOf(number), "utf8")));
      return state === "running" || (state === "unknown" && age < MAX_HOLD_MS);
    } catch {
      // Deleted or not JSON, which means released.
      return false;
    }
  }

  return {
    isHeld() {
      const [newest] = numbers();
      return newest !== undefined && isAlive(newest);
    },
    acquire() {
      for (;;) {
        const [newest = 0] = numbers();
        if (newest > 0 && isAlive(newest)) return undefined;
        const ours = newest + 1;
        if (!create(pathOf(ours))) continue;
        const [latest, ...older] = numbers();
        if (latest === ours) {
          for (const number of older) remove(pathOf(number));
          return () => release(pathOf(ours));
        }
        remove(pathOf(ours));
      }
    },
  };
}

const RELEASED = "released";

/**
 * Creates the file with its content atomically, so that a process killed here holds no lock. Returns false if it
 * exists.
 */
function create(path: string): boolean {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, JSON.stringify(thisProcess()), { mode: 0o600 });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // The error of a full disk names no path.
    throw Object.assign(error as Error, { path });
  } finally {
    remove(temporary);
  }
}

/** Overwrites the file in one write. Creates nothing if a later holder has deleted it. */
function release(path: string): void {
  try {
    writeFileSync(path, RELEASED, { flag: "r+" });
  } catch {
    // Deleted, because another holder took this process for dead.
  }
}

function listing(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process has deleted it first.
  }
}
