import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { list, read, readJson, remove, rename, writeJson } from "../../src/client/private-files.ts";
import { temporaryDirectory } from "../support/store.ts";

describe("private files", () => {
  it.skipIf(process.platform === "win32")("have mode 0600, and their new directories 0700", () => {
    const directory = join(temporaryDirectory(), "a", "b");
    writeJson(directory, "secret.json", { token: "t" });
    expect(statSync(join(directory, "secret.json")).mode & 0o777).toBe(0o600);
    for (const made of [directory, join(directory, "..")]) expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  it("are written as indented JSON and leave no temporary file", () => {
    const directory = temporaryDirectory();
    for (const value of [{ a: 1 }, { a: 2 }]) writeJson(directory, "state.json", value);
    expect(readFileSync(join(directory, "state.json"), "utf8")).toBe('{\n  "a": 2\n}\n');
    expect(readdirSync(directory)).toEqual(["state.json"]);
    expect(readJson(directory, "state.json")).toEqual({ a: 2 });
  });

  it("that cannot be written are named in the error and leave no temporary file", () => {
    const directory = temporaryDirectory();
    const path = join(directory, "kept.json");
    mkdirSync(join(path, "in-the-way"), { recursive: true });
    expect(() => writeJson(directory, "kept.json", { a: 1 })).toThrow(expect.objectContaining({ path }));
    expect(readdirSync(directory)).toEqual(["kept.json"]);
  });

  it("that are missing or damaged are read as undefined", () => {
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

  it("throw errors other than that a file is missing", () => {
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
