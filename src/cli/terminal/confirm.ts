import { createInterface } from "node:readline";
import { inset } from "./inset.ts";
import type { Io } from "./io.ts";

/** Asks the person at the terminal. Anything but yes is no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test((await ask(io, `${question} [y/N] `)) ?? "");
}

/** Asks for a name in place of yes, since what it stands for does not come back. */
export async function confirmByName(io: Io, question: string, name: string): Promise<boolean> {
  io.err.line(inset(question, io.err));
  return (await ask(io, `Type ${name} to go on: `))?.trim() === name;
}

/** The line that the person at the terminal types; undefined where none comes any more. */
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
