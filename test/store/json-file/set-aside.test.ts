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

describe("a store that is moved out of the way", () => {
  it("lies whole in a folder that is named by the time, for its owner alone, and leaves the directory empty", async () => {
    const directory = await filled("first");
    const { name } = await setAsideDirectory(directory, clock);
    expect(name).toBe(join(directory, NAME));
    expect(readdirSync(directory)).toEqual([NAME]);
    expect(statSync(join(directory, NAME)).mode & 0o777).toBe(0o700);
    expect(await textIn(join(directory, NAME))).toBe("first");
    expect(await textIn(directory)).toBeUndefined();
  });

  it("is put back in place of what came meanwhile, of which nothing stays", async () => {
    const directory = await filled("first");
    const files = readdirSync(directory).sort();
    const aside = await setAsideDirectory(directory, clock);
    await filled("second", directory);
    await aside.putBack();
    expect(readdirSync(directory).sort()).toEqual(files);
    expect(await textIn(directory)).toBe("first");
  });

  it("is none where there was none: then what came is removed", async () => {
    const directory = join(temporaryDirectory(), "made", "on", "the", "way");
    const aside = await setAsideDirectory(directory, clock);
    expect(aside).not.toHaveProperty("name");
    expect(readdirSync(directory)).toEqual([]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    await filled("first", directory);
    await aside.putBack();
    expect(readdirSync(directory)).toEqual([]);
  });

  it("takes nothing along that is not the store's", async () => {
    const directory = await filled("first");
    mkdirSync(join(directory, "mine"));
    await setAsideDirectory(directory, clock);
    expect(readdirSync(directory).sort()).toEqual([NAME, "mine"]);
  });

  it("is not moved under a server that runs on it", async () => {
    const directory = temporaryDirectory();
    const store = await openAt(directory);
    await put(store, "n", "first");
    const before = readdirSync(directory);
    await expect(setAsideDirectory(directory, clock)).rejects.toThrow("is in use by process");
    expect(readdirSync(directory)).toEqual(before);
  });
});
