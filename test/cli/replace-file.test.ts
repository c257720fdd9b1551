import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { replaceFile } from "../../src/cli/replace-file.ts";
import { temporaryDirectory } from "../support/store.ts";

it("replaceFile makes the file and the folders that it is in", () => {
  const file = join(temporaryDirectory(), "a", "b", "c.txt");
  replaceFile(file, "new");
  expect(readFileSync(file, "utf8")).toBe("new");
});

it("replaceFile keeps the file's mode, whatever the process's mask", () => {
  const file = join(temporaryDirectory(), "run.sh");
  writeFileSync(file, "old");
  chmodSync(file, 0o775);
  const mask = process.umask(0o077);
  onTestFinished(() => void process.umask(mask));
  replaceFile(file, "new");
  expect(statSync(file).mode & 0o777).toBe(0o775);
});

it("replaceFile never writes into the file that is there: another one takes its name", () => {
  const file = join(temporaryDirectory(), "a.txt");
  writeFileSync(file, "old");
  const before = statSync(file).ino;
  replaceFile(file, "new");
  expect(statSync(file).ino).not.toBe(before);
});

it("replaceFile leaves nothing behind where it fails", () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, "folder", "full"), { recursive: true });
  expect(() => replaceFile(join(directory, "folder"), "new")).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(directory)).toEqual(["folder"]);
});

it("replaceFile writes through no link that lies where it prepares the new text", () => {
  const directory = temporaryDirectory();
  const [file, outside] = [join(directory, "a.txt"), join(directory, "outside")];
  writeFileSync(outside, "theirs");
  symlinkSync(outside, `${file}.${process.pid}.tmp`);
  replaceFile(file, "new");
  expect([readFileSync(file, "utf8"), readFileSync(outside, "utf8")]).toEqual(["new", "theirs"]);
  expect(lstatSync(file).isSymbolicLink()).toBe(false);
});
