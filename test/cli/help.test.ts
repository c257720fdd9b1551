import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { runProgram } from "../../src/cli/program.ts";
import { completeOptions, rootCommand } from "../../src/cli/root-command.ts";
import { testIo } from "./support/io.ts";

/** Returns the words that name each command, groups included. */
async function everyCommand(): Promise<string[][]> {
  const root = rootCommand(testIo().io, COMMANDS);
  const paths: string[][] = [[]];
  for (const { name, load, group } of COMMANDS) {
    const command = root.commands.find((child) => child.name() === name);
    if (!group || !command) continue;
    (await load()).define(command, () => async () => {});
    completeOptions(command);
    walk(command, [name]);
  }
  return paths;

  function walk(command: Command, path: string[]): void {
    paths.push(path);
    for (const child of command.commands) walk(child, [...path, child.name()]);
  }
}

async function help(path: readonly string[], columns: number, colour = false): Promise<string> {
  const { io, written } = testIo({ terminal: true, columns, colour });
  expect(await runProgram(io, [...path, "--help"])).toBe(0);
  return written.out;
}

/** Returns the words of a help text without its layout. */
const wordsOf = (text: string) =>
  text
    .replaceAll(" \\\n", " ")
    .replaceAll(/(\S)\s+# /g, "$1 # ")
    .split(/\s+/);

describe("tool help", () => {
  it.each([40, 80, 200])(
    "fits every command into %d columns, and neither breaks nor omits a word",
    async (columns) => {
      for (const path of await everyCommand()) {
        const text = await help(path, columns);
        for (const line of text.split("\n")) {
          // A single word that is longer than a line is not broken.
          const isOneWord = /^\s*\S+( \\)?$/.test(line);
          expect(isOneWord || line.length <= columns, `${path.join(" ")}: ${line}`).toBe(true);
        }
        const wide = wordsOf(await help(path, Number.POSITIVE_INFINITY)).sort();
        expect(wordsOf(text).sort(), path.join(" ")).toEqual(wide);
      }
    },
  );

  it("has the same layout in colour", async () => {
    const [plain, coloured] = [await help(["keys", "create"], 40), await help(["keys", "create"], 40, true)];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of colours
    expect(coloured.replaceAll(/\u001b\[[\d;]*m/g, "")).toBe(plain);
    expect(coloured).not.toBe(plain);
  });

  it("marks the required options of a command", async () => {
    const text = await help(["accounts", "create"], 80);
    expect(text).toContain("Usage: tool accounts create <name> --owner <email> --plan <plan> [options]");
    expect(text).toMatch(/--owner <email> +The first owner \(required\)/);
  });

  it.each([
    [["help", "trac"], "Did you mean track?"],
    [["trac", "--help"], "Did you mean track?"],
    [["help", "keys", "creat"], "Did you mean create?"],
    [["keys", "creat", "--help"], "Did you mean create?"],
    [["help", "zzzzzz"], "Run `tool --help` for a list."],
    [["help", "keys", "zzzzzz"], "Run `tool keys --help` for a list."],
  ])("refuses the unknown command of %j with a suggestion", async (words, next) => {
    const { io, written } = testIo();
    expect(await runProgram(io, words)).toBe(2);
    expect(written).toEqual({ out: "", err: expect.stringContaining(next) });
  });

  it("covers aliases and commands that parse their own arguments", async () => {
    expect(await help(["users", "add"], 80)).toContain("Usage: tool users invite");
    expect(await help(["locate", "what", "is", "this"], 80)).toContain("Usage: tool locate");
  });

  it("breaks an example command between words, ready to copy", async () => {
    expect(await help(["keys", "create"], 40)).toContain(
      "  $ tool keys create deploy \\\n      --scopes write \\\n      --only-project shop \\\n      --expires-in-days 90\n",
    );
  });
});
