import type { Command } from "commander";
import type { Context } from "./context.ts";
import type { OptionSpec } from "./options.ts";

/** The result of a command, which never prints it itself. */
export interface Outcome {
  /** The document that `--json` prints, with the same members every time. */
  document: unknown;
  /** The text for people, line by line; an empty line separates groups. */
  lines?: readonly string[];
  /** Text that is printed verbatim instead of `lines`, for pipes and files; sanitized for a terminal. */
  raw?: string;
  /** The exit code, 0 by default; usually 3 for a negative answer that was asked for. */
  exitCode?: number;
  /** False if it was done on this machine alone, so that its use is not recorded. */
  isRecorded?: boolean;
}

/**
 * Turns a command's work into commander's action: prepares the context and presents the outcome. `Given`
 * is what commander passes: the arguments, then the options. A bare number is the exit code of work that
 * has already printed its output.
 */
export type Run = <Given extends unknown[]>(
  work: (context: Context, ...given: Given) => Promise<Outcome | number>,
) => (...given: [...Given, Command]) => Promise<void>;

/** The function that each command's file exports: declares arguments, options, examples and what to run. */
export type Define = (command: Command, run: Run) => void;

export interface CommandEntry {
  name: string;
  summary: string;
  /** The heading in `tool --help`; none for commands that only the program itself calls. */
  group?: string;
  /** The event that is recorded in the telemetry queue on success. */
  event?: string;
  /** Whether the command cleans up and ends by itself on Ctrl-C; other commands are ended at once. */
  handlesInterrupt?: boolean;
  /** Whether to limit the heap's growth, for commands that compute or stay running on the user's machine. */
  smallHeap?: boolean;
  load(): Promise<{ define: Define }>;
}

/** Declares options that a command shares with its quick form, which starts without commander. */
export function addOptions(command: Command, options: readonly OptionSpec[]): Command {
  for (const [flags, description, read] of options) {
    if (read) command.option(flags, description, read as (text: string, before: unknown) => unknown);
    else command.option(flags, description);
  }
  return command;
}

/** Returns the end of a help text: `Examples:` with one command per line. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}
