import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { DirectoryInUse, lockDirectory } from "../../../../src/store/json-file/lock.ts";
import { adjustableClock } from "../../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../../support/store.ts";

// A disk that is sometimes slow, before or after a step, lets rivals overtake one another at any point.
vi.mock("node:fs/promises", async (importOriginal) => {
  const disk = await importOriginal<Record<string, (...rest: unknown[]) => Promise<unknown>>>();
  const dawdle = async () => {
    if (Math.random() < 0.05) await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
  };
  const slowed = ["link", "readdir", "readFile", "rm", "writeFile"].map((name) => [
    name,
    async (...rest: unknown[]) => {
      await dawdle();
      const result = await disk[name]?.(...rest);
      await dawdle();
      return result;
    },
  ]);
  return { ...disk, ...Object.fromEntries(slowed) };
});

const never = (error: Error) => {
  throw error;
};

it("the lock of a data directory has one holder at a time among rivals that come, go and die", async () => {
  const directory = temporaryDirectory();
  const clock = { ...adjustableClock(), every: () => () => {} };
  let attempts = 0;
  let holders = 0;
  let turns = 0;
  const contend = async () => {
    while (turns < 150) {
      const now = clock.now() + attempts++;
      const lock = await lockDirectory(directory, { ...clock, now: () => now }, never).catch((error) => {
        expect(error).toBeInstanceOf(DirectoryInUse);
      });
      if (!lock) continue;
      expect(++holders).toBe(1);
      turns++;
      await new Promise((resolve) => setTimeout(resolve, turns % 3));
      holders--;
      if (turns % 2 === 0) await lock.release();
      else die(directory, now);
    }
  };
  await Promise.all(Array.from({ length: 6 }, contend));
});

/** Leaves the lock that was taken at that time, in milliseconds, as a killed process would. */
function die(directory: string, takenAt: number): void {
  for (const name of readdirSync(directory).filter((other) => /^lock\.\d+$/.test(other))) {
    const path = join(directory, name);
    const holder = readLock(path);
    if (!holder || Date.parse(holder.since) !== takenAt) continue;
    writeFileSync(`${path}.dead`, JSON.stringify({ ...holder, startTime: "1" }));
    renameSync(`${path}.dead`, path);
  }
}

/** Reads a lock. Returns undefined if its process has withdrawn it meanwhile. */
function readLock(path: string): { since: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
