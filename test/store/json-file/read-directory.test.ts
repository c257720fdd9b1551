import { fork } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { JOURNAL, SNAPSHOT } from "../../../src/store/json-file/journal/layout.ts";
import { load } from "../../../src/store/json-file/journal/load.ts";
import { mergeOldJournal } from "../../../src/store/json-file/journal/merge.ts";
import { openJsonFileStore } from "../../../src/store/json-file/json-file-store.ts";
import { readStore } from "../../../src/store/open.ts";
import { collection, type StoreItem } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { bundled } from "../../support/bundled.ts";
import { temporaryDirectory } from "../../support/store.ts";

const notes = collection<{ number: number; text: string }>("notes", { changes: true });
const log = createLog("silent");
const options = { clock: systemClock, log };

/** Opens a store with a threshold so small that it compacts most of the time. */
const open = (directory: string) => openJsonFileStore(directory, { ...options, minimumBytes: 2_000 });

async function all(items: AsyncIterable<StoreItem>): Promise<string[]> {
  const found: string[] = [];
  for await (const item of items) found.push(JSON.stringify(item));
  return found.sort();
}

/** Creates a directory with a snapshot, an old journal that continues it and a journal that continues that one. */
async function withAllFiles(): Promise<string> {
  const directory = temporaryDirectory();
  const path = (name: string) => join(directory, name);
  for (const id of ["snapshot", "old"]) {
    const store = await openJsonFileStore(directory, options);
    await store.transact((tx) => tx.put(notes, "global", id, { number: 1, text: "" }));
    await store.close();
    const { group } = load(directory, log);
    renameSync(path(JOURNAL.name), path(JOURNAL.oldName));
    if (id === "snapshot") {
      mergeOldJournal(directory);
      rmSync(path(JOURNAL.oldName));
    }
    writeFileSync(path(JOURNAL.name), JOURNAL.heading(group));
  }
  return directory;
}

/** Limit of transactions of the writer, which is faster than a reader of everything that it has written. */
const MOST = "10000";

describe("a directory that is read while its server runs", () => {
  it("yields a consistent snapshot with all acknowledged writes, despite compactions", async () => {
    const [writer = ""] = await bundled(
      "test/store/json-file/writer.ts",
      "src/store/json-file/journal/compaction-worker.ts",
    );
    const directory = temporaryDirectory();
    const path = join(temporaryDirectory(), "printed");
    const printed = openSync(path, "w");
    const child = fork(writer, [directory, "run", MOST], {
      stdio: ["ignore", printed, "inherit", "ipc"],
      execArgv: [],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    await once(child, "message");
    const lines = (what: string) =>
      readFileSync(path, "utf8")
        .split("\n")
        .slice(0, -1)
        .filter((line) => line.startsWith(what))
        .map((line) => line.split(" ")[1]);
    const snapshots = new Set<number>();
    // Reads take a millisecond or hundreds, so that all interleavings occur.
    for (let round = 0; round < 60; round++) {
      if (round === 50) {
        child.kill("SIGKILL");
        await ended;
      }
      const before = lines("ack");
      const items = (await all(readStore(directory, options))).map((text) => JSON.parse(text));
      const ids = new Set(items.filter(({ collection }) => collection === "notes").map(({ id }) => id));
      expect(before.filter((id) => !ids.has(id))).toEqual([]);
      const sent = new Set(lines("send"));
      expect([...ids].filter((id) => !sent.has(id))).toEqual([]);
      expect(items.find((item) => item.counter === "writes").count).toBe(ids.size);
      const snapshot = join(directory, "store.json");
      // Not identified by inode, which the file system reuses.
      if (existsSync(snapshot)) snapshots.add(statSync(snapshot).mtimeMs);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    closeSync(printed);
    expect(snapshots.size).toBeGreaterThan(1);
  });

  it("yields the same items as the dump of the open store", async () => {
    const step = fc.record({
      id: fc.constantFrom("a", "b", "ß\u2028\n", '"\\'),
      space: fc.constantFrom("global", "acc/p"),
      what: fc.constantFrom("put", "delete", "count", "forget", "past", "future"),
      number: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, reopened) => {
        const directory = temporaryDirectory();
        let store = await open(directory);
        for (const { id, space, what, number } of steps) {
          const text = "x".repeat(300);
          await store.transact(async (tx) => {
            if (what === "put") await tx.put(notes, space, id, { number, text });
            if (what === "delete") await tx.delete(notes, space, id);
            if (what === "count") await tx.increment("notes", space, id, 1);
            if (what === "forget") await tx.deleteCounts("notes", space, { from: "", to: "\uffff" });
            const expiresAt = what === "past" ? 1 : Date.UTC(2100, 0);
            if (what === "past" || what === "future")
              await tx.put(notes, space, id, { number, text }, { expiresAt });
          });
        }
        if (reopened) {
          await store.close();
          store = await open(directory);
        }
        expect(await all(readStore(directory, options))).toEqual(await all(store.dump()));
        await store.close();
      }),
      { numRuns: 40 },
    );
  });

  it("yields nothing if its store is empty, and is refused if there is no store", async () => {
    const directory = temporaryDirectory();
    await expect(all(readStore(directory, options))).rejects.toThrow(`There is no store in ${directory}`);
    await expect(all(readStore(join(directory, "nowhere"), options))).rejects.toThrow("There is no store in");
    expect(existsSync(join(directory, "nowhere"))).toBe(false);
    const store = await open(directory);
    onTestFinished(() => store.close());
    expect(await all(readStore(directory, options))).toEqual([]);
  });

  it.each([
    ["its snapshot is", [SNAPSHOT.name]],
    ["its old journal is", [JOURNAL.oldName]],
    ["both journals are", [JOURNAL.oldName, JOURNAL.name]],
  ])("is refused as incomplete if %s missing, and not as one without a store", async (_, names) => {
    const directory = await withAllFiles();
    const clock = { ...systemClock, sleep: async () => {} };
    const read = () => all(readStore(directory, { ...options, clock }));
    expect((await read()).map((item) => JSON.parse(item).id)).toEqual(["old", "snapshot"]);
    for (const name of names) rmSync(join(directory, name));
    await expect(read()).rejects.toThrow(`The files in ${directory} do not continue each other`);
  });
});
