import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { list, read, readJson, remove, rename, writeJson } from "../../src/client/private-files.ts";
import { temporaryDirectory } from "../support/store.ts";

describe("files that their user alone can read", () => {
  it.skipIf(process.platform === "win32")("are for nobody else, nor are their directories", () => {
    const directory = join(temporaryDirectory(), "a", "b");
    writeJson(directory, "secret.json", { token: "t" });
    expect(statSync(join(directory, "secret.json")).mode & 0o777).toBe(0o600);
    for (const made of [directory, join(directory, "..")]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it("are JSON that people can read, and whole: nothing else lies beside them", () => {
    const directory = temporaryDirectory();
    for (const value of [{ a: 1 }, { a: 2 }]) writeJson(directory, "state.json", value);
    expect(readFileSync(join(directory, "state.json"), "utf8")).toBe('{\n  "a": 2\n}\n');
    expect(readdirSync(directory)).toEqual(["state.json"]);
    expect(readJson(directory, "state.json")).toEqual({ a: 2 });
  });

  it("are named where they cannot be written, and leave nothing half done", () => {
    const directory = temporaryDirectory();
    const path = join(directory, "kept.json");
    mkdirSync(join(path, "in-the-way"), { recursive: true });
    expect(() => writeJson(directory, "kept.json", { a: 1 })).toThrow(expect.objectContaining({ path }));
    expect(readdirSync(directory)).toEqual(["kept.json"]);
  });

  it("are none where there are none, or where they are damaged", () => {
    const directory = temporaryDirectory();
    expect(read(directory, "none")).toBeUndefined();
    expect(readJson(directory, "none")).toBeUndefined();
    writeFileSync(join(directory, "torn.json"), '{"a":');
    expect(readJson(directory, "torn.json")).toBeUndefined();
    expect(read(directory, "torn.json")).toBe('{"a":');
    expect(list(join(directory, "none"))).toEqual([]);
    const below = join(directory, "torn.json", "below");
    expect(read(below, "none")).toBeUndefined();
    expect(() => remove(below, "none")).not.toThrow();
    expect(() => remove(directory, "none")).not.toThrow();
    expect(() => rename(directory, "none", "other")).not.toThrow();
  });

  it("are listed in order, renamed and removed", () => {
    const directory = temporaryDirectory();
    for (const name of ["c", "a", "b"]) writeFileSync(join(directory, name), name);
    rename(directory, "c", "0");
    remove(directory, "a");
    expect(list(directory)).toEqual(["0", "b"]);
    expect(read(directory, "0")).toBe("c");
  });

  it("fail aloud for any other reason than that they are not there", () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, "directory", "within"), { recursive: true });
    writeFileSync(join(directory, "file"), "");
    expect(() => read(directory, "directory")).toThrow(/EISDIR/);
    expect(() => readJson(directory, "directory")).toThrow(/EISDIR/);
    expect(() => remove(directory, "directory")).toThrow();
    expect(() => rename(directory, "file", "directory")).toThrow();
    expect(() => list(join(directory, "file"))).toThrow(/ENOTDIR/);
  });
});
