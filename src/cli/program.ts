import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Command, CommanderError } from "commander";
import { keepHeapSmall } from "../system/processes/small-heap.ts";
import type { CommandEntry, Run } from "./command.ts";
import { COMMANDS } from "./command-table.ts";
import type { CommonOptions } from "./options.ts";
import { asksForJson, fail, perform, runProcess, wordsBeforeDoubleDash } from "./perform.ts";
import { completeOptions, ownOptions, rootCommand } from "./root-command.ts";
import { refuseEmptyArguments } from "./terminal/empty-values.ts";
import type { Io } from "./terminal/io.ts";

/** Runs the program `tool`; called by `bin/tool.js`. */
export async function main(): Promise<void> {
  await runProcess(runProgram);
}

/** Runs one command line, presents its result or failure, and returns the exit code. */
export async function runProgram(io: Io, words: readonly string[]): Promise<number> {
  try {
    return await dispatch(io, words);
  } catch (error) {
    if (!(error instanceof CommanderError && error.code in EXIT_CODES_AFTER_OUTPUT))
      return fail(io, words, error);
    if (error.code === "commander.help" && asksForJson(words)) return fail(io, words, await noCommand(words));
    return EXIT_CODES_AFTER_OUTPUT[error.code] as number;
  }
}

/** Exit codes for errors that commander throws after it has printed a text; `help` is a group without a command. */
const EXIT_CODES_AFTER_OUTPUT: Record<string, number> = {
  "commander.helpDisplayed": 0,
  "commander.version": 0,
  "commander.help": 2,
};

/** Commander's error codes for a missing argument or option value. */
const MISSING_INPUT_CODES = new Set([
  "commander.missingArgument",
  "commander.missingMandatoryOptionValue",
  "commander.optionMissingArgument",
]);

const UNKNOWN_COMMAND = "commander.unknownCommand";
/** Commander's error codes for a command that there is not, and for an argument or option that a command does not take. */
const UNEXPECTED_INPUT_CODES = new Set([
  UNKNOWN_COMMAND,
  "commander.excessArguments",
  "commander.unknownOption",
]);

/** Returns commander's error as a `UsageError` that points to the command's own help if it has no better hint. */
async function withHelp(io: Io, error: CommanderError, root: Command, words: string[]): Promise<Error> {
  const { asUsageError } = await import("./terminal/commander-errors.ts");
  const { UsageError } = await import("./exit-codes.ts");
  const { message, next } = asUsageError(error);
  let path = "tool";
  const [first = ""] = words;
  for (let at: Command | undefined = root; at; ) {
    const word = words.shift();
    at = at.commands.find((each) => each.name() === word);
    if (at) path += ` ${word}`;
  }
  const elsewhere = error.code === UNKNOWN_COMMAND && path === "tool" ? await inGroups(first) : undefined;
  return new UsageError(
    message,
    elsewhere ??
      fileTakenForOption(io, message) ??
      next ??
      `Run \`${path} --help\` for ${error.code === UNKNOWN_COMMAND ? "a list" : "what it takes"}.`,
  );
}

/** Returns how to write the name of a file that begins with a dash; undefined if an unknown option is no such file. */
function fileTakenForOption({ workingDirectory }: Io, message: string): string | undefined {
  const name = /^Unknown option '(.+)'\.$/s.exec(message)?.[1];
  const isFile = name !== undefined && existsSync(join(workingDirectory, name));
  return isFile ? `The file of that name is ./${name} on a command line.` : undefined;
}

/** Returns the error for a group without a command under `--json`, where a help text would not be JSON. */
async function noCommand(words: readonly string[]): Promise<Error> {
  const { UsageError } = await import("./exit-codes.ts");
  const name = ["tool", ...words.filter((word) => !word.startsWith("-"))].join(" ");
  return new UsageError(`${name} needs a command.`, `Run \`${name} --help\` for a list.`);
}

async function dispatch(io: Io, words: readonly string[]): Promise<number> {
  const root = rootCommand(io, COMMANDS);
  const { operands, unknown } = root.parseOptions([...words]);
  const [name, ...rest] = operands;
  if (name === "help" && rest.length > 0) return dispatch(io, [...rest, "--help"]);
  const entry = COMMANDS.find((candidate) => candidate.name === name);
  const command = root.commands.find((candidate) => candidate.name() === name);
  let exitCode = 0;
  if (entry && command) {
    if (entry.smallHeap) keepHeapSmall();
    const { define } = await entry.load();
    define(
      command.description(`${entry.summary}.`),
      runner(io, entry, words, (code) => {
        exitCode = code;
      }),
    );
    completeOptions(command);
  }
  if (wordsBeforeDoubleDash(words).some((word) => word === "--help" || word === "-h"))
    await refuseUnknown(root, [...operands, ...unknown]);
  if (words.length === 0 || name === "help") root.outputHelp();
  else {
    try {
      await root.parseAsync([...words], { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (UNEXPECTED_INPUT_CODES.has(error.code))
        throw await withHelp(io, error, root, [...operands, ...unknown]);
      if (!MISSING_INPUT_CODES.has(error.code)) throw error;
      const { supplied } = await import("./missing.ts");
      return dispatch(io, await supplied(io, root, words));
    }
  }
  return exitCode;
}

/** Throws a `UsageError` if help is asked for an unknown command: commander would show the group's help. */
async function refuseUnknown(root: Command, operands: readonly string[]): Promise<void> {
  let at = root;
  let path = "tool";
  for (const word of operands) {
    const children = at.createHelp().visibleCommands(at);
    const child = at.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (!child && (word.startsWith("-") || children.length === 0 || at.registeredArguments.length > 0))
      return;
    if (!child) {
      const [{ UsageError }, { didYouMean }] = await Promise.all([
        import("./exit-codes.ts"),
        import("../contract/near-names.ts"),
      ]);
      const meant = didYouMean(
        word,
        children.map((each) => each.name()),
      );
      const elsewhere = at === root ? await inGroups(word) : undefined;
      const next = elsewhere ?? (meant || `Run \`${path} --help\` for a list.`);
      throw new UsageError(`Unknown command '${word}'.`, next);
    }
    at = child;
    path += ` ${word}`;
  }
}

/** Asks whether a command of a group was meant: `graph impact` by `impact`. */
async function inGroups(name: string): Promise<string | undefined> {
  const { commandsInGroups } = await import("./completion/in-groups.ts");
  const named = await commandsInGroups(name);
  if (named.length === 0) return undefined;
  return `Did you mean ${named.length > 1 ? "one of " : ""}${named.join(", ")}?`;
}

function runner(
  io: Io,
  entry: CommandEntry,
  words: readonly string[],
  done: (exitCode: number) => void,
): Run {
  return (work) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      refuseEmptyArguments(command, words);
      const options: CommonOptions = command.optsWithGlobals();
      done(
        await perform(io, entry, wordsOf(command), options, (context) =>
          work(context, ...withOwnOptions(given, command)),
        ),
      );
    };
}

/** Returns the words that name a command, such as `memory recall`. */
function wordsOf(command: Command): string {
  const words: string[] = [];
  for (let at = command; at.parent; at = at.parent) words.unshift(at.name());
  return words.join(" ");
}

/** Replaces the options by the command's own ones; the common options are in the context. */
function withOwnOptions<Given extends unknown[]>(given: [...Given, Command], command: Command): Given {
  return [...given.slice(0, -2), ownOptions(command)] as Given;
}
