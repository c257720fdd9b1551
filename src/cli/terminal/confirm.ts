import { createInterface } from "node:readline";
import { UsageError } from "../exit-codes.ts";
import type { CommonOptions } from "../options.ts";
import type { Progress } from "../ui/progress.ts";
import { canAsk } from "./can-ask.ts";
import { inset } from "./inset.ts";
import type { Io } from "./io.ts";

/**
 * Whether the user wants what a command is about to do: by `--yes`, or by their answer. Throws `UsageError` with `what`
 * if nobody can be asked.
 */
export async function agreed(
  { io, options, progress }: { io: Io; options: CommonOptions; progress: Pick<Progress, "pausedDuring"> },
  yes: true | undefined,
  what: string,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  if (yes) return true;
  if (!canAsk(io, options)) throw new UsageError(what, "Add --yes to do it.");
  return progress.pausedDuring(ask());
}

/** Asks the user. Anything but yes is no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test((await ask(io, `${question} [y/N] `)) ?? "");
}

/** Asks the user to type a name rather than yes, before something is lost for good. */
export async function confirmByName(io: Io, question: string, name: string): Promise<boolean> {
  io.err.line(inset(question, io.err));
  return (await ask(io, `Type ${name} to go on: `))?.trim() === name;
}

/** Returns the line that the user types; undefined if stdin ends or the program is interrupted. */
export function ask(io: Io, question: string): Promise<string | undefined> {
  io.err.write(inset(question, io.err));
  return answerFrom(io);
}

function answerFrom({ input, interrupted }: Io): Promise<string | undefined> {
  const lines = createInterface({ input: input.stream, terminal: false });
  return new Promise((resolve) => {
    const end = (answer?: string) => {
      resolve(answer);
      lines.close();
    };
    lines.once("line", end);
    lines.once("close", () => end());
    interrupted.addEventListener("abort", () => end(), { once: true });
  });
}
