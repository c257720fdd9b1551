import { Command, Option } from "commander";
import type { CommandEntry } from "./command.ts";
import { COMMON_OPTIONS } from "./options.ts";
import { refuseEmptyOptions } from "./terminal/empty-values.ts";
import type { Io } from "./terminal/io.ts";
import { fitted } from "./ui/fitted-text.ts";
import { HELP_LAYOUT } from "./ui/help-layout.ts";
import { VERSION } from "./version.ts";

const AFTER = `
Run tool help <command> for its options and examples.

Environment:
  TOOL_BASE_URL          the server
  TOOL_TOKEN             a token or an API key in place of a sign-in
  TOOL_PROJECT           the project, as --project
  TOOL_TELEMETRY         on or off; DO_NOT_TRACK=1 is off
  TOOL_NO_UPDATE_NOTICE  1: do not announce newer versions
  HTTPS_PROXY            the proxy to go through; NO_PROXY excepts hosts
  NO_COLOR               no colour; FORCE_COLOR=1 is colour

Exit codes:
  0    done
  1    failed
  2    wrong usage
  3    a negative answer that was asked for
  4    not signed in, or the server is not trusted
  5    rate limited
  6    the server cannot be reached
  130  interrupted (129 when the terminal was closed, 143 when told to end)`;

const WIDEST = 100;

/** Returns the command `tool` with a one-line summary of each command; the rest is defined when its file is loaded. */
export function rootCommand(io: Io, commands: readonly CommandEntry[]): Command {
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
      writeOut: (text) => io.out.write(fitted(text, Math.min(io.out.columns, WIDEST))),
      writeErr: (text) => io.err.write(fitted(text, Math.min(io.err.columns, WIDEST))),
      outputError: () => {},
      getOutHelpWidth: () => Math.min(io.out.columns, WIDEST),
      getErrHelpWidth: () => Math.min(io.err.columns, WIDEST),
      getOutHasColors: () => io.out.style.coloured,
      getErrHasColors: () => io.err.style.coloured,
    })
    .configureHelp({
      ...HELP_LAYOUT,
      subcommandTerm: (command) => command.name(),
      styleTitle: (text) => io.out.style.bold(text),
      styleCommandText: (text) => text,
      styleSubcommandTerm: (text) => io.out.style.cyan(text),
      styleOptionTerm: (text) => io.out.style.cyan(text),
    })
    .addHelpText("after", AFTER);
  for (const { name, summary, group } of commands) {
    root
      .command(name, { hidden: group === undefined })
      .summary(summary)
      .helpGroup(group ?? "");
  }
  return root;
}

/** Adds the common options to a command and its subcommands; the help of a group does not show them. */
export function completeOptions(command: Command): void {
  const group = command.commands.length > 0;
  addCommonOptions(command, group);
  if (group) command.helpCommand(false).optionsGroup("Options:").helpOption("-h, --help", "Show help");
  command.commands.forEach(completeOptions);
}

const COMMON = new WeakSet<Option>();

/** Returns the given values of the options that the command itself declares. */
export function ownOptions(command: Command): Record<string, unknown> {
  const own = command.options.filter((option) => !COMMON.has(option));
  return Object.fromEntries(
    own
      .map((option) => option.attributeName())
      .flatMap((name) => {
        const value = command.getOptionValue(name);
        return value === undefined ? [] : [[name, value]];
      }),
  );
}

/** Adds the options that every command takes, except those that the command declares itself. */
function addCommonOptions(command: Command, hidden = false): Command {
  const taken = new Set(command.options.map(({ long }) => long));
  command.optionsGroup("Common options:");
  for (const [flags, description] of COMMON_OPTIONS) {
    if (taken.has(flags.split(" ")[0])) continue;
    const option = new Option(flags, description).hideHelp(hidden);
    COMMON.add(option);
    command.addOption(option);
  }
  return refuseEmptyOptions(command.helpOption("-h, --help", "Show help"));
}
