import { createContext, Script } from "node:vm";

/**
 * Returns lines on which a vulnerable regular expression backtracks catastrophically: a matching example with each
 * part of it repeated until the line is `length` long, and a character at the end that does not match.
 */
export function pumpedLines(example: string, length: number): string[] {
  const lines = new Set<string>();
  for (let at = 0; at < example.length; at++) {
    const [word] = /^\w*\W*/.exec(example.slice(at)) as RegExpExecArray;
    for (const part of [example.slice(at, at + 1), example.slice(at, at + 2), word]) {
      const pumped = part.repeat(Math.ceil((length - at) / part.length));
      lines.add(`${example.slice(0, at)}${pumped}`.slice(0, length - 1).concat("\u0001"));
    }
  }
  return [...lines];
}

const search = new Script("for (const line of lines) pattern.test(line)");
/** One for all searches: to create a context takes longer than most of them. */
const context = createContext({});
/** Milliseconds: a thousand times what a harmless expression takes for the lines. */
const PATIENCE = 30_000;

/** Whether a test finishes on the lines within `patience`. One that does not would hang the tests. */
export function comesToAnEnd(
  pattern: { test(line: string): unknown },
  lines: readonly string[],
  patience = PATIENCE,
): boolean {
  try {
    search.runInContext(Object.assign(context, { pattern, lines }), { timeout: patience });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  }
}
