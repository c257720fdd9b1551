import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JOURNAL } from "../../../src/store/json-file/journal/layout.ts";
import { lockDirectory } from "../../../src/store/json-file/lock.ts";
import {
  directoryReadOnlyReason,
  makeDirectoryReadOnly,
  makeDirectoryWritable,
  watchReadOnly,
} from "../../../src/store/json-file/read-only.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { gate } from "./faulty-files.ts";

const FILE = "read-only";
const ASKED = "read-only.asked";

/** Returns a clock on which sleeps end at once. */
function sleepless() {
  const clock = fakeClock();
  return { ...clock, sleep: async (ms: number) => clock.advance(ms) };
}

/** Returns a directory on which no server runs. */
function closedStore(): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, JOURNAL.name), "");
  return directory;
}

const turn = () => new Promise(setImmediate);

describe("makeDirectoryReadOnly()", () => {
  it("writes the reason to a file if no server runs, and makeDirectoryWritable() deletes the file", async () => {
    const directory = closedStore();
    await makeDirectoryReadOnly(directory, "it's being moved", sleepless());
    expect(readdirSync(directory)).toEqual([JOURNAL.name, FILE]);
    expect(readFileSync(join(directory, FILE), "utf8")).toBe("it's being moved");
    expect(statSync(join(directory, FILE)).mode & 0o777).toBe(0o644);
    await makeDirectoryWritable(directory);
    expect(readdirSync(directory)).toEqual([JOURNAL.name]);
  });

  it("leaves the reason readable for a server of another user, whatever the umask", async () => {
    const directory = closedStore();
    const umask = process.umask(0o077);
    try {
      await makeDirectoryReadOnly(directory, "why", sleepless());
    } finally {
      process.umask(umask);
    }
    expect(statSync(join(directory, FILE)).mode & 0o777).toBe(0o644);
  });

  it("gives up after 15 s if the server does not answer, and leaves the directory writable", async () => {
    const directory = temporaryDirectory();
    await lockDirectory(directory, fakeClock(), () => {});
    const clock = sleepless();
    const refused = makeDirectoryReadOnly(directory, "why", clock);
    await expect(refused).rejects.toThrow(`The server on ${directory} does not stop writing`);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(15_000);
    expect(clock.monotonic()).toBeLessThan(16_000);
    expect(readdirSync(directory)).toEqual(["lock.1"]);
  });

  it("fails without leaving a request if the lock cannot be read", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "lock.1"), "{");
    await expect(makeDirectoryReadOnly(directory, "why", sleepless())).rejects.toThrow("cannot be read");
    expect(readdirSync(directory)).toEqual(["lock.1"]);
  });
});

describe("watchReadOnly()", () => {
  function watching(settled: () => Promise<void> = async () => {}) {
    const directory = temporaryDirectory();
    const clock = fakeClock();
    const watch = watchReadOnly(directory, clock, settled);
    const ask = (reason: string) => writeFileSync(join(directory, ASKED), reason);
    return { directory, clock, watch, ask };
  }

  it("keeps refusing writes and retries while the request cannot be granted", async () => {
    const { directory, clock, watch, ask } = watching();
    mkdirSync(join(directory, FILE, "in the way"), { recursive: true });
    ask("why");
    for (let looks = 0; looks < 3; looks++) {
      await clock.advance(250);
      await turn();
      expect(watch.reason()).toBe("why");
      expect(existsSync(join(directory, ASKED))).toBe(true);
    }
    rmSync(join(directory, FILE), { recursive: true });
    await clock.advance(250);
    await turn();
    expect(readFileSync(join(directory, FILE), "utf8")).toBe("why");
    expect(existsSync(join(directory, ASKED))).toBe(false);
  });

  it("refuses writes once it sees the request, and grants the request when earlier writes are durable", async () => {
    const { closed, open } = gate();
    const { directory, clock, watch, ask } = watching(() => closed);
    expect(watch.reason()).toBeUndefined();
    ask("why");
    clock.advance(249);
    expect(watch.reason()).toBeUndefined();
    clock.advance(1);
    expect(watch.reason()).toBe("why");
    clock.advance(1000);
    await turn();
    expect(readdirSync(directory)).toEqual([ASKED]);
    open();
    await turn();
    expect(readdirSync(directory)).toEqual([FILE]);
    clock.advance(250);
    expect(watch.reason()).toBe("why");
    await makeDirectoryWritable(directory);
    clock.advance(250);
    expect(watch.reason()).toBeUndefined();
  });

  it("does not grant a request that was withdrawn before earlier writes were durable", async () => {
    const { closed, open } = gate();
    const { directory, clock, watch, ask } = watching(() => closed);
    ask("why");
    clock.advance(250);
    await makeDirectoryWritable(directory);
    open();
    await turn();
    expect(readdirSync(directory)).toEqual([]);
    clock.advance(250);
    expect(watch.reason()).toBeUndefined();
  });

  it("adopts the reason of a later request, and grants that request", async () => {
    const { directory, clock, watch, ask } = watching();
    ask("first");
    clock.advance(250);
    await turn();
    ask("second");
    clock.advance(250);
    expect(watch.reason()).toBe("second");
    await turn();
    expect(existsSync(join(directory, ASKED))).toBe(false);
    expect(readFileSync(join(directory, FILE), "utf8")).toBe("second");
  });

  it("refuses writes while a reason is there that cannot be read", async () => {
    const { directory, clock, watch } = watching();
    mkdirSync(join(directory, FILE));
    clock.advance(250);
    expect(watch.reason()).toBe(`The mark ${join(directory, FILE)} cannot be read (EISDIR).`);
    expect(directoryReadOnlyReason(directory)).toBe(watch.reason());
    rmSync(join(directory, FILE), { recursive: true });
    clock.advance(250);
    expect(watch.reason()).toBeUndefined();
  });

  it("starts read-only if the directory already is, and ignores changes once stopped", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, FILE), "before");
    const clock = fakeClock();
    const watch = watchReadOnly(directory, clock, async () => {});
    expect(watch.reason()).toBe("before");
    watch.stop();
    await makeDirectoryWritable(directory);
    clock.advance(1000);
    expect(watch.reason()).toBe("before");
  });
});
