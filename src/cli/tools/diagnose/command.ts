import type { Command } from "commander";
import { type Define, examples, type Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { wholeNumber } from "../../options.ts";
import { readEnd } from "../../terminal/input.ts";
import { Interrupted } from "../../terminal/interruption.ts";
import { count, duration } from "../../ui/format.ts";
import { fitted, MAX_BYTES, numbered } from "./fit.ts";
import { type Diagnosis, reportOf } from "./report.ts";
import { runCommand } from "./run-command.ts";

interface Options {
  command?: string;
  exitCode?: number;
  ecosystem?: string;
}

const TIMEOUT_MS = 120_000;

export const define: Define = (command, run) => {
  const [ofLog, ofCommand] = [run(diagnoseLog), run(diagnoseCommand)];
  command
    .usage("[options] <log>\n       tool diagnose [options] -- <command...>")
    .argument("<words...>", "The log of a build, - for stdin; after --, a command to run")
    .option("--command <text>", "What was run to write this log")
    .option("--exit-code <n>", "How it ended; 0 is success", wholeNumber(0, 255))
    .option("--ecosystem <name>", "Whose tools wrote it, such as npm, maven or python")
    .addHelpText(
      "after",
      `${examples(
        "tool diagnose build.log",
        "gh run view --log-failed | tool diagnose -",
        "tool diagnose -- npm test",
      )}

A command's output is passed on while it runs; it is diagnosed where it fails, and the exit code is 1 then.`,
    )
    .action((words: string[], options: Options, self: Command) =>
      isCommand(self) ? ofCommand(words, options, self) : ofLog(words, options, self),
    );
};

/** Commander forgets where `--` stood among the words, but keeps the words. */
function isCommand({ parent }: Command): boolean {
  return ((parent as { rawArgs?: string[] } | null)?.rawArgs ?? []).includes("--");
}

async function diagnoseLog(context: Context, words: string[], options: Options): Promise<Outcome> {
  const { io, progress } = context;
  const [file = "-", ...more] = words;
  if (more.length > 0) throw new UsageError("One log at a time.", "To run a command, put -- before it.");
  const { text, skipped } = await progress.during("Reading", readEnd(io, file, MAX_BYTES));
  const { command, exitCode, ecosystem } = options;
  const document = await ask(context, { log: text, command, exitCode, ecosystem }, skipped);
  return { document, lines: reportOf(document, context) };
}

async function diagnoseCommand(context: Context, words: string[], { ecosystem }: Options): Promise<Outcome> {
  const { io } = context;
  const command = words.join(" ");
  const { log, exitCode, durationMs } = await runCommand(context, words);
  if (io.interrupted.aborted) throw new Interrupted();
  const { style, symbols } = io.out;
  const took = duration(durationMs);
  if (exitCode === 0) {
    const line = `${style.green(symbols.done)} ${command} went well (${took}).`;
    return { document: { command, exitCode, diagnosis: null }, lines: ["", line] };
  }
  const diagnosis = await ask(context, { log, command, exitCode, ecosystem });
  return {
    document: { command, exitCode, diagnosis },
    lines: [
      "",
      style.dim(`${command} failed with exit code ${exitCode} (${took}).`),
      "",
      ...reportOf(diagnosis, context),
    ],
    exitCode: EXIT.failed,
  };
}

/** @param before how many lines of the log were left out already */
async function ask(
  { client, io, progress }: Context,
  input: Options & { log: string },
  before = 0,
): Promise<Diagnosis> {
  const { log, skipped: cut } = fitted(input.log);
  const skipped = before + cut;
  if (skipped > 0) {
    progress.note(
      `The log is longer than what is sent of one: its first ${count(skipped, "line")} were left out.`,
    );
  }
  const call = client.call(
    "POST /api/v1/tools/self-healing/diagnose",
    { ...input, log },
    { signal: io.interrupted, timeoutMs: TIMEOUT_MS },
  );
  return numbered(await progress.during("Reading the log", call), skipped);
}
