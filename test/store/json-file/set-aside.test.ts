import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setAsideDirectory } from "../../../src/store/json-file/set-aside.ts";
import { adjustableClock } from "../../support/adjustable-clock.ts";
import { temporaryDirectory } from "../../support/store.ts";
import { notesOf, openAt, put } from "./directory.ts";

const NAME = "before-2026-01-15T12-00-00-000Z";
const clock = adjustableClock();

/** Creates a directory with a store of one note, in a snapshot and a journal. */
async function filled(text: string, directory = temporaryDirectory()): Promise<string> {
  const store = await openAt(directory, { minimumBytes: 0 });
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

describe("setAsideDirectory()", () => {
  it("moves the whole store into a private folder that is named by the time", async () => {
    const directory = await filled("first");
    const { name } = await setAsideDirectory(directory, clock);
    expect(name).toBe(join(directory, NAME));
    expect(readdirSync(directory)).toEqual([NAME]);
    expect(statSync(join(directory, NAME)).mode & 0o777).toBe(0o700);
    expect(await textIn(join(directory, NAME))).toBe("first");
    expect(await textIn(directory)).toBeUndefined();
  });

  it("restores the store with putBack(), and deletes what was written meanwhile", async () => {
    const directory = await filled("first");
    const files = readdirSync(directory).sort();
    const aside = await setAsideDirectory(directory, clock);
    await filled("second", directory);
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

  it("leaves other folders in place", async () => {
    const directory = await filled("first");
    mkdirSync(join(directory, "mine"));
    await setAsideDirectory(directory, clock);
    expect(readdirSync(directory).sort()).toEqual([NAME, "mine"]);
  });

  it("refuses a directory that a server is using", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    await put(store, "n", "first");
    const before = readdirSync(directory);
    await expect(setAsideDirectory(directory, clock)).rejects.toThrow("is in use by process");
    expect(readdirSync(directory)).toEqual(before);
  });
});
