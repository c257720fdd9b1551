import { linkSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../system/clock.ts";
import { stateOf, thisProcess } from "../../system/processes/process-identity.ts";

/**
 * A lock among processes, in files `<name>.lock.<n>`: whoever creates the next number has it, which the
 * file system grants to one alone, and keeps it until it lets go or is gone. A number is never used twice
 * while a later one exists, so that a process that slept between looking and creating cannot win.
 */
export interface ProcessLock {
  /** What lets go again; undefined while another process has it. */
  acquire(): (() => void) | undefined;
  /** True while a living process has it. */
  isHeld(): boolean;
}

/** Nobody holds this lock longer; for holders whose processes cannot be looked at, such as on other machines. */
const MAX_HOLD_MS = 15 * 60 * 1000;

export function createProcessLock(directory: string, name: string, clock: Pick<Clock, "now">): ProcessLock {
  const prefix = `${name}.lock.`;
  const pathOf = (number: number) => join(directory, prefix + number);

  /** Newest first. */
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
      // Gone, or no JSON: what was released is none any more.
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

/** False where the file is there. It appears with its content, so that a process killed here holds nothing. */
function create(path: string): boolean {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, JSON.stringify(thisProcess()), { mode: 0o600 });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    remove(temporary);
  }
}

/** In one write over what stands there; creates nothing where a later holder has cleaned up. */
function release(path: string): void {
  try {
    writeFileSync(path, RELEASED, { flag: "r+" });
  } catch {
    // Gone: another holder took this process for dead.
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
    // Another process was first.
  }
}
