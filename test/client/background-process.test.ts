import { existsSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { describe, expect, it } from "vitest";
import { startInBackground } from "../../src/client/background-process.ts";
import { temporaryDirectory } from "../support/store.ts";

describe("startInBackground", () => {
  it("starts a process in the root directory with the given environment", async () => {
    const file = join(temporaryDirectory(), "started");
    const program = `require("node:fs").writeFileSync(process.env.FILE, process.cwd())`;
    startInBackground([process.execPath, "-e", program], { FILE: file });
    await expect
      .poll(() => existsSync(file) && readFileSync(file, "utf8"))
      .toBe(parse(process.execPath).root);
  });

  it("does not throw if the program does not exist", () => {
    expect(() => startInBackground([join(temporaryDirectory(), "none")], {})).not.toThrow();
  });
});
