import type { EventEmitter } from "node:events";
import { Command } from "commander";
import type { CommandEntry } from "../src/cli/command.ts";
import { COMMANDS } from "../src/cli/command-table.ts";
import { rootCommand } from "../src/cli/root-command.ts";
import { processIo } from "../src/cli/terminal/io.ts";
import { runsByItself, usageOf } from "../src/cli/ui/command-usage.ts";
import { HELP_LAYOUT } from "../src/cli/ui/help-layout.ts";

/** Returns docs/cli.md, made from the same definitions as each command's `--help`. */
export async function cliReference(): Promise<string> {
  const root = rootCommand(processIo(), COMMANDS);
  const groups = new Map<string, string[]>();
  for (const entry of COMMANDS) {
    if (!entry.group) continue;
    const sections = groups.get(entry.group) ?? [];
    sections.push(...sectionOf(await defined(entry)));
    groups.set(entry.group, sections);
  }
  const parts = [
    "# tool",
    "",
    root.description(),
    "",
    "    tool <command> [options]",
    "",
    "Generated from the commands by `npm run docs`. `tool help <command>` prints the same in a terminal.",
    "",
    "Results go to stdout and everything else to stderr, plain where no terminal reads them, under `CI`, `NO_COLOR` and",
    "`TERM=dumb`. A flag wins over an environment variable, that over the nearest `.tool.json` upwards, that over your own",
    "settings (`tool config`), and those over the default server, `http://127.0.0.1:4242`. A server that only a `.tool.json`",
    "names gets no credential before you say yes to it: when a terminal asks, or with `tool config trust`.",
    "",
    "What is counted and kept belongs to a project of the account: `default`, or the one that `--project`, `TOOL_PROJECT` or a",
    "setting names; over HTTP the header `X-Project-Id`. The first write to a project makes it. So that a mistyped name makes",
    "none, commands that write to one that is not there yet ask first; a script says `--create-project`. What a `.tool.json` or",
    "`tool config set project` names is taken without asking.",
    "",
    "Every command takes:",
    "",
    ...optionTable(root),
    ...closingText(root),
    ...[...groups].flatMap(([group, sections]) => [`## ${group.replace(":", "")}`, "", ...sections]),
  ];
  return `${parts.join("\n").trimEnd()}\n`;
}

async function defined(entry: CommandEntry): Promise<Command> {
  const command = new Command(entry.name);
  const { define } = await entry.load();
  define(command.description(`${entry.summary}.`), () => async () => {});
  return command;
}

/** Returns the sections of a command and its subcommands, without the options that every command takes. */
function sectionOf(command: Command, path = "tool"): string[] {
  const name = `${path} ${command.name()}`;
  const heading = path === "tool" ? "###" : "####";
  const own = [...optionTable(command), ...closingText(command)];
  const below = command.commands.filter((child) => child.name() !== "help");
  return [
    `${heading} ${name}`,
    "",
    command.description(),
    "",
    ...(below.length > 0 && !runsByItself(command)
      ? []
      : [`    ${`${name} ${usageOf(command)}`.trimEnd()}`, ""]),
    ...own,
    ...below.flatMap((child) => sectionOf(child, name)),
  ];
}

function optionTable(command: Command): string[] {
  const words = command.registeredArguments
    .filter(({ description }) => description)
    .map((argument) => [argument.name(), HELP_LAYOUT.argumentDescription(argument)]);
  const options = command.options
    .filter(({ hidden, long }) => !hidden && long !== "--version")
    .map((option) => [option.flags, HELP_LAYOUT.optionDescription(option)]);
  const rows = [...words, ...options].map(
    ([term = "", text = ""]) => `| \`${term.replaceAll("|", "\\|")}\` | ${text.replaceAll("|", "\\|")} |`,
  );
  return rows.length > 0 ? ["| | |", "|---|---|", ...rows, ""] : [];
}

/** Returns the end of a help text: examples, environment variables, exit codes. */
function closingText(command: Command): string[] {
  const written: string[] = [];
  // Commander's types hide that a command is an EventEmitter, whose events `addHelpText` listens to.
  (command as unknown as EventEmitter).emit("afterHelp", {
    error: false,
    command,
    write: (text: string) => written.push(text),
  });
  const text = written.join("").trim();
  return text ? ["```", text, "```", ""] : [];
}
