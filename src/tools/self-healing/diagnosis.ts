import type { Category, Ecosystem } from "./categories.ts";
import type { Severity } from "./diagnostics/diagnostic.ts";
import type { Advice } from "./suggestions/advise.ts";

/** A line of the log that reports a failure. */
export interface Finding {
  category: Category;
  /** The signature that recognised it. */
  rule: string;
  message: string;
  /** From 1. */
  logLine: number;
  file?: string;
  line?: number;
  column?: number;
  severity?: Severity;
  code?: string;
}

export interface Diagnosis {
  fingerprint: string;
  category: Category;
  ecosystem: Ecosystem;
  confidence: number;
  cause: (Finding & { excerpt: { number: number; text: string }[] }) | null;
  alsoSeen: Finding[];
  suggestions: Advice[];
}
