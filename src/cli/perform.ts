import type { CommandEntry, Outcome } from "./command.ts";
import { type Context, createContext } from "./context.ts";
import type { CommonOptions } from "./options.ts";
import { recordUse } from "./record-use.ts";
import { unlessInterrupted } from "./terminal/interruption.ts";
import { type Io, processIo } from "./terminal/io.ts";
import { presentOutcome } from "./terminal/present.ts";

/** Runs the command line of this process and exits with the code that `run` returns. */
export async function runProcess(run: (io: Io, words: readonly string[]) => Promise<number>): Promise<void> {
  const io = processIo();
  const words = process.argv.slice(2);
  process.on("uncaughtException", async (error) => io.exit(await fail(io, words, error)));
  await io.exit(await run(io, words));
}

/** Presents an error and returns the exit code. */
export async function fail(io: Io, words: readonly string[], error: unknown): Promise<number> {
  const { presentFailure } = await import("./terminal/present.ts");
  const mute = error instanceof Error && "path" in error && error.path === "stdout";
  const options = {
    json: asksForJson(words) && !mute,
    verbose: wordsBeforeDoubleDash(words).includes("--verbose"),
  };
  return presentFailure(io, error, options);
}

export function asksForJson(words: readonly string[]): boolean {
  return wordsBeforeDoubleDash(words).includes("--json");
}

/** Returns the words before `--`; the rest is meant for another program. */
export function wordsBeforeDoubleDash(words: readonly string[]): readonly string[] {
  const dashes = words.indexOf("--");
  return dashes < 0 ? words : words.slice(0, dashes);
}

/**
 * Runs a command's work, presents its outcome and returns the exit code.
 *
 * @param words the command's own, such as `memory recall`
 */
export async function perform(
  io: Io,
  entry: Pick<CommandEntry, "event" | "group" | "handlesInterrupt">,
  words: string,
  options: CommonOptions,
  work: (context: Context) => Promise<Outcome | number>,
): Promise<number> {
  const context = createContext(io, options);
  const working = work(context).catch((error) => explain(error, context));
  const outcome = await (entry.handlesInterrupt
    ? working
    : context.progress.during("Waiting", unlessInterrupted(io, working)));
  const exitCode =
    typeof outcome === "number" ? outcome : presentOutcome(io, outcome, { json: options.json === true });
  const isKept = typeof outcome === "number" || outcome.isRecorded !== false;
  // After the output, since this may ask a slow server whether the project exists.
  if (entry.event && isKept) await recordUse(context, entry.event, words);
  // Not for commands that keep running, where the terminal may belong to another program.
  if (!entry.handlesInterrupt && entry.group && !options.json && io.out.terminal && io.err.live) {
    const { tellOfUpdate } = await import("./update/notice.ts");
    tellOfUpdate(context);
  }
  return exitCode;
}

/**
 * Adds the command that fixes it to an error about a missing sign-in or scope. A `TypeError` after an answer of
 * another kind of server means that expected members are missing, and becomes `UnexpectedAnswer`.
 */
async function explain(error: unknown, context: Context): Promise<never> {
  if (error instanceof Error && ["Problem", "SignedOut"].includes(error.name)) {
    const { withSignInHint } = await import("./sign-in/sign-in-hint.ts");
    throw await withSignInHint(error, context);
  }
  const { client } = context;
  if (!(error instanceof TypeError && client.sawForeignAnswer())) throw error;
  const { UnexpectedAnswer } = await import("../client/errors.ts");
  throw new UnexpectedAnswer(
    200,
    `${client.baseUrl} answers, but not as a Toolplane server does: is the base URL right?`,
  );
}
