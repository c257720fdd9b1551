import { hash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/repository/open-repository.ts";
import type { Entry } from "../../src/repository/read-files.ts";
import { openScanCache, type Scan } from "../../src/repository/scan-cache.ts";
import { temporaryDirectory } from "../support/store.ts";
import { directoryWith } from "./directory.ts";

const entry: Entry = { bytes: 1, changed: [1, 1], hash: "1" };
const scan: Scan = { entries: new Map([["a", entry]]), resolutions: new Map() };

describe("the scan cache of a repository", () => {
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

  it("is not stale after two files became one whose name holds both", async () => {
    const directory = directoryWith({ "a.ts": 'import "./c.ts"', "b.ts": "", "c.ts": "" });
    const cacheDirectory = temporaryDirectory();
    const missing = async () => (await openRepository(directory, { cacheDirectory })).missing;
    expect(await missing()).toEqual([]);
    rmSync(join(directory, "b.ts"));
    renameSync(join(directory, "c.ts"), join(directory, "b.ts\nc.ts"));
    expect(await missing()).toEqual([{ from: "a.ts", module: "./c.ts" }]);
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
    const [first = "", ...lines] = readFileSync(path, "utf8")
      .replace("first", "kept")
      .replace('"changed":[0,0]', `"changed":[${mtimeMs},${ctimeMs}]`)
      .split("\n");
    const kept = lines.join("\n");
    const [form = ""] = first.split(" ");
    const checksum = hash("sha1", kept);
    writeFileSync(path, `${form} ${checksum}\n${kept}`);
    expect(await names()).toEqual(["kept"]);
    const otherForm = `${Number(form) - 1} ${checksum}\n${kept}`;
    for (const broken of ["", "\n", "[", '{"form":3,"entries":[]}', `${first}\n${kept}`, otherForm]) {
      writeFileSync(path, broken);
      expect(await names()).toEqual(["first"]);
    }
  });

  it("is kept for 40 repositories, and the oldest is evicted", () => {
    const cache = temporaryDirectory();
    const directory = join(cache, "repositories");
    openScanCache(cache, temporaryDirectory()).save(scan);
    const [first = ""] = readdirSync(directory);
    utimesSync(join(directory, first), 1, 1);
    for (let index = 0; index < 40; index++) openScanCache(cache, temporaryDirectory()).save(scan);
    expect(readdirSync(directory)).toHaveLength(40);
    expect(readdirSync(directory)).not.toContain(first);
  });

  it("is skipped if it cannot be written", async () => {
    const directory = directoryWith({ "a.ts": "", cache: "a file" });
    const { files } = await openRepository(directory, { cacheDirectory: join(directory, "cache") });
    expect(files.size).toBe(2);
  });
});
