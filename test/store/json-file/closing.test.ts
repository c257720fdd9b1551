import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dumpDirectory } from "../../../src/store/json-file/journal/read-directory.ts";
import type { StoreItem } from "../../../src/store/store.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { openAt, put, recordingLog } from "./directory.ts";
import { faultyFiles } from "./faulty-files.ts";

const JOURNAL = '{"journal":0,"version":2}\n';

/** Returns a reader of a directory, and the times that it has waited. */
function reading(directory: string, meanwhile: (sleeps: number) => void = () => {}) {
  const sleeps: number[] = [];
  const clock = {
    ...adjustableClock(),
    sleep: async (ms: number) => {
      sleeps.push(ms);
      meanwhile(sleeps.length);
    },
  };
  const read = async () => {
    const items: StoreItem[] = [];
    for await (const item of dumpDirectory(directory, clock)) items.push(item);
    return items;
  };
  return { read, sleeps };
}

/** Creates a directory with these files. */
function holding(files: Record<string, string>): string {
  const directory = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

describe("a directory whose files do not continue each other", () => {
  it("is read again every 10 ms and refused after 100 attempts", async () => {
    const { read, sleeps } = reading(holding({ "journal.jsonl": JOURNAL.replace("0", "7") }));
    await expect(read()).rejects.toThrow("do not continue each other: start the server on it");
    expect(sleeps).toEqual(Array(99).fill(10));
  });

  it("is read once its files continue each other", async () => {
    const directory = holding({ "journal.jsonl": JOURNAL.replace("0", "7") });
    const { read, sleeps } = reading(directory, (count) => {
      if (count === 3) writeFileSync(join(directory, "journal.jsonl"), JOURNAL);
    });
    expect(await read()).toEqual([]);
    expect(sleeps).toHaveLength(3);
  });

  it("is refused as having no store if there are no files at the second attempt either", async () => {
    const empty = reading(temporaryDirectory());
    await expect(empty.read()).rejects.toThrow("There is no store in");
    expect(empty.sleeps).toEqual([10]);
    const directory = temporaryDirectory();
    const late = reading(directory, () => writeFileSync(join(directory, "journal.jsonl"), JOURNAL));
    expect(await late.read()).toEqual([]);
    const file = join(holding({ file: "" }), "file");
    await expect(reading(join(file, "data")).read()).rejects.toThrow("There is no store in");
    await expect(reading(file).read()).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});

describe("the files of a directory", () => {
  it("are all read if a compaction was interrupted", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    await put(store, "a");
    await store.close();
    // One group, and the closing record.
    writeFileSync(join(directory, "journal.old.jsonl"), readFileSync(join(directory, "journal.jsonl")));
    writeFileSync(join(directory, "journal.jsonl"), JOURNAL.replace("0", "2"));
    const ids = async () =>
      (await reading(directory).read()).map((item) => ("collection" in item ? item.id : item.counter));
    expect(await ids()).toEqual(["a"]);
    rmSync(join(directory, "journal.jsonl"));
    expect(await ids()).toEqual(["a"]);
  });

  it.runIf(process.platform === "linux")("are closed after reading, even if reading fails", async () => {
    const open = () => readdirSync("/proc/self/fd").length;
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    await put(store, "a");
    await store.close();
    const before = open();
    for (let time = 0; time < 3; time++) {
      await reading(directory).read();
      const broken = reading(holding({ "journal.jsonl": JOURNAL.replace("0", "7") }));
      await expect(broken.read()).rejects.toThrow("do not continue");
      await (await openAt(directory)).close();
    }
    expect(open()).toBeLessThan(before + 3);
  });
});

describe("a store in a directory", () => {
  it("logs a missing seal and unlocks its directory when closed on a full disk", async () => {
    const directory = temporaryDirectory();
    const files = faultyFiles();
    const { lines, log } = recordingLog();
    const store = await openAt(directory, { openFile: files.open, log });
    await put(store, "a");
    files.free = 0;
    await store.close();
    expect(lines).toMatchObject([
      {
        level: "warn",
        message: "the store was closed without a seal",
        details: { err: { cause: { code: "ENOSPC" } } },
      },
    ]);
    expect(readdirSync(directory)).toEqual(["journal.jsonl"]);
  });
});
