import type { Place } from "../finding.ts";
import type { LexedFragment } from "./lexed-fragment.ts";

/** Maximum characters of a command, and of one of its lines, that are read. */
const MAX_LENGTH = 4000;
const CONTINUES = /\\\s{0,4}$/;

/** A command of a shell, which a backslash at the end of a line continues on the next one. */
export interface Command {
  /** Its lines, comments replaced by blanks and a blank in place of each backslash. */
  code: string;
  /** Returns the place of a character, and behind it the beginnings of the other lines, one of which may have been added. */
  placesAt(index: number): [Place, ...Place[]];
}

/** Yields the commands of a script of which at least a line was added. */
export function* commandsIn(fragment: LexedFragment): Iterable<Command> {
  let code = "";
  /** The lines of the command, and where in `code` each begins. */
  let begins: { line: number; at: number }[] = [];
  for (let line = 0; line < fragment.lines.length; line++) {
    const own = fragment.code(line).slice(0, MAX_LENGTH);
    const continues = CONTINUES.test(own) && line + 1 < fragment.lines.length;
    begins.push({ line, at: code.length });
    code += continues ? own.replace(CONTINUES, " ") : own;
    if (continues && code.length < MAX_LENGTH) continue;
    if (begins.some((each) => fragment.isAdded(each.line))) yield commandOf(code, begins);
    code = "";
    begins = [];
  }
}

function commandOf(code: string, begins: readonly { line: number; at: number }[]): Command {
  return {
    code,
    placesAt(index) {
      const own = begins.findLast(({ at }) => at <= index) ?? { line: 0, at: 0 };
      const others = begins.filter(({ line }) => line !== own.line).map(({ line }) => ({ line, column: 0 }));
      return [{ line: own.line, column: index - own.at }, ...others];
    },
  };
}
