import {
  appendFileSync,
  cpSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JournalAdapter } from "../../../../src/store/json-file/journal/journal-adapter.ts";
import { openOutputFile } from "../../../../src/store/json-file/journal/output-file.ts";
import { StoreUnavailable } from "../../../../src/store/store.ts";
import { adjustableClock } from "../../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../../support/store.ts";
import { notesOf, openAt, put, recordingLog } from "../directory.ts";

/** What an operator may do to the directory of a store that is open, with a copy from before. */
const MISTAKES: Record<string, (journal: string, copy: string) => void> = {
  "an older copy written over it": (journal, copy) => cpSync(copy, journal),
  "an older copy put in its place": (journal, copy) => renameSync(copy, journal),
  "its removal": (journal) => rmSync(journal),
  "its renaming": (journal) => renameSync(journal, `${journal}.1`),
  "being emptied, as logs are": (journal) => truncateSync(journal),
  "lines that another adds": (journal) => appendFileSync(journal, "# mine\n"),
};

describe("a journal that is changed while its store is open", () => {
  it.each(Object.entries(MISTAKES))(
    "ends the store a tenth of a second later: %s",
    async (_name, mistake) => {
      const directory = temporaryDirectory();
      const journal = join(directory, "journal.jsonl");
      const copy = join(temporaryDirectory(), "journal.jsonl");
      const ended: unknown[] = [];
      const clock = adjustableClock();
      const store = await openAt(directory, { clock, terminate: (error) => void ended.push(error) });
      await put(store, "a");
      cpSync(journal, copy);
      await put(store, "b");
      mistake(journal, copy);
      clock.advance(101);
      await expect(put(store, "c")).rejects.toThrow(StoreUnavailable);
      expect(ended).toMatchObject([{ message: expect.stringContaining(`${journal} was removed, replaced`) }]);
    },
  );

  it("leaves a copy that was put there as it is, so that the next start finds it whole", async () => {
    const directory = temporaryDirectory();
    const journal = join(directory, "journal.jsonl");
    const copy = join(temporaryDirectory(), "journal.jsonl");
    const clock = adjustableClock();
    const store = await openAt(directory, { clock, terminate: () => {} });
    await put(store, "a");
    cpSync(journal, copy);
    for (const id of ["b", "c", "d"]) await put(store, id);
    cpSync(copy, journal);
    clock.advance(101);
    await expect(put(store, "e")).rejects.toThrow(StoreUnavailable);
    await store.close();
    expect(await notesOf(await openAt(directory))).toEqual({ a: "a" });
  });

  it("is not set aside for a compaction", async () => {
    const directory = temporaryDirectory();
    const journal = join(directory, "journal.jsonl");
    const adapter = new JournalAdapter(directory, openOutputFile, recordingLog().log, adjustableClock());
    await adapter.read();
    writeFileSync(journal, "mine\n");
    await expect(adapter.rotate()).rejects.toThrow(`${journal} was removed, replaced`);
    expect(readFileSync(journal, "utf8")).toBe("mine\n");
    await adapter.close();
  });
});
