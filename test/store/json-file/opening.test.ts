import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { getHeapStatistics } from "node:v8";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  createFile,
  openOutputFile,
  syncDirectory,
} from "../../../src/store/json-file/journal/output-file.ts";
import { collection, GLOBAL, reasonOf, StoreUnavailable } from "../../../src/store/store.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { bundled } from "../../support/bundled.ts";
import { fakeClock } from "../../support/clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { imageOf, linesOf, notes, notesOf, openAt, put } from "./directory.ts";
import { faultyFiles } from "./faulty-files.ts";

const JOURNAL = "journal.jsonl";

describe("a store in a directory", () => {
  it("may take about a third of the heap unless another size is configured", async () => {
    const store = await openAt(temporaryDirectory());
    const share = (store.headroom.describe()?.limitBytes ?? 0) / getHeapStatistics().heap_size_limit;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.4);
    const other = await openAt(temporaryDirectory(), { heapBytes: 12_345 });
    expect(other.headroom.describe()).toMatchObject({ bound: "server memory", limitBytes: 12_345 });
  });

  it("creates missing parent directories, and names the place where none can be created", async () => {
    const home = temporaryDirectory();
    await (await openAt(join(home, "a/b/c"))).close();
    expect(statSync(join(home, "a")).mode & 0o777).toBe(0o700);
    // In /proc, creating anything fails with ENOENT.
    if (process.platform === "linux")
      await expect(openAt("/proc/none/here")).rejects.toThrow("no directories can be made in /proc");
  });

  it("syncs where file handles cannot, as those of Yarn's Plug'n'Play", async () => {
    const directory = temporaryDirectory();
    const handle = await open(join(directory, "any"), "w");
    await handle.close();
    for (const method of ["sync", "datasync"] as const) {
      const spy = vi.spyOn(Object.getPrototypeOf(handle), method).mockImplementation(() => {
        throw new Error("Method not implemented.");
      });
      onTestFinished(() => spy.mockRestore());
    }
    const path = join(directory, "made");
    await createFile(path, "made");
    await syncDirectory(directory);
    const file = await openOutputFile(path);
    await file.write(Buffer.from("written"), 0);
    await file.sync();
    await file.close();
    expect(readFileSync(path, "utf8")).toBe("written");
  });

  it("does not compact a journal of one megabyte by default", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    await put(store, "a", "x".repeat(1 << 20));
    // A compaction that is due would start before the next write.
    await put(store, "b");
    expect(readdirSync(directory).sort()).toEqual([JOURNAL, "lock.1"]);
  });

  it("stops all its timers when closed, and may be closed twice", async () => {
    const under = new Set<object>();
    const clock = {
      ...adjustableClock(),
      every: () => {
        const timer = {};
        under.add(timer);
        return () => under.delete(timer);
      },
    };
    const store = await openAt(temporaryDirectory(), { clock });
    expect(under.size).toBeGreaterThan(0);
    const [first, second] = [store.close(), store.close()];
    expect(second).toBe(first);
    await first;
    expect(under.size).toBe(0);
  });

  it("saves the rate limits of the last second when closed", async () => {
    const directory = temporaryDirectory();
    const clock = fakeClock();
    const hour = { key: "hour", capacity: 10, kind: "fixed", windowMs: 3_600_000 } as const;
    const store = await openAt(directory, { clock });
    await store.admit([hour]);
    await store.close();
    const again = await openAt(directory, { clock });
    expect((await again.admit([{ ...hour, cost: 0 }])).windows[0]?.remaining).toBe(9);
  });

  it("fails its probe if the disk has no room for 64 KiB, and leaves no file behind", async () => {
    const directory = temporaryDirectory();
    const files = faultyFiles();
    const store = await openAt(directory, { openFile: files.open });
    files.free = 64 * 1024;
    await store.probe();
    expect(files.free).toBe(0);
    await expect(store.probe()).rejects.toThrow(StoreUnavailable);
    expect(readdirSync(directory).sort()).toEqual([JOURNAL, "lock.1"]);
    files.free = Number.POSITIVE_INFINITY;
    await store.probe();
  });

  it("says that the disk is full, or the quota used up, only where it is", async () => {
    const failing = async (fault: object) => {
      const store = await openAt(temporaryDirectory(), {
        openFile: async (path) => {
          if (path.endsWith("probe")) throw Object.assign(new Error("refused"), fault);
          return openOutputFile(path);
        },
      });
      const said = await store.probe().then(() => "", reasonOf);
      await store.close();
      return said;
    };
    expect(await failing({ code: "ENOSPC" })).toBe(
      "the journal cannot be written: is the disk full, or are its inodes used up (df -i)? (refused)",
    );
    // As Node reports it.
    const quota = { errno: -constants.errno.EDQUOT, code: `Unknown system error -${constants.errno.EDQUOT}` };
    expect(await failing(quota)).toContain("is this user's share of the disk used up?");
    expect(await failing({ code: "EFBIG" })).toContain("may a file get no longer (ulimit -f)?");
    expect(await failing({ code: "EIO" })).toBe("the journal cannot be written (refused)");
  });

  it.skipIf(process.platform === "win32")(
    "takes writes where no more files may be opened, and its probe says that none may",
    async () => {
      const [script = ""] = await bundled(
        "test/store/json-file/journal/without-descriptors.ts",
        "src/store/json-file/journal/compaction-worker.ts",
      );
      const limited = [
        "-c",
        'ulimit -n 128 && exec "$0" "$@"',
        process.execPath,
        script,
        temporaryDirectory(),
      ];
      const { stdout } = await promisify(execFile)("sh", limited);
      const [outcome, written, probed] = stdout.split("\n");
      expect([outcome, written]).toEqual(["EMFILE", "written"]);
      expect(probed).toContain("may this process open no more files");
    },
  );

  it("adds nothing to its journal if nothing was written since it was opened", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    await put(store, "a");
    await store.close();
    const before = readFileSync(join(directory, JOURNAL), "utf8");
    expect(before).toMatch(/\{"group":2,"bytes":0,"check":"[0-9a-f]{8}"\}\n$/);
    await (await openAt(directory)).close();
    expect(readFileSync(join(directory, JOURNAL), "utf8")).toBe(before);
  });

  it("returns the same frozen object for a document of a cached collection", async () => {
    const shared = collection<{ text: string; list: { of: number[] }[] }>("shared", { cached: true });
    const store = await openAt(temporaryDirectory());
    const read = () => store.transact((tx) => tx.get(shared, GLOBAL, "a"));
    await store.transact((tx) => tx.put(shared, GLOBAL, "a", { text: "a", list: [{ of: [1] }] }));
    const first = await read();
    expect(await read()).toBe(first);
    for (const part of [first, first?.list, first?.list[0], first?.list[0]?.of])
      expect(Object.isFrozen(part)).toBe(true);
    await store.transact((tx) => tx.put(notes, GLOBAL, "a", { text: "a" }));
    const own = () => store.transact((tx) => tx.get(notes, GLOBAL, "a"));
    expect(await own()).not.toBe(await own());
  });

  it("unlocks the directory if its files cannot be read", async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, JOURNAL));
    await expect(openAt(directory)).rejects.toThrow("is not a file");
    expect(readdirSync(directory)).toEqual([JOURNAL]);
  });

  it("reports the total size of its files", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory, { minimumBytes: 2000 });
    for (let index = 0; index < 40; index++) await put(store, `n${index}`, "x".repeat(100));
    const isCompacted = () =>
      existsSync(join(directory, "store.json")) && !existsSync(join(directory, "journal.old.jsonl"));
    await expect.poll(isCompacted).toBe(true);
    const sizes = ["store.json", JOURNAL].map((name) => statSync(join(directory, name)).size);
    await expect.poll(() => store.sizeBytes()).toBe((sizes[0] as number) + (sizes[1] as number));
  });

  it("marks a journal of release 0.1.0, which would take what this one adds for damage", async () => {
    const directory = temporaryDirectory();
    const written = await openAt(directory);
    await put(written, "a");
    await written.close();
    const older = linesOf(directory, JOURNAL).join("\n").replace('"version":2', '"version":1');
    writeFileSync(join(directory, JOURNAL), older);
    const opened = await openAt(directory);
    expect(linesOf(directory, JOURNAL)[0]).toBe('{"journal":0,"version":2}');
    await put(opened, "b");
    await opened.close();
    expect(await notesOf(await openAt(directory))).toEqual({ a: "a", b: "b" });
  });
});

