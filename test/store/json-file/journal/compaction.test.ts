import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createCompaction } from "../../../../src/store/json-file/journal/compaction.ts";
import { JournalAdapter } from "../../../../src/store/json-file/journal/journal-adapter.ts";
import { mergeOldJournal } from "../../../../src/store/json-file/journal/merge.ts";
import { openOutputFile } from "../../../../src/store/json-file/journal/output-file.ts";
import { SnapshotWriter } from "../../../../src/store/json-file/journal/snapshot-writer.ts";
import { makeDirectoryReadOnly } from "../../../../src/store/json-file/read-only.ts";
import { GLOBAL, type Store } from "../../../../src/store/store.ts";
import type { Clock } from "../../../../src/system/clock.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/system/durations.ts";
import { adjustableClock } from "../../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../../support/store.ts";
import { imageOf, linesOf, notes, notesOf, openAt, put, recordingLog } from "../directory.ts";

const JOURNAL = "journal.jsonl";
const OLD = "journal.old.jsonl";
const SNAPSHOT = "store.json";

describe("compaction", () => {
  it("merges the journal into the snapshot while others write, and loses nothing", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory, { minimumBytes: 20_000 });
    const written: Record<string, string> = {};
    for (let round = 0; !(existsSync(join(directory, SNAPSHOT)) && round > 50); round++) {
      await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const id = `n${(round * 7 + index) % 400}`;
          written[id] = `round ${round}`;
          await put(store, id, written[id]);
        }),
      );
      if (round % 3 === 0) {
        await store.transact((tx) => tx.delete(notes, GLOBAL, `n${round % 400}`));
        delete written[`n${round % 400}`];
      }
      await store.transact((tx) => tx.increment("visits", GLOBAL, "rounds", 1));
    }
    expect(await notesOf(store)).toEqual(written);
    const { lines, log } = recordingLog();
    expect(await notesOf(await openAt(imageOf(directory), { log }))).toEqual(written);
    expect(lines).toEqual([]);
    await store.close();
    expect(await notesOf(await openAt(directory))).toEqual(written);
  });

  it("writes the snapshot as JSON with one readable record per line", async () => {
    const directory = await compacted(async (store) => {
      await put(store, "b", "second");
      await put(store, "a", 'quotes " and ü');
      await store.transact((tx) => tx.increment("visits", "acc_1/web", "2026-01-15", 7));
    });
    expect(linesOf(directory, SNAPSHOT).map((line) => line.replace(/"[0-9a-f]{8}"/, '"…"'))).toEqual([
      '{"snapshot":4,"version":1,"records":[',
      '{"group":1,"bytes":216,"check":"…"},',
      '{"put":"notes","space":"global","id":"b","value":{"text":"second"}},',
      '{"put":"notes","space":"global","id":"a","value":{"text":"quotes \\" and ü"}},',
      '{"count":"visits","space":"acc_1/web","id":"2026-01-15","value":7},',
      '{"end":1}',
      "]}",
      "",
    ]);
    const { records } = JSON.parse(readFileSync(join(directory, SNAPSHOT), "utf8"));
    expect(records).toHaveLength(5);
  });

  it("keeps the order of writes, and drops deleted and overwritten records", async () => {
    const directory = await compacted(async (store) => {
      for (const id of ["d", "a", "c", "b"]) await put(store, id);
      await put(store, "a", "again");
      await store.transact((tx) => tx.delete(notes, GLOBAL, "c"));
    });
    const order = async (at: string) => {
      const found = await (await openAt(at)).transact((tx) => tx.changes(notes, GLOBAL));
      return found === "reset" ? [] : found.entries.map(({ id }) => id);
    };
    expect(await order(imageOf(directory))).toEqual(["d", "b", "a"]);
    expect(linesOf(directory, SNAPSHOT).filter((line) => line.startsWith('{"delete"'))).toEqual([]);
    const twice = await compacted(async (store) => {
      await put(store, "d", "once more");
      await put(store, "c", "back");
      await store.transact((tx) => tx.increment(notes.name, GLOBAL, "a", 1));
    }, imageOf(directory));
    expect(await order(imageOf(twice))).toEqual(["b", "a", "d", "c"]);
    expect(linesOf(twice, SNAPSHOT).filter((line) => line.startsWith('{"put"'))).toHaveLength(4);
  });

  it("writes an empty snapshot if all documents were deleted", async () => {
    const directory = await compacted(async (store) => {
      await put(store, "a");
      await store.transact((tx) => tx.delete(notes, GLOBAL, "a"));
    });
    expect(linesOf(directory, SNAPSHOT)).toEqual([
      '{"snapshot":3,"version":1,"records":[',
      '{"end":0}',
      "]}",
      "",
    ]);
    expect(await notesOf(await openAt(directory))).toEqual({});
  });

  it("writes snapshots in groups of a quarter of a megabyte", async () => {
    const directory = await compacted(async (store) => {
      await store.transact(async (tx) => {
        for (let index = 0; index < 1000; index++)
          await tx.put(notes, GLOBAL, `n${index}`, { text: "x".repeat(1000) });
      });
    });
    const bytes = linesOf(directory, SNAPSHOT).flatMap((line) => {
      const [, size] = /^\{"group":\d+,"bytes":(\d+)/.exec(line) ?? [];
      return size === undefined ? [] : [Number(size)];
    });
    expect(bytes).toHaveLength(5);
    for (const size of bytes.slice(0, -1)) {
      expect(size).toBeGreaterThanOrEqual(1 << 18);
      expect(size).toBeLessThan((1 << 18) + 1100);
    }
    expect(Object.keys(await notesOf(await openAt(directory)))).toHaveLength(1000);
  });

  it("tracks the size of each file, and changes nothing when a merge is repeated", async () => {
    const directory = await compacted(async (store) => put(store, "a", "in the snapshot"));
    const store = await openAt(directory);
    await put(store, "b", "in the old journal, which is a little longer");
    await store.close();
    const size = (name: string) => statSync(join(directory, name)).size;
    cpSync(join(directory, JOURNAL), join(directory, OLD));
    writeFileSync(join(directory, JOURNAL), `{"journal":${lastGroup(directory)},"version":2}\n`);
    const adapter = new JournalAdapter(directory, openOutputFile, recordingLog().log, adjustableClock());
    await adapter.read();
    expect([adapter.snapshotBytes, adapter.oldJournalBytes, adapter.journalBytes]).toEqual(
      [SNAPSHOT, OLD, JOURNAL].map(size),
    );
    await adapter.close();
    const bytes = mergeOldJournal(directory);
    expect(bytes).toBe(size(SNAPSHOT));
    const snapshot = readFileSync(join(directory, SNAPSHOT));
    // A second merge of the same journal changes nothing.
    expect(mergeOldJournal(directory)).toBe(bytes);
    expect(readFileSync(join(directory, SNAPSHOT))).toEqual(snapshot);
    rmSync(join(directory, OLD));
    const opened = await openAt(directory);
    expect(await opened.sizeBytes()).toBe(size(SNAPSHOT) + size(JOURNAL));
  });

  it("is due when the journal exceeds the snapshot and the minimum, but not for a minute after a failure", async () => {
    const clock = adjustableClock();
    const adapter = { snapshotBytes: 0, oldJournalBytes: 0, journalBytes: 0, directory: "" };
    const rotate = () => Promise.reject(new Error("no room"));
    const { lines, log } = recordingLog();
    const compaction = createCompaction({
      adapter: Object.assign(adapter, { rotate }) as never,
      ...{ clock, log, minimumBytes: 100 },
    });
    const isDue = (journalBytes: number, snapshotBytes: number) => {
      Object.assign(adapter, { journalBytes, snapshotBytes });
      return compaction.isDue();
    };
    expect([isDue(100, 0), isDue(101, 0), isDue(150, 150), isDue(151, 150)]).toEqual([
      ...[false, true],
      ...[false, true],
    ]);
    await compaction.start();
    expect(lines).toMatchObject([
      {
        ...{ level: "warn", details: { err: { message: "no room" } } },
        message: "the journal could not be merged into the snapshot; trying again in a minute",
      },
    ]);
    clock.advance(59_999);
    expect(isDue(101, 0)).toBe(false);
    clock.advance(1);
    expect(isDue(101, 0)).toBe(true);
    await compaction.stop();
  });

  it("is due a day after the last one, however small the journal, unless nothing was written since", () => {
    const clock = adjustableClock();
    const due = (mergedAt: number, isEmpty = false) => {
      const adapter = { snapshotBytes: 5000, oldJournalBytes: 0, journalBytes: 90, directory: "" };
      const compaction = createCompaction({
        adapter: Object.assign(adapter, { mergedAt, isEmpty }) as never,
        ...{ clock, log: recordingLog().log, minimumBytes: 100 },
      });
      return compaction.isDue;
    };
    const isDue = due(clock.now() - HOUR_MS);
    const isDueLater = due(clock.now() + HOUR_MS);
    expect([isDue(), due(clock.now() - DAY_MS)(), due(0)(), due(0, true)()]).toEqual([
      false,
      true,
      true,
      false,
    ]);
    clock.advance(23 * HOUR_MS - 1);
    expect(isDue()).toBe(false);
    clock.advance(1);
    expect(isDue()).toBe(true);
    clock.advance(HOUR_MS - 1);
    expect(isDueLater()).toBe(false);
    clock.advance(1);
    expect(isDueLater()).toBe(true);
  });

  it("touches no file for its age while the store is read only, when an operator may copy them", async () => {
    const directory = temporaryDirectory();
    const first = await openAt(directory);
    await put(first, "kept");
    await first.close();
    await makeDirectoryReadOnly(directory, "maintenance", adjustableClock());
    const clock = adjustableClock();
    const hourly: (() => void)[] = [];
    const every: Clock["every"] = (ms, work) => {
      if (ms === HOUR_MS) hourly.push(work);
      return clock.every(ms, work);
    };
    const store = await openAt(directory, { clock: { ...clock, every } });
    clock.advance(2 * DAY_MS);
    for (const work of hourly) work();
    await store.transact((tx) => tx.get(notes, GLOBAL, "kept"));
    expect(hourly).toHaveLength(1);
    expect(readdirSync(directory)).not.toContain(OLD);
    expect(readdirSync(directory)).not.toContain(SNAPSHOT);
  });

  it("is tried again an hour later where it failed for its age, as it may take a whole disk", async () => {
    const clock = adjustableClock();
    const files = {
      snapshotBytes: 5000,
      oldJournalBytes: 0,
      journalBytes: 90,
      directory: "",
      isEmpty: false,
    };
    const adapter = { ...files, mergedAt: 0, rotate: () => Promise.reject(new Error("no room")) };
    const { lines, log } = recordingLog();
    const compaction = createCompaction({ adapter: adapter as never, clock, log, minimumBytes: 100 });
    expect(compaction.isDue()).toBe(true);
    await compaction.start();
    expect(lines).toMatchObject([
      { level: "warn", message: expect.stringContaining("trying again in an hour") },
    ]);
    clock.advance(HOUR_MS - 1);
    expect(compaction.isDue()).toBe(false);
    // As a rotation leaves it, whose merge failed.
    Object.assign(adapter, { isEmpty: true, oldJournalBytes: 90 });
    clock.advance(1);
    expect(compaction.isDue()).toBe(true);
  });

  it("leaves nothing of what was deleted on the disk a day later, even if nobody writes any more", async () => {
    const directory = temporaryDirectory();
    const clock = adjustableClock();
    const hourly: (() => void)[] = [];
    const every: Clock["every"] = (ms, work) => {
      if (ms === HOUR_MS) hourly.push(work);
      return clock.every(ms, work);
    };
    const store = await openAt(directory, { clock: { ...clock, every } });
    const files = () => readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
    const hour = () => {
      clock.advance(HOUR_MS);
      for (const work of hourly) work();
    };
    await put(store, "kept");
    await put(store, "gone", "ada@example.com");
    await store.transact((tx) => tx.delete(notes, GLOBAL, "gone"));
    hour();
    expect(files().join()).toContain("ada@example.com");
    for (let hours = 1; hours < 24; hours++) hour();
    await until(() => existsSync(join(directory, SNAPSHOT)) && !existsSync(join(directory, OLD)));
    expect(files().join()).not.toContain("ada@example.com");
    const merged = statSync(join(directory, SNAPSHOT)).ino;
    for (let hours = 0; hours < 48; hours++) hour();
    await put(store, "after");
    expect(statSync(join(directory, SNAPSHOT)).ino).toBe(merged);
    expect(Object.keys(await notesOf(store)).sort()).toEqual(["after", "kept"]);
  });

  it("handles documents of any size", async () => {
    const texts = ["x".repeat(3_000_000), "", "ü".repeat(300_000)];
    const directory = await compacted(async (store) => {
      for (const [index, text] of texts.entries()) await put(store, `n${index}`, text);
    });
    expect(await notesOf(await openAt(directory))).toEqual({ n0: texts[0], n1: texts[1], n2: texts[2] });
  });

  it("loses nothing when killed at any step, and is completed after the next start", async () => {
    const before = temporaryDirectory();
    const first = await openAt(before);
    await put(first, "a", "in the snapshot");
    await first.close();
    merge(before);
    const second = await openAt(before);
    await put(second, "b", "in the old journal");
    await second.close();

    const renamed = imageOf(before);
    cpSync(join(renamed, JOURNAL), join(renamed, OLD));
    rmSync(join(renamed, JOURNAL));
    const torn = imageOf(renamed);
    writeFileSync(join(torn, OLD), '{"group":9,"bytes":4', { flag: "a" });
    const begun = imageOf(before);
    cpSync(join(begun, JOURNAL), join(begun, OLD));
    writeFileSync(join(begun, JOURNAL), `{"journal":${lastGroup(begun)},"version":2}\n`);
    const unfinished = imageOf(begun);
    writeFileSync(join(unfinished, `${SNAPSHOT}.unfinished`), '{"snapshot":9,"version":1,"rec');
    writeFileSync(join(unfinished, `${JOURNAL}.unfinished`), '{"jour');
    const finished = imageOf(begun);
    mergeOldJournal(finished);

    for (const directory of [renamed, torn, begun, unfinished, finished]) {
      const store = await openAt(directory);
      const expected = { a: "in the snapshot", b: "in the old journal" };
      expect(await notesOf(store)).toEqual(expected);
      await put(store, "c", "in the new journal");
      await until(() => !existsSync(join(directory, OLD)));
      expect(readdirSync(directory).sort()).toEqual([JOURNAL, "lock.1", SNAPSHOT].sort());
      expect(await notesOf(await openAt(imageOf(directory)))).toEqual({
        ...expected,
        c: "in the new journal",
      });
    }
  });

  it("leaves its room to the journal when the disk has none for a whole snapshot", async () => {
    const directory = temporaryDirectory();
    const full = vi.spyOn(SnapshotWriter.prototype, "finish").mockImplementation(() => {
      throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    });
    onTestFinished(() => full.mockRestore());
    await expect(compacted((store) => put(store, "a", "text"), directory)).rejects.toThrow("no space left");
    expect(readdirSync(directory).sort()).toEqual([JOURNAL, OLD]);
    full.mockRestore();
    expect(await notesOf(await openAt(directory))).toEqual({ a: "text" });
  });

  it("is retried a minute after a failure, which affects no reads or writes", async () => {
    const directory = temporaryDirectory();
    const clock = adjustableClock();
    const { lines, log } = recordingLog();
    const store = await openAt(directory, { clock, log, minimumBytes: 1000 });
    mkdirSync(join(directory, `${SNAPSHOT}.unfinished`));
    for (let index = 0; index < 30; index++) await put(store, `n${index}`);
    await until(() => lines.length > 0);
    for (let index = 0; index < 30; index++) await put(store, `m${index}`);
    expect(lines).toMatchObject([{ level: "warn", details: { err: { code: "EISDIR" } } }]);
    expect(existsSync(join(directory, SNAPSHOT))).toBe(false);
    const image = imageOf(directory);
    rmdirSync(join(image, `${SNAPSHOT}.unfinished`));
    expect(Object.keys(await notesOf(await openAt(image)))).toHaveLength(60);

    rmdirSync(join(directory, `${SNAPSHOT}.unfinished`));
    clock.advance(60_000);
    // A commit starts the compaction. The failed thread may take a moment to end.
    await until(() => {
      void put(store, "last");
      return existsSync(join(directory, SNAPSHOT)) && !existsSync(join(directory, OLD));
    });
    expect(Object.keys(await notesOf(await openAt(imageOf(directory))))).toHaveLength(61);
  });
});

/** Runs `work` in a store on `directory`, then compacts the directory as `merge` does. */
async function compacted(
  work: (store: Store) => Promise<void>,
  directory = temporaryDirectory(),
): Promise<string> {
  const store = await openAt(directory);
  await work(store);
  await store.close();
  merge(directory);
  return directory;
}

/** Compacts a directory in this thread. */
function merge(directory: string): void {
  const group = lastGroup(directory);
  cpSync(join(directory, JOURNAL), join(directory, OLD));
  writeFileSync(join(directory, JOURNAL), `{"journal":${group},"version":2}\n`);
  mergeOldJournal(directory);
  rmSync(join(directory, OLD));
}

function lastGroup(directory: string): number {
  const headers = linesOf(directory, JOURNAL).filter((line) => line.startsWith('{"group":'));
  return JSON.parse(headers.at(-1) as string).group;
}

async function until(condition: () => boolean): Promise<void> {
  for (let wait = 0; !condition(); wait++) {
    if (wait > 1000) throw new Error("it did not come to be within 10 s");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
