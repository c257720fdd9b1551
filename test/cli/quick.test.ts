import { existsSync, readdirSync } from "node:fs";
import * as nodeModule from "node:module";
import { join } from "node:path";
import type { Command } from "commander";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { readQuickly } from "../../src/cli/quick.ts";
import { completeOptions, ownOptions, rootCommand } from "../../src/cli/root-command.ts";
import { testIo } from "./support/io.ts";
import { user } from "./support/tool.ts";

/** Parses words with commander. Returns undefined if it reports an error. */
async function read(words: readonly string[]) {
  const { io } = testIo();
  const root = rootCommand(io, COMMANDS);
  const entry = COMMANDS.find(({ name }) => name === words[0]);
  const called = root.commands.find((each) => each.name() === words[0]) as Command;
  let result: { argument: unknown; common: object; own: object } | undefined;
  (await entry!.load()).define(called, () => async (...given) => {
    const command = given.at(-1) as Command;
    const own = ownOptions(command);
    const common = Object.fromEntries(
      Object.entries(command.optsWithGlobals()).filter(([name]) => !(name in own)),
    );
    result = { argument: given[0], common, own };
  });
  completeOptions(called);
  try {
    await root.parseAsync([...words], { from: "user" });
    return result;
  } catch {
    return undefined;
  }
}

const WORDS = [
  ..."api_calls mcp_calls a=1 a=2 b= x 3 100 101 1.5 -1 - --".split(" "),
  ..."--count --count=5 --metadata --payload --metadata=a=b --json --project --base-url".split(" "),
  ..."--create-project --verbose --help -h -V --nonsense".split(" "),
  "",
];

describe("commands that start without commander", () => {
  it("parse arguments as commander does, or leave them to commander", async () => {
    let quick = 0;
    const command = fc.constantFrom(["track"], ["events", "record"]);
    const plain = fc.constantFrom(
      ["--json"],
      ["--count", "7"],
      ["--metadata", "a=1"],
      ["--payload", "b=2"],
      ["--project", "shop"],
      ["api_calls"],
    );
    const wild = fc.constantFrom(...WORDS).map((word) => [word]);
    const rest = fc.array(fc.oneof({ weight: 2, arbitrary: plain }, { weight: 1, arbitrary: wild }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(command, rest, async (first, more) => {
        const words = [...first, ...more.flat()];
        const mine = readQuickly(words);
        if (!mine) return;
        quick++;
        const { argument, common, own } = mine;
        expect({ argument, common, own }, words.join(" ")).toEqual(await read(words));
      }),
      { numRuns: 400 },
    );
    expect(quick).toBeGreaterThan(20);
  });

  it.each([
    ["track"],
    ["track", "nonsense"],
    ["track", "api_calls", "--help"],
    ["track", "api_calls", "--count", "101"],
    ["track", "api_calls", "mcp_calls"],
    ["events", "list"],
    ["events", "record", "a", "--", "b"],
    ["--json", "track", "api_calls"],
  ])("leave %j %j %j %j %j to commander", (...words) => {
    expect(readQuickly(words)).toBeUndefined();
  });

  it.runIf(!("enableCompileCache" in nodeModule))("load no other part of the program", async () => {
    const { tool, home } = user();
    const recorded = await tool("events", "record", "api.call", "--json");
    expect(recorded).toMatchObject({ code: 0, json: { recorded: true, event: "api.call" } });
    const compiled = join(home, ".cache/toolplane/compiled");
    expect(existsSync(compiled) && readdirSync(compiled).map((name) => name.split("-")[0])).toEqual([
      "quick.cjs",
    ]);
  });

  it("fail with the same errors as other commands", async () => {
    const { tool } = user({ TOOL_BASE_URL: "ftp://example.com" });
    const failed = await tool("track", "api_calls");
    expect(failed).toMatchObject({ code: 2, stdout: "" });
    expect(failed.stderr).toContain("TOOL_BASE_URL");
    expect((await tool("track", "api_calls", "--json")).json).toMatchObject({ error: "usage", exitCode: 2 });
  });
});
