import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProcessLock } from "../../src/client/telemetry/process-lock.ts";
import { systemClock } from "../../src/system/clock.ts";
import { thisProcess } from "../../src/system/processes/process-identity.ts";
import { bundled } from "../support/bundled.ts";
import { temporaryDirectory } from "../support/store.ts";
import { kill, startProcess } from "./support/processes.ts";

const locksIn = (directory: string) => readdirSync(directory).filter((name) => name.includes(".lock."));

describe("a process lock", () => {
  it("has one holder at a time, and is free after its release", () => {
    const directory = temporaryDirectory();
    const [one, other] = [1, 2].map(() => createProcessLock(directory, "sending", systemClock));
    const release = one?.acquire();
    expect(release).toBeDefined();
    expect(other?.acquire()).toBeUndefined();
    expect(other?.isHeld()).toBe(true);
    release?.();
    expect(other?.isHeld()).toBe(false);
    expect(other?.acquire()).toBeDefined();
    expect(locksIn(directory)).toHaveLength(1);
  });

  it("is independent of a lock with another name", () => {
    const directory = temporaryDirectory();
    createProcessLock(directory, "sending", systemClock).acquire();
    expect(createProcessLock(directory, "sender", systemClock).acquire()).toBeDefined();
  });

  it.runIf(existsSync("/dev/full"))("names its file on a full disk", () => {
    const directory = temporaryDirectory();
    const path = join(directory, "sending.lock.1");
    symlinkSync("/dev/full", `${path}.${process.pid}.tmp`);
    const lock = createProcessLock(directory, "sending", systemClock);
    expect(() => lock.acquire()).toThrow(expect.objectContaining({ code: "ENOSPC", path }));
  });

  it("is taken over at once from a process that has ended", () => {
    const directory = temporaryDirectory();
    const { pid } = spawnSync(process.execPath, ["-e", "0"]);
    writeFileSync(join(directory, "sending.lock.7"), JSON.stringify({ ...thisProcess(), pid }));
    expect(createProcessLock(directory, "sending", systemClock).acquire()).toBeDefined();
    expect(locksIn(directory)).toEqual(["sending.lock.8"]);
  });

  it.runIf(process.platform === "linux")(
    "is taken over from an ended process whose id a living one has",
    () => {
      const directory = temporaryDirectory();
      const holder = { ...thisProcess(), startTime: "1" };
      writeFileSync(join(directory, "sending.lock.1"), JSON.stringify(holder));
      expect(createProcessLock(directory, "sending", systemClock).acquire()).toBeDefined();
    },
  );

  it("of another host is taken over once it is older than 15 minutes", () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "sending.lock.1"), JSON.stringify({ pid: 1, host: "elsewhere" }));
    expect(createProcessLock(directory, "sending", systemClock).acquire()).toBeUndefined();
    const later = { now: () => systemClock.now() + 16 * 60_000 };
    expect(createProcessLock(directory, "sending", later).acquire()).toBeDefined();
  });

  it("stays with its new holder if a slower process had seen the released lock", () => {
    const directory = temporaryDirectory();
    const path = (number: number) => join(directory, `sending.lock.${number}`);
    writeFileSync(path(1), "released");
    const clock = systemClock;
    const first = createProcessLock(directory, "sending", clock);
    let release: (() => void) | undefined;
    const slower = createProcessLock(directory, "sending", {
      now: () => {
        release ??= first.acquire();
        return clock.now();
      },
    });
    expect(slower.acquire()).toBeUndefined();
    expect(readdirSync(directory)).toEqual(["sending.lock.2"]);
    release?.();
    expect(slower.acquire()).toBeDefined();
  });

  it.each(["", "{", "released", 'releasedid":1}', "null"])("is free if its file contains %j", (text) => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "sending.lock.3"), text);
    const lock = createProcessLock(directory, "sending", systemClock);
    expect(lock.isHeld()).toBe(false);
    expect(lock.acquire()).toBeDefined();
    expect(readdirSync(directory)).toEqual(["sending.lock.4"]);
  });

  it("is kept when a former holder releases it late", () => {
    const directory = temporaryDirectory();
    const lock = createProcessLock(directory, "sending", systemClock);
    const release = lock.acquire();
    writeFileSync(join(directory, "sending.lock.1"), JSON.stringify({ ...thisProcess(), pid: 2 ** 22 + 1 }));
    expect(lock.acquire()).toBeDefined();
    release?.();
    expect(lock.isHeld()).toBe(true);
    expect(locksIn(directory)).toEqual(["sending.lock.2"]);
  });

  it("never has two holders at once, even if processes are killed at any time", async () => {
    const directory = temporaryDirectory();
    const [program = ""] = await bundled("test/client/support/lock-process.ts");
    const processes = Array.from({ length: 4 }, () => startProcess(program, directory));
    while (!existsSync(join(directory, "turns"))) await systemClock.sleep(10);
    for (let kills = 0; kills < 20; kills++) {
      await systemClock.sleep(40);
      const place = kills % processes.length;
      await kill(processes[place] as ChildProcess);
      processes[place] = startProcess(program, directory);
    }
    const turns = () => readFileSync(join(directory, "turns"), "utf8").trim().split("\n");
    await expect.poll(() => new Set(turns()).size).toBeGreaterThan(4);
    await Promise.all(processes.map(kill));
    expect(existsSync(join(directory, "violations"))).toBe(false);
    expect(createProcessLock(directory, "test", systemClock).acquire()).toBeDefined();
  });
});
