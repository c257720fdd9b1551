import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFactsCache } from "../../src/repository/facts-cache.ts";
import type { Entry } from "../../src/repository/read-files.ts";
import { openRepository } from "../../src/repository/repository.ts";
import { temporaryDirectory } from "../support/store.ts";
import { directoryWith } from "./directory.ts";

const entry = (hash: string): Entry => ({ bytes: 1, changed: [1, 1], hash });

describe("the facts cache of a repository", () => {
  it("is never stale after a file is changed, renamed or deleted", async () => {
    const directory = directoryWith({ "a.ts": 'import "./b.ts"', "b.ts": "" });
    const cacheDirectory = temporaryDirectory();
    const lines = async () => {
      const { edges, files } = await openRepository(directory, { cacheDirectory });
      return [...files.keys(), ...edges.map(({ from, to }) => `${from} → ${to}`)];
    };
    expect(await lines()).toEqual(["a.ts", "b.ts", "a.ts → b.ts"]);
    // Same size as before, and perhaps the same modification time.
    writeFileSync(join(directory, "a.ts"), 'import "./c.ts"');
    expect(await lines()).toEqual(["a.ts", "b.ts"]);
    renameSync(join(directory, "b.ts"), join(directory, "c.ts"));
    expect(await lines()).toEqual(["a.ts", "c.ts", "a.ts → c.ts"]);
    rmSync(join(directory, "a.ts"));
    expect(await lines()).toEqual(["c.ts"]);
  });

  it("is used for a file with the same size and times, and ignored if it is damaged", async () => {
    const directory = directoryWith({ "a.ts": "export const first = 1;" });
    const cacheDirectory = temporaryDirectory();
    const names = async () => {
      const { files } = await openRepository(directory, { cacheDirectory });
      return files.get("a.ts")?.definitions.map(({ name }) => name);
    };
    await names();
    const [file = ""] = readdirSync(join(cacheDirectory, "repositories"));
    const path = join(cacheDirectory, "repositories", file);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { mtimeMs, ctimeMs } = statSync(join(directory, "a.ts"));
    const kept = readFileSync(path, "utf8")
      .replace("first", "kept")
      .replace('"changed":[0,0]', `"changed":[${mtimeMs},${ctimeMs}]`);
    writeFileSync(path, kept);
    expect(await names()).toEqual(["kept"]);
    for (const broken of ["", "[", '{"form":0,"entries":[]}', '{"form":3,"entries":7}']) {
      writeFileSync(path, broken);
      expect(await names()).toEqual(["first"]);
    }
  });

  it("is kept for 40 repositories, and the oldest is evicted", () => {
    const cache = temporaryDirectory();
    const directory = join(cache, "repositories");
    openFactsCache(cache, temporaryDirectory()).save(new Map([["a", entry("1")]]));
    const [first = ""] = readdirSync(directory);
    utimesSync(join(directory, first), 1, 1);
    for (let index = 0; index < 40; index++)
      openFactsCache(cache, temporaryDirectory()).save(new Map([["a", entry("1")]]));
    expect(readdirSync(directory)).toHaveLength(40);
    expect(readdirSync(directory)).not.toContain(first);
  });

  it("is skipped if it cannot be written", async () => {
    const directory = directoryWith({ "a.ts": "", cache: "a file" });
    const { files } = await openRepository(directory, { cacheDirectory: join(directory, "cache") });
    expect(files.size).toBe(2);
  });
});
