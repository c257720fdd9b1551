import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DirectoryInUse, lockDirectory } from "../../../../src/store/json-file/lock.ts";
import { makeDirectoryReadOnly } from "../../../../src/store/json-file/read-only.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { stateOf, thisProcess } from "../../../../src/system/processes/process-identity.ts";
import { adjustableClock } from "../../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../../support/store.ts";
import { notesOf, openAt, put, recordingLog, untilChanged } from "../directory.ts";

const never = (error: Error) => {
  throw error;
};

describe("the lock of a data directory", () => {
  it("tells a program that opens a directory twice to close the first", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    const refused = await openAt(directory).catch((error) => error);
    expect(refused).toBeInstanceOf(DirectoryInUse);
    expect(refused.message).toContain("is in use by this process since 2026-01-15T12:00:00.000Z");
    expect(refused.message).toContain("close() what has it open first");
    await put(store, "a");
    await store.close();
    expect(await notesOf(await openAt(directory))).toEqual({ a: "a" });
  });

  it("says what to delete in a copy of a directory whose owner runs, such as a snapshot", async () => {
    const directory = temporaryDirectory();
    const clock = adjustableClock();
    const path = writeLock(directory, 3, {});
    const refusal = () => lockDirectory(directory, clock, never).catch(({ message }) => message);
    utimesSync(path, clock.now() / 1000, clock.now() / 1000);
    expect(await refusal()).not.toContain("lock.3");
    utimesSync(path, clock.now() / 1000 - 60, clock.now() / 1000 - 60);
    expect(await refusal()).toContain(`If this is a copy of that process's directory, delete ${path}.`);
  });

  it("goes to exactly one of many concurrent openers, even if a dead process left a lock", async () => {
    for (const dead of [false, true]) {
      const directory = temporaryDirectory();
      if (dead) writeLock(directory, 3, { startTime: "1" });
      const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => openAt(directory)));
      const winners = outcomes.filter(({ status }) => status === "fulfilled");
      expect(winners).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(DirectoryInUse);
      }
      expect(readdirSync(directory).filter((name) => name.startsWith("lock"))).toHaveLength(1);
    }
  });

  it.each([
    ["has the number of another process now", { startTime: "1" }],
    ["is gone", { pid: 2 ** 22 + 1 }],
    ["ran before the machine was started anew", { bootId: "another", startTime: "1" }],
  ])("is taken over at once from a process that %s", async (_, holder) => {
    const directory = temporaryDirectory();
    writeLock(directory, 7, holder);
    const clock = { ...adjustableClock(), sleep: () => Promise.reject(new Error("it waited")) };
    const lock = await lockDirectory(directory, clock, never);
    expect(readdirSync(directory)).toEqual(["lock.8"]);
    await lock.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    ["in another container", { pidNamespace: "pid:[1]" }],
    ["on another machine", { host: "elsewhere", bootId: "another" }],
    [
      "that sees another boot id, as units do in containers that have one of their own",
      { bootId: "another" },
    ],
    ["that sees too little of /proc to know when the machine was started", { bootId: undefined }],
  ])("is respected as long as its holder %s touches it", async (_, holder) => {
    const directory = temporaryDirectory();
    const path = writeLock(directory, 1, holder);
    const touching = { ...adjustableClock(), sleep: async () => utimesSync(path, 1, 1) };
    const refused = await lockDirectory(directory, touching, never).catch((error) => error);
    expect(refused).toBeInstanceOf(DirectoryInUse);
    // Such a process can have the number that this one has.
    expect(refused.message).toMatch(`is in use by process ${process.pid} on `);
    expect(refused.message).toContain("since 2026-01-01T00:00:00.000Z. One process owns a data directory");
    const silent = { ...adjustableClock(), sleep: async () => {} };
    await (await lockDirectory(directory, silent, never)).release();
  });

  it("stays with a rival that replaced the older lock first", async () => {
    const directory = temporaryDirectory();
    const old = writeLock(directory, 3, { pidNamespace: "pid:[1]" });
    let slept = false;
    const clock = {
      ...adjustableClock(),
      sleep: async () => {
        if (slept) return;
        slept = true;
        rmSync(old);
        writeLock(directory, 1, {});
      },
    };
    await expect(lockDirectory(directory, clock, never)).rejects.toThrow(DirectoryInUse);
    expect(readdirSync(directory)).toEqual(["lock.1"]);
  });

  it("is taken and released without deleting the lock file of a slower rival", async () => {
    const directory = temporaryDirectory();
    writeLock(directory, 3, { pidNamespace: "pid:[1]" });
    let sleeps = 0;
    const clock = {
      ...adjustableClock(),
      // At the second sleep, the process has its own lock and checks whether the older one is still silent.
      sleep: async () => {
        if (++sleeps === 2) writeLock(directory, 2, {});
      },
    };
    await (await lockDirectory(directory, clock, never)).release();
    expect(readdirSync(directory)).toEqual(["lock.2"]);
  });

  it("is touched at each heartbeat, and its loss is reported", async () => {
    const directory = temporaryDirectory();
    let beat = () => {};
    const clock = adjustableClock();
    const ticking = {
      ...clock,
      every: (_: number, work: () => void) => {
        beat = work;
        return () => {};
      },
    };
    const lock = await lockDirectory(directory, ticking, never);
    clock.advance(5000);
    const touched = () => statSync(join(directory, "lock.1")).mtimeMs === clock.now();
    await untilChanged(directory, touched, () => beat());
    beat();
    await lock.release();

    let unlockLost = async () => {};
    const lost = new Promise<Error>((resolve) => {
      void lockDirectory(directory, ticking, resolve).then((lock) => {
        unlockLost = lock.release;
        rmSync(join(directory, "lock.1"));
        beat();
      });
    });
    expect((await lost).message).toContain("another process took the store over");
    // Releasing a lost lock is no error.
    await unlockLost();
  });

  it("takes the next number, and ignores files with similar names", async () => {
    const directory = temporaryDirectory();
    for (const number of [9, 10]) writeLock(directory, number, { startTime: "1" });
    const others = ["a.lock.30", "lock.30.old", "lock.x", "locks"];
    for (const name of others) writeFileSync(join(directory, name), "");
    const lock = await lockDirectory(directory, adjustableClock(), never);
    expect(readdirSync(directory).sort()).toEqual([...others, "lock.11"].sort());
    await lock.release();
    expect(readdirSync(directory).sort()).toEqual(others);
  });

  it("deletes the draft that an interrupted process left behind", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "lock_draft_1"), "{");
    const lock = await lockDirectory(directory, adjustableClock(), never);
    expect(readdirSync(directory)).toEqual(["lock.1"]);
    await lock.release();
  });

  it("is left in place and named in the error if it cannot be read", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "lock.4");
    writeFileSync(path, "{");
    await expect(lockDirectory(directory, adjustableClock(), never)).rejects.toThrow(
      `${path} cannot be read: delete it if no process uses the directory`,
    );
    expect(readdirSync(directory)).toEqual(["lock.4"]);
  });

  it("is taken over if a power cut left it empty, unless a process still touches it", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "lock.4");
    writeFileSync(path, "");
    const beating = { ...adjustableClock(), sleep: async () => utimesSync(path, 1, 1) };
    await expect(lockDirectory(directory, beating, never)).rejects.toThrow("cannot be read");
    expect(readdirSync(directory)).toEqual(["lock.4"]);
    const still = { ...adjustableClock(), sleep: async () => {} };
    const lock = await lockDirectory(directory, still, never);
    expect(readdirSync(directory)).toEqual(["lock.5"]);
    await lock.release();
  });

  it("is not reported as lost after its release or a passing disk error", async () => {
    const other = temporaryDirectory();
    const directory = join(other, "data");
    mkdirSync(directory);
    const beats: [ms: number, beat: () => void][] = [];
    const ticking = {
      ...adjustableClock(),
      every: (ms: number, beat: () => void) => {
        beats.push([ms, beat]);
        return () => {};
      },
    };
    const lost: Error[] = [];
    const lock = await lockDirectory(directory, ticking, (error) => lost.push(error));
    expect(beats).toEqual([[1000, expect.any(Function)]]);
    const beat = async () => {
      beats[0]?.[1]();
      // Waits for the beat by doing the same to another file.
      for (let turn = 0; turn < 3; turn++) await utimes(other, 1, 1);
    };
    renameSync(directory, `${directory}-away`);
    writeFileSync(directory, "");
    await beat();
    rmSync(directory);
    renameSync(`${directory}-away`, directory);
    await lock.release();
    await beat();
    expect(lost).toEqual([]);
  });

  it("reports this process as running", () => {
    expect(stateOf(thisProcess())).toBe("running");
  });
});

