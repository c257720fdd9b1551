import { createInterface } from "node:readline";
import { inset } from "./inset.ts";
import type { Io } from "./io.ts";

/** Asks the person at the terminal. Anything but yes is no. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  io.err.write(inset(`${question} [y/N] `, io.err));
  return /^\s*y(es)?\s*$/i.test(await answerFrom(io));
}

/** Asks for a name in place of yes, since what it stands for does not come back. */
export async function confirmByName(io: Io, question: string, name: string): Promise<boolean> {
  io.err.line(inset(question, io.err));
  io.err.write(inset(`Type ${name} to go on: `, io.err));
  return (await answerFrom(io)).trim() === name;
}

function answerFrom({ input, interrupted }: Io): Promise<string> {
  const lines = createInterface({ input: input.stream, terminal: false });
  return new Promise((resolve) => {
    const end = (answer: string) => {
      resolve(answer);
      lines.close();
    };
    lines.once("line", end);
    lines.once("close", () => end(""));
    interrupted.addEventListener("abort", () => end(""), { once: true });
  });
}
