import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { describeFailure } from "../../../src/cli/describe-failure.ts";
import { makeDirectory } from "../../../src/system/files/make-directory.ts";

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "toolplane-directory-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

it("makes a directory with its missing parents, once", () => {
  const path = join(directory(), "a", "b");
  makeDirectory(path, 0o700);
  makeDirectory(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it("names the file that stands where the directory should be", () => {
  const file = join(directory(), "data");
  writeFileSync(file, "");
  let failure: unknown;
  try {
    makeDirectory(file, 0o700);
  } catch (error) {
    failure = error;
  }
  expect(describeFailure(failure)).toMatchObject({
    error: "system",
    message: `${file} is a file, and has to be a directory: choose another, or move it away.`,
  });
});
