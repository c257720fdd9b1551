import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/cli/command-table.ts";
import { runProgram } from "../../../src/cli/program.ts";
import { testIo } from "../support/io.ts";

const MAY_BE_EMPTY = ["--cursor", "--description", "--except", "--needs", "--tag"];

/** Every command that does something, with the words that start it. */
async function* commands(): AsyncGenerator<{ path: string[]; command: Command }> {
  function* leaves(command: Command, path: string[]): Generator<{ path: string[]; command: Command }> {
    if (command.commands.length === 0) yield { path, command };
    for (const child of command.commands) yield* leaves(child as Command, [...path, child.name()]);
  }
  for (const { name, load } of COMMANDS) {
    const command = new Command(name);
    (await load()).define(command, () => async () => {});
    yield* leaves(command, [name]);
  }
}

/** Runs the program, which must not get as far as doing anything. */
async function refusal(...words: string[]): Promise<string> {
  const { io, written } = testIo();
  expect([words, await runProgram(io, words)]).toEqual([words, 2]);
  expect(written.out).toBe("");
  return written.err;
}

const sample = (choices: readonly string[] | undefined, name?: string) =>
  name === "method" ? "GET" : (choices?.[0] ?? "1");

describe("an empty value", () => {
  it("is refused by name for every option, except for those where it means something", async () => {
    let tried = 0;
    for await (const { path, command } of commands()) {
      for (const option of command.options) {
        if (!(option.required || option.optional) || MAY_BE_EMPTY.includes(option.long as string)) continue;
        expect(await refusal(...path, option.long as string, "")).toContain(option.long);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(200);
    for (const option of ["--project", "--base-url"]) {
      for (const words of [
        ["usage", option, " "],
        [option, "", "usage"],
        ["track", "api_calls", option, ""],
      ])
        expect(await refusal(...words)).toContain(`${option} is empty.`);
      expect(await refusal("usage", `${option}=`)).toContain(`${option} is empty.`);
    }
  });

  it("is refused by name for every argument", async () => {
    let tried = 0;
    for await (const { path, command } of commands()) {
      // What it gets stands after `--`.
      if (path[0] === "complete") continue;
      const mandatory = command.options
        .filter((option) => option.mandatory)
        .flatMap(({ long, argChoices }) => [long as string, sample(argChoices)]);
      for (const [index, argument] of command.registeredArguments.entries()) {
        const before = command.registeredArguments.map((each) => sample(each.argChoices, each.name()));
        const given = before.map((value, at) => (at === index ? "" : value));
        const required = command.registeredArguments.filter((each) => each.required).length;
        const words = given.slice(0, Math.max(required, index + 1));
        expect(await refusal(...path, ...words, ...mandatory)).toContain(`<${argument.name()}>`);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(90);
  });

  it("is passed on after two dashes, except as a command to run", async () => {
    expect(await refusal("diagnose", "--", "", "x")).toContain("<command> is empty.");
    const { io } = testIo();
    expect(await runProgram({ ...io, workingDirectory: "/" }, ["diagnose", "--", "test", ""])).toBe(1);
    expect(await runProgram({ ...io, workingDirectory: "/" }, ["diagnose", "--", "test", "", "=", ""])).toBe(
      0,
    );
  });
});
