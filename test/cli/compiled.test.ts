import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { directoryWith } from "../repository/directory.ts";
import { user } from "./support/tool.ts";

/** Whether the command keeps its own cache of compiled code. Node 22 and later have a compile cache. */
const ours = !("enableCompileCache" in nodeModule);
if (!ours) console.warn("skipped: this Node keeps what it compiled in a form of its own");

function kept(home: string): string[] {
  const directory = join(home, ".cache/toolplane/compiled");
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}

describe("the compile cache", () => {
  it("is kept for the next run, readable only by its user", async () => {
    const { tool, home } = user();
    const first = await tool("config", "list");
    const files = kept(home);
    expect(files).not.toEqual([]);
    if (ours) for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, ".cache/toolplane/compiled")).mode & 0o777).toBe(0o700);
    expect(await tool("config", "list")).toMatchObject({ code: 0, stdout: first.stdout, stderr: "" });
    expect(kept(home)).toEqual(files);
  });

  it.runIf(ours)("is read by the next run, whatever the command sets of V8 meanwhile", async () => {
    const { start, home } = user();
    const work = directoryWith({ "a.ts": "export const limit = 1;\n" });
    for (const words of [
      ["config", "list"],
      ["locate", "limit"],
    ]) {
      await start(words, {}, work).finished;
      const [file = ""] = kept(home).filter((path) => basename(path).startsWith(`${words[0]}-`));
      const { ino } = statSync(file);
      expect(await start(words, {}, work).finished).toMatchObject({ code: 0 });
      expect(statSync(file).ino).toBe(ino);
    }
  });

  it("starts from an ASCII-only bundle, which V8 holds in half the memory", () => {
    const bundle = readFileSync(join(import.meta.dirname, "../../dist/cli.cjs"));
    expect(bundle.findIndex((byte) => byte > 0x7f)).toBe(-1);
  });

  it.runIf(ours)("is rebuilt after damage", async () => {
    const { tool, home } = user();
    const { stdout } = await tool("config", "list");
    const [file] = kept(home) as [string];
    const compiled = readFileSync(file);
    writeFileSync(file, "not what V8 wrote");
    expect(await tool("config", "list")).toMatchObject({ code: 0, stdout, stderr: "" });
    expect(readFileSync(file).length).toBeGreaterThan(compiled.length / 2);
  });

  it.runIf(ours)("replaces the cache of another version of the program", async () => {
    const { tool, home } = user();
    const other = join(home, ".cache/toolplane/compiled/cli.cjs-0123456789abcdef");
    mkdirSync(other, { recursive: true });
    await tool("config", "list");
    expect(existsSync(other)).toBe(false);
    expect(kept(home)).toHaveLength(1);
  });

  it("loads imported modules without a message on stderr", async () => {
    const { tool } = user();
    expect(await tool("demo")).toMatchObject({ code: 0, stderr: "" });
  });

  it("is skipped silently when its directory cannot be written", async () => {
    const { tool } = user({ XDG_CACHE_HOME: "/dev/null" });
    expect(await tool("config", "list")).toMatchObject({ code: 0, stderr: "" });
  });

  it.runIf(ours)("leaves no partial file behind when writing fails", async () => {
    const { tool, home } = user();
    const bundle = readFileSync(join(import.meta.dirname, "../../dist/cli.cjs"), "latin1");
    const directory = join(home, ".cache/toolplane/compiled", `cli.cjs-${bundle.slice(3, 19)}`);
    // Makes the write fail, as a full disk would: a directory is in the file's place.
    mkdirSync(join(directory, `config-${process.version}-${process.arch}`, "full"), { recursive: true });
    expect(await tool("config", "list")).toMatchObject({ code: 0, stderr: "" });
    expect(kept(home)).toEqual([]);
  });

  it.runIf(ours)("is not written for an unknown command", async () => {
    const { tool, home } = user();
    expect((await tool("nonsense")).code).toBe(2);
    expect(kept(home)).toEqual([]);
  });
});
