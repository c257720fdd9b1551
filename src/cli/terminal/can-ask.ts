import type { CommonOptions } from "../options.ts";
import type { Io } from "./io.ts";

/**
 * Whether the user can be asked: somebody types at a terminal and sees the question, and no program reads the answer
 * as JSON. Opens stdin, which takes a command milliseconds, so this is asked last.
 */
export function canAsk({ input, err }: Pick<Io, "input" | "err">, { json }: CommonOptions): boolean {
  return !json && input.terminal && err.live;
}
