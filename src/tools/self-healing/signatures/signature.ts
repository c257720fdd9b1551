import type { Category, Ecosystem } from "../categories.ts";

/**
 * How near to the reason a line is: the reason itself; a tool that says its part failed; a word of
 * failure without a reason; the news that something ended.
 */
export const ROLES = ["cause", "wrapper", "symptom", "exit"] as const;
export type Role = (typeof ROLES)[number];

/** A line that tells of a failure. */
export interface Signature {
  id: string;
  role: Role;
  /** Missing where the line says nothing of the kind of failure. */
  category?: Category;
  /** Missing where tools of several ecosystems write it. */
  ecosystem?: Ecosystem;
  weight: number;
  /** Programs print it and go on: only what follows shows whether it mattered. */
  survivable?: boolean;
}

/** Recognised by its form. */
export interface LineSignature extends Signature {
  /** Of a cleaned line. Its named groups fill in suggestions: module, package, file, command, version, … */
  pattern: RegExp;
}
