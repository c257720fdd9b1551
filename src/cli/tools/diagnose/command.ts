import type { Command } from "commander";
import { type Asked, askTool, recordOption } from "../../ask-tool.ts";
import { type Define, examples, type Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { describeFailure } from "../../describe-failure.ts";
import { UsageError } from "../../exit-codes.ts";
import { wholeNumber } from "../../options.ts";
import { isEmptyError } from "../../terminal/empty-values.ts";
import { readEnd, textOf } from "../../terminal/input.ts";
import { Interrupted, interruptedExit } from "../../terminal/interruption.ts";
import { count, duration } from "../../ui/format.ts";
import { fitted, isBinary, MAX_BYTES, numbered } from "./fit.ts";
import { withOwnModule } from "./own-module.ts";
import { type Diagnosis, reportOf } from "./report.ts";
import { runCommand } from "./run-command.ts";

interface Options {
  command?: string;
  exitCode?: number;
  ecosystem?: string;
  record: boolean;
}

export const define: Define = (command, run) => {
  const [ofLog, ofCommand] = [run(diagnoseLog), run(diagnoseCommand)];
  command
    .usage("[options] <log>\n       tool diagnose [options] -- <command...>")
    .argument("<log...>", "The log of a build, - for stdin; after --, a command to run")
    .option("--command <text>", "What was run to write this log")
    .option("--exit-code <n>", "How it ended; 0 is success", wholeNumber(0, 255))
    .option("--ecosystem <name>", "Whose tools wrote it, such as npm, maven or python")
    .addOption(recordOption())
    .addHelpText(
      "after",
      `${examples(
        "tool diagnose build.log",
        "gh run view --log-failed | tool diagnose -",
        "tool diagnose -- npm test",
      )}

A command's output is passed on while it runs, and diagnosed if it fails. The exit code is always
the command's own, also where Ctrl-C ends it.`,
    )
    .action((words: string[], options: Options, self: Command) =>
      isCommand(self) ? ofCommand(words, options, self) : ofLog(words, options, self),
    );
};

/** Whether `--` was given. Commander removes it from the arguments, but keeps the raw ones. */
function isCommand({ parent }: Command): boolean {
  return ((parent as { rawArgs?: string[] } | null)?.rawArgs ?? []).includes("--");
}

async function diagnoseLog(context: Context, words: string[], options: Options): Promise<Outcome> {
  const { io, progress } = context;
  const [file = "-", ...more] = words;
  if (more.length > 0) throw new UsageError("One log at a time.", "To run a command, put -- before it.");
  const reading = readEnd(textOf(io, file), MAX_BYTES).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EISDIR") throw error;
    throw new UsageError(
      `${file} is a folder.`,
      "Name the file that holds the log, or put -- before a command.",
    );
  });
  const { text, skipped } = await progress.during("Reading", reading);
  if (isBinary(text)) {
    const name = file === "-" ? "What stdin holds" : file;
    throw new UsageError(
      `${name} is not text.`,
      "Give the log as the build wrote it; unpack it first if it is packed.",
    );
  }
  const { answer, isRecorded } = await ask(context, { ...options, log: text }, skipped);
  return { document: answer, lines: reportOf(answer, isRecorded, context, options.exitCode), isRecorded };
}

async function diagnoseCommand(context: Context, words: string[], options: Options): Promise<Outcome> {
  const { io } = context;
  if (words[0]?.trim() === "") throw isEmptyError("<command>");
  const command = words.join(" ");
  const { log, exitCode, durationMs } = await runCommand(context, words);
  const { style, marks } = io.out;
  const took = duration(durationMs);
  if (io.interrupted.aborted) {
    if (exitCode === interruptedExit(io.interrupted.reason)) throw new Interrupted();
    const line = style.dim(`${command} was interrupted, and ended with exit code ${exitCode} (${took}).`);
    return {
      document: { command, exitCode, diagnosis: null },
      lines: ["", line],
      isRecorded: false,
      exitCode,
    };
  }
  if (exitCode === 0) {
    const line = `${marks.done} ${command} went well (${took}).`;
    return { document: { command, exitCode, diagnosis: null }, lines: ["", line] };
  }
  const failed = ["", style.dim(`${command} failed with exit code ${exitCode} (${took}).`), ""];
  try {
    const { answer: diagnosis, isRecorded } = await ask(context, { ...options, log, command, exitCode });
    const lines = [...failed, ...reportOf(diagnosis, isRecorded, context, exitCode)];
    return { document: { command, exitCode, diagnosis }, lines, isRecorded, exitCode };
  } catch (error) {
    if (io.interrupted.aborted) throw error;
    // The exit code is that of the command, even if its diagnosis fails.
    const { message, next } = describeFailure(error);
    const lines = [...failed, `Not diagnosed: ${message}${next === undefined ? "" : ` ${next}`}`];
    return { document: { command, exitCode, diagnosis: null }, lines, isRecorded: false, exitCode };
  }
}

/** @param before the number of lines of the log that were left out already */
async function ask(
  context: Context,
  { log: whole, command, exitCode, ecosystem, record }: Options & { log: string },
  before = 0,
): Promise<Asked<Diagnosis>> {
  const { log, skipped: cut } = fitted(whole);
  const skipped = before + cut;
  if (skipped > 0) {
    context.progress.note(
      `The log is longer than what is sent of one: its first ${count(skipped, "line")} were left out.`,
    );
  }
  const input = { log, command, exitCode, ecosystem, directory: context.io.workingDirectory };
  const asked = askTool(context, "POST /api/v1/tools/self-healing/diagnose", input, {
    record,
    newer: ["directory"],
  });
  const { answer, isRecorded } = await context.progress.during("Reading the log", asked);
  return { answer: withOwnModule(numbered(answer, skipped), context.io.workingDirectory), isRecorded };
}
