import type { Command } from "commander";
import type { Context } from "./context.ts";
import type { OptionSpec } from "./options.ts";

/** What can be said before the command or after it. */
export interface CommonOptions {
  json?: boolean;
  verbose?: boolean;
  baseUrl?: string;
  project?: string;
  createProject?: boolean;
}

/** What a command ends with; it never prints its result itself. */
export interface Outcome {
  /** What `--json` prints: one document, the same members every time. */
  document: unknown;
  /** What people read, line by line; an empty one parts groups. */
  lines?: readonly string[];
  /** For what is piped on or kept: to the letter instead of `lines`; a terminal gets it made harmless. */
  raw?: string;
  /** 0 unless the answer is a negative one that was asked for. */
  exitCode?: number;
  /** False: it was done on this machine alone, and its use is not recorded. */
  kept?: boolean;
}

/**
 * Turns a command's work into commander's action: prepares the context, presents the outcome. `Given`
 * is what commander passes: the arguments, then the options. A bare number is an exit code, of work
 * that printed all it had to say while it lasted.
 */
export type Run = <Given extends unknown[]>(
  work: (context: Context, ...given: Given) => Promise<Outcome | number>,
) => (...given: [...Given, Command]) => Promise<void>;

/** What each file under `commands/` exports: arguments, options, examples and what to run. */
export type Define = (command: Command, run: Run) => void;

export interface CommandEntry {
  name: string;
  summary: string;
  /** The heading it stands under in `tool --help`; none for what only the program itself calls. */
  group?: string;
  /** What the telemetry queue is told when it has done its work. */
  event?: string;
  /** Ends by itself at Ctrl-C, tidying up; everything else is ended at once. */
  tidiesUp?: boolean;
  /** Computes on this machine, where others want the memory, too. */
  smallHeap?: boolean;
  load(): Promise<{ define: Define }>;
}

/** Declares options that a command shares with one that starts without commander. */
export function addOptions(command: Command, options: readonly OptionSpec[]): Command {
  for (const [flags, description, read] of options) {
    if (read) command.option(flags, description, read as (text: string, before: unknown) => unknown);
    else command.option(flags, description);
  }
  return command;
}

/** The end of a help text: `Examples:` with one command a line. */
export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}
