import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { JOURNAL, SNAPSHOT, UNFINISHED } from "../../../../src/store/json-file/journal/layout.ts";
import { mergeOldJournal } from "../../../../src/store/json-file/journal/merge.ts";
import { SnapshotWriter } from "../../../../src/store/json-file/journal/snapshot-writer.ts";
import { adjustableClock } from "../../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../../support/store.ts";
import { notesOf, openAt, put, recordingLog } from "../directory.ts";
import { type FaultyFiles, faultyFiles, gate } from "../faulty-files.ts";

/** A clock by which five seconds pass at once. Nothing that is done at intervals happens, as in a process that is stopped. */
const quick = () => ({ ...adjustableClock(), sleep: async () => {}, every: () => () => {} });

/** Opens a store as a process of another container does, which nobody here can look at. */
async function openElsewhere(directory: string, files: FaultyFiles) {
  const ended: unknown[] = [];
  const terminate = (error: unknown) => void ended.push(error);
  const store = await openAt(directory, { clock: quick(), openFile: files.open, terminate });
  for (const name of readdirSync(directory).filter((other) => /^lock\.\d+$/.test(other))) {
    const path = join(directory, name);
    writeFileSync(
      path,
      JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), pidNamespace: "pid:[1]" }),
    );
  }
  return { store, ended };
}

it.each(["stalled", "unsynced"] as const)(
  "a process that was stopped in a write (%s), and taken over, spoils and acknowledges nothing when it goes on",
  async (where) => {
    const directory = temporaryDirectory();
    const files = faultyFiles();
    const stopped = await openElsewhere(directory, files);
    await put(stopped.store, "before");
    const { closed, open } = gate();
    files[where] = closed;
    const late = put(stopped.store, "late").then(
      () => "acknowledged",
      (error) => error.name,
    );
    await new Promise(setImmediate);

    const next = await openAt(directory, { clock: quick() });
    for (let number = 0; number < 5; number++) await put(next, `after-${number}`);
    files[where] = undefined;
    open();
    expect(await late).toBe("StoreUnavailable");
    expect(stopped.ended).toEqual([
      expect.objectContaining({ message: expect.stringContaining("another process took the store over") }),
    ]);
    await put(next, "last");
    await stopped.store.close();
    await next.close();

    const { log, lines } = recordingLog();
    const { late: unacknowledged, ...kept } = await notesOf(await openAt(directory, { clock: quick(), log }));
    expect(Object.keys(kept)).toEqual(
      ["before", ...[0, 1, 2, 3, 4].map((number) => `after-${number}`), "last"].sort(),
    );
    expect([undefined, "late"]).toContain(unacknowledged);
    expect(lines).toEqual([]);
  },
);

it("a process that was taken over begins no new journal in place of the other's", async () => {
  const directory = temporaryDirectory();
  const files = faultyFiles();
  const { store, ended } = await openElsewhere(directory, files);
  await put(store, "before");
  const next = await openAt(directory, { clock: quick() });
  await put(next, "after");
  await put(store, "late").catch(() => {});
  expect(ended).toHaveLength(1);
  await put(next, "last");
  await next.close();
  expect(await notesOf(await openAt(directory, { clock: quick() }))).toEqual({
    before: "before",
    after: "after",
    last: "last",
  });
});

it("a process that was stopped in a compaction puts nothing in the place of the other's snapshot", async () => {
  const directory = temporaryDirectory();
  const store = await openAt(directory);
  await put(store, "a");
  await store.close();
  renameSync(join(directory, JOURNAL.name), join(directory, JOURNAL.oldName));
  const unfinished = join(directory, SNAPSHOT.name + UNFINISHED);
  const { finish } = SnapshotWriter.prototype;
  vi.spyOn(SnapshotWriter.prototype, "finish").mockImplementationOnce(function (this: SnapshotWriter) {
    finish.call(this);
    // As the opening of the other does, and then its own compaction.
    rmSync(unfinished);
    writeFileSync(unfinished, "the other's");
  });
  expect(() => mergeOldJournal(directory)).toThrow("it has taken the store over");
  expect(readFileSync(unfinished, "utf8")).toBe("the other's");
  expect(readdirSync(directory)).not.toContain(SNAPSHOT.name);
});
