import type { Category, Ecosystem } from "../categories.ts";

/**
 * How near a line is to the reason for a failure. A cause is the reason itself, a wrapper a tool's report
 * that its part failed, a symptom a word of failure without a reason, and an exit a report that something
 * ended.
 */
export const ROLES = ["cause", "wrapper", "symptom", "exit"] as const;
export type Role = (typeof ROLES)[number];

/** A kind of line that reports a failure. */
export interface Signature {
  id: string;
  role: Role;
  /** Missing if the line does not show the kind of failure. */
  category?: Category;
  /** Missing if tools of several ecosystems write it. */
  ecosystem?: Ecosystem;
  weight: number;
  /** Whether programs may print it and continue, so that only later lines show whether it mattered. */
  survivable?: boolean;
}

/** A signature that recognises a line by its form. */
export interface LineSignature extends Signature {
  /** Matches a cleaned line. Its named groups fill in suggestions: module, package, file, command, version, … */
  pattern: RegExp;
}
