/**
 * How far a value is under the control of whoever calls the program: the worst of all that goes into it.
 */
export const LEVEL = {
  /** Written in the program, or made harmless by a call that does that. */
  literal: 0,
  /** From somewhere that the hunk does not show. */
  unknown: 1,
  /** What the function was called with. */
  parameter: 2,
  /** Part of a request, a message, a command line or the address of a page. */
  request: 3,
} as const;
export type Level = (typeof LEVEL)[keyof typeof LEVEL];
