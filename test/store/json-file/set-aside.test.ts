import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setAsideDirectory } from "../../../src/store/json-file/set-aside.ts";
import { NotFilled } from "../../../src/store/store-errors.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { notesOf, openAt, put } from "./directory.ts";

const NAME = "before-2026-01-15T12-00-00-000Z";
const MARK = "filling.unfinished";
const clock = adjustableClock();

/** Creates a directory with a store of one note, in a snapshot and a journal. */
async function filled(text: string, directory = temporaryDirectory(), fills = false): Promise<string> {
  const store = await openAt(directory, { minimumBytes: 0, fills });
  await put(store, "n", text);
  await expect.poll(() => existsSync(join(directory, "store.json"))).toBe(true);
  await store.close();
  return directory;
}

async function textIn(directory: string): Promise<string | undefined> {
  const store = await openAt(directory);
  const { n } = await notesOf(store);
  await store.close();
  return n;
}

/** Runs work that cannot rename more than so many files, as if the process ended then. */
async function withRenames(count: number, work: () => Promise<unknown>): Promise<void> {
  const { rename } = promises;
  let left = count;
  promises.rename = async (from, to) => {
    if (left-- <= 0) throw new Error("ended");
    await rename(from, to);
  };
  syncBuiltinESMExports();
  try {
    await work();
  } catch (error) {
    expect(error).toEqual(new Error("ended"));
  } finally {
    promises.rename = rename;
    syncBuiltinESMExports();
  }
}

describe("setAsideDirectory()", () => {
  it("moves the whole store into a private folder that is named by the time", async () => {
    const directory = await filled("first");
    const { name } = await setAsideDirectory(directory, clock);
    expect(name).toBe(join(directory, NAME));
    expect(readdirSync(directory).sort()).toEqual([NAME, MARK]);
    expect(statSync(join(directory, NAME)).mode & 0o777).toBe(0o700);
    expect(await textIn(join(directory, NAME))).toBe("first");
  });

  it("restores the store with putBack(), and deletes what was written meanwhile", async () => {
    const directory = await filled("first");
    const files = readdirSync(directory).sort();
    const aside = await setAsideDirectory(directory, clock);
    await filled("second", directory, true);
    await aside.putBack();
    expect(readdirSync(directory).sort()).toEqual(files);
    expect(await textIn(directory)).toBe("first");
  });

  it("sets nothing aside in a missing directory, which putBack() then empties", async () => {
    const directory = join(temporaryDirectory(), "made", "on", "the", "way");
    const aside = await setAsideDirectory(directory, clock);
    expect(aside).not.toHaveProperty("name");
    expect(readdirSync(directory)).toEqual([]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    await filled("first", directory);
    await aside.putBack();
    expect(readdirSync(directory)).toEqual([]);
  });

  it("leaves the whole store or a directory that nobody opens, wherever it ends", async () => {
    const outcomes = new Set<string>();
    for (let renames = 0; renames < 4; renames++) {
      const directory = await filled("first");
      await withRenames(renames, () => setAsideDirectory(directory, clock));
      const found = await textIn(directory).catch((error) => (error as Error).name);
      outcomes.add(String(found));
    }
    expect([...outcomes]).toEqual(["first", "NotFilled"]);
  });

  it("keeps the mark of a store that was filled in part", async () => {
    const directory = await filled("first");
    const later = adjustableClock();
    later.advance(1);
    const first = await setAsideDirectory(directory, clock);
    await filled("second", directory, true);
    const second = await setAsideDirectory(directory, later);
    await expect(textIn(second.name ?? "")).rejects.toThrow(NotFilled);
    await second.putBack();
    await expect(textIn(directory)).rejects.toThrow(NotFilled);
    await first.putBack();
    expect(await textIn(directory)).toBe("first");
  });

  it("leaves other folders in place", async () => {
    const directory = await filled("first");
    mkdirSync(join(directory, "mine"));
    await setAsideDirectory(directory, clock);
    expect(readdirSync(directory).sort()).toEqual([NAME, MARK, "mine"]);
  });

  it("refuses a directory that a server is using", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    await put(store, "n", "first");
    const before = readdirSync(directory);
    await expect(setAsideDirectory(directory, clock)).rejects.toThrow("is in use by this process");
    expect(readdirSync(directory)).toEqual(before);
  });
});
