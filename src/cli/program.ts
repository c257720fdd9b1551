import { type Command, CommanderError } from "commander";
import type { CommandEntry, CommonOptions, Run } from "./command.ts";
import { COMMANDS } from "./command-table.ts";
import type { Context } from "./context.ts";
import { recordUse } from "./record-use.ts";
import { completeOptions, ownOptions, rootCommand } from "./root-command.ts";
import { Interrupted, untilInterrupted } from "./terminal/interruption.ts";
import { type Io, processIo } from "./terminal/io.ts";

/** The program `tool`: what `bin/tool.js` calls. */
export async function main(): Promise<void> {
  const io = processIo();
  const words = process.argv.slice(2);
  process.on("uncaughtException", async (error) => io.exit(await fail(io, words, error)));
  await io.exit(await runProgram(io, words));
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
const LACKING = new Set(["commander.missingArgument", "commander.missingMandatoryOptionValue"]);

async function fail(io: Io, words: readonly string[], error: unknown): Promise<number> {
  const { presentFailure } = await import("./terminal/present.ts");
  const options = { json: asksForJson(words), verbose: ours(words).includes("--verbose") };
  return presentFailure(io, error, options);
}

function asksForJson(words: readonly string[]): boolean {
  return ours(words).includes("--json");
}

/** Without what is meant for another program. */
function ours(words: readonly string[]): readonly string[] {
  const dashes = words.indexOf("--");
  return dashes < 0 ? words : words.slice(0, dashes);
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
      if (!(error instanceof CommanderError && LACKING.has(error.code))) throw error;
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
      const [{ UsageError }, { nearNames }] = await Promise.all([
        import("./exit-codes.ts"),
        import("../mcp/near-names.ts"),
      ]);
      const near = nearNames(
        word,
        children.map((each) => each.name()),
      );
      const next =
        near.length > 0 ? `Did you mean ${near.join(", ")}?` : `Run \`${path} --help\` for a list.`;
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
      const [{ createContext }, { presentOutcome }] = await Promise.all([
        import("./context.ts"),
        import("./terminal/present.ts"),
      ]);
      const context = createContext(io, options);
      const working = work(context, ...withOwnOptions(given, command)).catch((error) =>
        explain(error, context),
      );
      const outcome = await (entry.tidiesUp
        ? working
        : context.progress.during("Waiting", Promise.race([working, interruption(io)])));
      const isKept = typeof outcome === "number" || outcome.kept !== false;
      if (entry.event && isKept) await recordUse(context, entry.event);
      done(
        typeof outcome === "number" ? outcome : presentOutcome(io, outcome, { json: options.json === true }),
      );
      // Of what goes on for long, somebody else has the terminal.
      if (!entry.tidiesUp && entry.group && !options.json && io.out.terminal && io.err.live) {
        const { tellOfUpdate } = await import("./update/notice.ts");
        tellOfUpdate(context);
      }
    };
}

/** What a stranger answers has not the members that a command looks into; who may not is told the very command. */
async function explain(error: unknown, context: Context): Promise<never> {
  if (error instanceof Error && ["Problem", "SignedOut"].includes(error.name)) {
    const { withWayIn } = await import("./sign-in/way-in.ts");
    throw await withWayIn(error, context);
  }
  const { client } = context;
  if (!(error instanceof TypeError && client.metStranger())) throw error;
  const { UnexpectedAnswer } = await import("../client/errors.ts");
  throw new UnexpectedAnswer(
    200,
    `${client.baseUrl} answers, but not as a Toolplane server does: is the base URL right?`,
  );
}

async function interruption(io: Io): Promise<never> {
  await untilInterrupted(io.interrupted);
  throw new Interrupted();
}

/** The context knows those that every command takes. */
function withOwnOptions<Given extends unknown[]>(given: [...Given, Command], command: Command): Given {
  return [...given.slice(0, -2), ownOptions(command)] as Given;
}
