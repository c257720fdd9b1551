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

/** Flaws that a rule reports beside the one that it is named for. */
export const VARIANTS = ["ldap", "xpath", "nosql", "redirect", "request-forgery", "xml-entities"] as const;
export type Variant = (typeof VARIANTS)[number];

/** A place in a hunk. */
export interface Place {
  /** Index of the line in the hunk. */
  line: number;
  /** 0-based, in UTF-16 units. */
  column: number;
}

/** What a rule saw: its own words hold unless it says others here. */
export interface Sighting {
  /** Places that it may be shown at, best first: the first that lies on an added line is taken. */
  places: readonly Place[];
  severity?: Severity;
  message?: string;
  suggestion?: string;
  /** https://cwe.mitre.org */
  cwe?: number;
  /** Text that no answer may repeat. */
  secret?: string;
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
  /** The line, secrets masked. */
  snippet: string;
  message: string;
  suggestion: string;
  /** The same wherever the line moves within its file. */
  fingerprint: string;
  cwe?: string;
}

export interface Rule {
  id: RuleId;
  category: Category;
  severity: Severity;
  /** https://cwe.mitre.org */
  cwe?: number;
  /** Those it has cases for; `any` reads the text of every file. */
  languages: readonly Language[] | "any";
  /** What is wrong, in a sentence. */
  message: string;
  /** What to do instead. */
  suggestion: string;
  /** Weighs as much in tests and fixtures as elsewhere. */
  everywhere?: boolean;
  check(fragment: Fragment): Iterable<Sighting>;
}