describe("a data directory", () => {
  it("is accessible only to its owner, like all files in it", async () => {
    const directory = join(temporaryDirectory(), "made", "on", "the", "way");
    const store = await openAt(directory, { minimumBytes: 0 });
    await put(store, "a");
    await untilChanged(directory, () => readdirSync(directory).includes("store.json"));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(directory)) {
      expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  it("is closed to others if they could read it", async () => {
    const directory = temporaryDirectory();
    chmodSync(directory, 0o755);
    await openAt(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it("is closed to others at any start, whatever the store has left in it", async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, "lost+found"));
    const store = await openAt(directory, { minimumBytes: 0 });
    await put(store, "a");
    await untilChanged(directory, () => readdirSync(directory).includes("store.json"));
    await store.close();
    await makeDirectoryReadOnly(directory, "for a while", systemClock);
    mkdirSync(join(directory, "before-2026-11-28T00-00-00-000Z"));
    chmodSync(directory, 0o755);
    await openAt(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it("keeps its mode, which is logged, if it holds anything else", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "notes.txt"), "");
    chmodSync(directory, 0o1777);
    const { log, lines } = recordingLog();
    await openAt(directory, { log });
    expect(statSync(directory).mode & 0o7777).toBe(0o1777);
    expect(lines).toMatchObject([{ level: "warn", details: { directory, other: "notes.txt" } }]);
    expect(statSync(join(directory, "journal.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("reports its size in bytes", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    await put(store, "a", "x".repeat(10_000));
    expect(await store.sizeBytes()).toBe(readFileSync(join(directory, "journal.jsonl")).length);
  });
});

function writeLock(directory: string, number: number, holder: object): string {
  const path = join(directory, `lock.${number}`);
  writeFileSync(path, JSON.stringify({ ...thisProcess(), since: "2026-01-01T00:00:00.000Z", ...holder }));
  return path;
}
