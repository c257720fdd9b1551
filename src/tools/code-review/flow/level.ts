/** How far clients control a value: the highest level of everything that flows into it. */
export const LEVEL = {
  /** Written in the program, or sanitized. */
  literal: 0,
  /** From code outside of the hunk. */
  unknown: 1,
  /** A parameter of the function. */
  parameter: 2,
  /** An argument of the program's own command line. */
  commandLine: 3,
  /** Part of a request, a message or the address of a page. */
  request: 4,
} as const;
export type Level = (typeof LEVEL)[keyof typeof LEVEL];

/** Returns the highest of any number of levels. A list in a program may have more members than a call takes arguments. */
export function highest(levels: Iterable<Level>): Level {
  let worst: Level = LEVEL.literal;
  for (const level of levels) if (level > worst) worst = level;
  return worst;
}
