import { Command, Option } from "commander";
import { COMMANDS } from "./command-table.ts";
import type { Io } from "./terminal/io.ts";
import { VERSION } from "./version.ts";

const AFTER = `
Run tool help <command> for its options and examples.

Environment:
  TOOL_BASE_URL, TOOL_TOKEN, TOOL_PROJECT, TOOL_TELEMETRY; DO_NOT_TRACK, NO_COLOR, FORCE_COLOR

Exit codes:
  0 done, 1 failed, 2 wrong usage, 3 a negative answer that was asked for, 4 not signed in or not
  trusted, 5 rate limited, 6 server unreachable, 130 interrupted`;

/** `tool` itself with the one line of every command; the rest of a command comes with its file. */
export function rootCommand(io: Io): Command {
  const root = addCommonOptions(new Command("tool"))
    .description("Sign in, count usage, check entitlements and call the tools of a Toolplane server.")
    .usage("<command> [options]")
    .version(VERSION, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .addHelpCommand(
      new Command("help")
        .argument("[command]")
        .summary("Show help for a command")
        .helpGroup("Everything else:"),
    )
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out.write(text),
      writeErr: (text) => io.err.write(text),
      outputError: () => {},
      getOutHelpWidth: () => Math.min(io.out.columns, 100),
      getErrHelpWidth: () => Math.min(io.err.columns, 100),
      getOutHasColors: () => io.out.style.coloured,
      getErrHasColors: () => io.err.style.coloured,
    })
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      styleTitle: (text) => io.out.style.bold(text),
      styleCommandText: (text) => text,
      styleSubcommandTerm: (text) => io.out.style.cyan(text),
      styleOptionTerm: (text) => io.out.style.cyan(text),
    })
    .addHelpText("after", AFTER);
  for (const { name, summary, group } of COMMANDS) {
    root
      .command(name, { hidden: group === undefined })
      .summary(summary)
      .helpGroup(group ?? "");
  }
  return root;
}

/** Every command takes the common options; the help of one that only has subcommands leaves them out. */
export function completeOptions(command: Command): void {
  const group = command.commands.length > 0;
  addCommonOptions(command, group);
  if (group) command.helpCommand(false).optionsGroup("Options:").helpOption("-h, --help", "Show help");
  command.commands.forEach(completeOptions);
}

/** The four that every command takes, but where it has one of the same name. */
function addCommonOptions(command: Command, hidden = false): Command {
  const taken = new Set(command.options.map(({ long }) => long));
  command.optionsGroup("Common options:");
  for (const [flags, description] of [
    ["--json", "Print one JSON document"],
    ["--base-url <url>", "The server to talk to"],
    ["--project <id>", "The project to act in"],
    ["--verbose", "Show requests, without secrets"],
  ] as const) {
    if (!taken.has(flags.split(" ")[0])) command.addOption(new Option(flags, description).hideHelp(hidden));
  }
  return command.helpOption("-h, --help", "Show help");
}
