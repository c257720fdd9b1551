import { type Command, CommanderError } from "commander";
import { keepHeapSmall } from "../system/processes/small-heap.ts";
import type { CommandEntry, CommonOptions, Run } from "./command.ts";
import { COMMANDS } from "./command-table.ts";
import { asksForJson, fail, ours, perform, runProcess } from "./perform.ts";
import { completeOptions, ownOptions, rootCommand } from "./root-command.ts";
import type { Io } from "./terminal/io.ts";

/** The program `tool`: what `bin/tool.js` calls. */
export async function main(): Promise<void> {
  await runProcess(runProgram);
}

/** Runs one command line; its result or failure has been presented when the exit code comes. */
export async function runProgram(io: Io, words: readonly string[]): Promise<number> {
  try {
    return await dispatch(io, words);
  } catch (error) {
    if (!(error instanceof CommanderError && error.code in SHOWN)) return fail(io, words, error);
    if (error.code === "commander.help" && asksForJson(words)) return fail(io, words, await noCommand(words));
    return SHOWN[error.code] as number;
  }
}

/** Exit codes of what commander throws once it has printed a text; a group alone lacks its command. */
const SHOWN: Record<string, number> = {
  "commander.helpDisplayed": 0,
  "commander.version": 0,
  "commander.help": 2,
};

/** What commander throws where a command was not told all that it needs. */
const LACKING = new Set([
  "commander.missingArgument",
  "commander.missingMandatoryOptionValue",
  "commander.optionMissingArgument",
]);

/** … and where it was told what it does not take. */
const LOST = new Set(["commander.excessArguments", "commander.unknownOption"]);

/** Names the help of the very command, where nothing nearer is known. */
async function withHelp(error: CommanderError, root: Command, words: string[]): Promise<Error> {
  const { asUsageError } = await import("./terminal/commander-errors.ts");
  const { UsageError } = await import("./exit-codes.ts");
  const { message, next } = asUsageError(error);
  let path = "tool";
  for (let at: Command | undefined = root; at; ) {
    const word = words.shift();
    at = at.commands.find((each) => each.name() === word);
    if (at) path += ` ${word}`;
  }
  return new UsageError(message, next ?? `Run \`${path} --help\` for what it takes.`);
}

/** Where a person is shown the help, a program is told what is missing. */
async function noCommand(words: readonly string[]): Promise<Error> {
  const { UsageError } = await import("./exit-codes.ts");
  const name = ["tool", ...words.filter((word) => !word.startsWith("-"))].join(" ");
  return new UsageError(`${name} needs a command.`, `Run \`${name} --help\` for a list.`);
}

async function dispatch(io: Io, words: readonly string[]): Promise<number> {
  const root = rootCommand(io);
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
      runner(io, entry, (code) => {
        exitCode = code;
      }),
    );
    completeOptions(command);
  }
  if (ours(words).some((word) => word === "--help" || word === "-h"))
    await refuseUnknown(root, [...operands, ...unknown]);
  if (words.length === 0 || name === "help") root.outputHelp();
  else {
    try {
      await root.parseAsync([...words], { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (LOST.has(error.code)) throw await withHelp(error, root, [...operands, ...unknown]);
      if (!LACKING.has(error.code)) throw error;
      const { supplied } = await import("./missing.ts");
      return dispatch(io, await supplied(io, root, words));
    }
  }
  return exitCode;
}

/** Help for what there is not is no help: commander would show that of the group. */
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
      const next = meant || `Run \`${path} --help\` for a list.`;
      throw new UsageError(`Unknown command '${word}'.`, next);
    }
    at = child;
    path += ` ${word}`;
  }
}

function runner(io: Io, entry: CommandEntry, done: (exitCode: number) => void): Run {
  return (work) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      const options: CommonOptions = command.optsWithGlobals();
      done(await perform(io, entry, options, (context) => work(context, ...withOwnOptions(given, command))));
    };
}

/** The context knows those that every command takes. */
function withOwnOptions<Given extends unknown[]>(given: [...Given, Command], command: Command): Given {
  return [...given.slice(0, -2), ownOptions(command)] as Given;
}