describe("a compaction", () => {
  it("waits until the journal is larger than the snapshot", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory, { minimumBytes: 1000 });
    await put(store, "large", "x".repeat(20_000));
    const isCompacted = () =>
      existsSync(join(directory, "store.json")) && !existsSync(join(directory, "journal.old.jsonl"));
    await put(store, "behind");
    await expect.poll(isCompacted).toBe(true);
    const heading = linesOf(directory, JOURNAL)[0];
    await put(store, "smaller", "x".repeat(15_000));
    await put(store, "next");
    expect(linesOf(directory, JOURNAL)[0]).toBe(heading);
    expect(existsSync(join(directory, "journal.old.jsonl"))).toBe(false);
    // The thread of the first compaction may take a moment to end.
    await expect
      .poll(async () => {
        await put(store, "enough", "x".repeat(6000));
        return linesOf(directory, JOURNAL)[0];
      })
      .not.toBe(heading);
    expect(Object.keys(await notesOf(store))).toEqual(["behind", "enough", "large", "next", "smaller"]);
  });

  it("keeps the current journal if it cannot create a new one", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory, { minimumBytes: 1000 });
    mkdirSync(join(directory, `${JOURNAL}.unfinished`));
    for (let index = 0; index < 30; index++) await put(store, `n${index}`, "x".repeat(100));
    expect(existsSync(join(directory, "journal.old.jsonl"))).toBe(false);
    expect(linesOf(directory, JOURNAL)[0]).toBe('{"journal":0,"version":2}');
    await store.close();
    expect(linesOf(directory, JOURNAL).filter((line) => line.startsWith('{"put"'))).toHaveLength(30);
  });

  it("ends the process if it can neither begin a new journal nor put the current one back, and loses nothing", async () => {
    const directory = temporaryDirectory();
    const endings: unknown[] = [];
    let opened = 0;
    const store = await openAt(directory, {
      minimumBytes: 1000,
      terminate: (error) => endings.push(error),
      openFile: async (path) => {
        if (path.endsWith(JOURNAL) && ++opened === 2) {
          rmSync(path);
          mkdirSync(path);
          throw Object.assign(new Error("input/output error"), { code: "EIO" });
        }
        return openOutputFile(path);
      },
    });
    const acknowledged: string[] = [];
    for (let index = 0; endings.length === 0 && index < 300; index++) {
      const id = `n${String(index).padStart(3, "0")}`;
      const taken = await put(store, id, "x".repeat(100)).then(
        () => true,
        () => false,
      );
      if (taken) acknowledged.push(id);
    }
    expect(endings).toMatchObject([{ message: expect.stringContaining("cannot be put back") }]);
    await expect(put(store, "later")).rejects.toThrow(StoreUnavailable);
    rmdirSync(join(directory, JOURNAL));
    expect(Object.keys(await notesOf(await openAt(imageOf(directory))))).toEqual(acknowledged);
  });
});
