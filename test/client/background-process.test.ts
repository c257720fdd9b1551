import { readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startInBackground } from "../../src/client/background-process.ts";
import { temporaryDirectory } from "../support/store.ts";

describe("startInBackground", () => {
  it("starts a process that runs on by itself, with the environment it was given", async () => {
    const file = join(temporaryDirectory(), "started");
    const program = `require("node:fs").writeFileSync(process.env.FILE, process.cwd())`;
    startInBackground([process.execPath, "-e", program], { FILE: file });
    await vi.waitFor(() => expect(readFileSync(file, "utf8")).toBe(parse(process.execPath).root), 10_000);
  });

  it("is no failure where there is no such program", () => {
    expect(() => startInBackground([join(temporaryDirectory(), "none")], {})).not.toThrow();
  });
});
