import type { Line } from "./diff/file-change.ts";
import type { Language } from "./language/language.ts";
import type { Fragment } from "./syntax/fragment.ts";

export const SEVERITIES = ["error", "warning", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const CATEGORIES = ["security", "correctness", "leftover"] as const;
export type Category = (typeof CATEGORIES)[number];

export const RULE_IDS = [
  "hardcoded-secret",
  "private-key",
  "sql-injection",
  "command-injection",
  "code-evaluation",
  "unsafe-html",
  "path-traversal",
  "weak-cryptography",
  "insecure-randomness",
  "tls-verification-disabled",
  "unsafe-deserialization",
  "swallowed-error",
  "debug-leftover",
  "disabled-test",
  "merge-conflict-marker",
  "loose-equality",
  "unresolved-todo",
] as const;
export type RuleId = (typeof RULE_IDS)[number];

/** Flaws that a rule reports in addition to the one that it is named after. */
export const VARIANTS = ["ldap", "xpath", "nosql", "redirect", "request-forgery", "xml-entities"] as const;
export type Variant = (typeof VARIANTS)[number];

/** A place in a hunk. */
export interface Place {
  /** Index of the line in the hunk. */
  line: number;
  /** 0-based, in UTF-16 units. */
  column: number;
}

/** A call in another file than the function that it calls. Without that file's tokens, for which there is no room. */
export interface CallElsewhere {
  path: string;
  language: Language;
  lines: readonly Line[];
  place: Place;
  /** The calls in further files by which the value goes on to the function, in this order. */
  onward?: readonly CallElsewhere[];
}

/** A match of a rule. Absent fields default to those of the rule. */
export interface Sighting {
  /** Candidate places to report, best first. The first one on an added line is used. */
  places: readonly Place[];
  severity?: Severity;
  message?: string;
  suggestion?: string;
  /** https://cwe.mitre.org */
  cwe?: number;
  /** Text to mask in every response. */
  secret?: string;
  /** The calls in other files that pass on the value at fault. */
  by?: readonly CallElsewhere[] | undefined;
}

export interface Finding {
  rule: RuleId;
  severity: Severity;
  category: Category;
  file: string;
  /** 1-based, in the new file. */
  line: number;
  /** 1-based, in UTF-16 units. */
  column: number;
  /** The line, with secrets masked. */
  snippet: string;
  message: string;
  suggestion: string;
  /** Stable when the line moves within its file. */
  fingerprint: string;
  cwe?: string;
}

export interface Rule {
  id: RuleId;
  category: Category;
  severity: Severity;
  /** https://cwe.mitre.org */
  cwe?: number;
  /** Languages that the rule covers; `any` for a rule that reads the text of every file. */
  languages: readonly Language[] | "any";
  /** Those of them in which it finds only a part of what it looks for. */
  partly?: readonly Language[];
  /** The flaw, in a sentence. */
  message: string;
  /** The fix to suggest. */
  suggestion: string;
  /** Whether the rule keeps its severity in tests, fixtures and vendored code. */
  everywhere?: boolean;
  check(fragment: Fragment): Iterable<Sighting>;
}
