import { hash } from "node:crypto";
import { collection } from "../../store/store.ts";
import type { Category, Ecosystem } from "./categories.ts";
import type { Finding } from "./diagnosing/diagnose.ts";
import type { Advice } from "./suggestions/advise.ts";
import type { Tally } from "./tally.ts";

/** Times are milliseconds since the epoch; what is missing is not kept. */
export interface OutcomeRecord {
  outcome: "success" | "failure";
  suggestionId?: string;
  fix?: string;
  note?: string;
  at: number;
}

/** What is kept of a diagnosis: its cause, not the log. */
export interface DiagnosisDocument {
  at: number;
  fingerprint: string;
  category: Category;
  ecosystem: Ecosystem;
  confidence: number;
  cause?: Finding;
  command?: string;
  exitCode?: number;
  outcomes: OutcomeRecord[];
  /** What was suggested; older ones have none. */
  advice?: Advice[];
}

/** A failure as it comes back, whatever the log. */
export interface FailureDocument {
  category: Category;
  count: number;
  lastAt: number;
  lastFix?: { title: string; suggestionId?: string; at: number };
  /** In words of one's own, by the id under which each is suggested. */
  fixes: Record<string, string>;
}

/** In the project's space, by the diagnosis's id, which is in the order of time. */
export const diagnoses = collection<DiagnosisDocument>("healing_diagnoses");
/** In the project's space: `category/diagnosisId`, to list those of a category. */
export const diagnosesByCategory = collection<Record<string, never>>("healing_diagnoses_by_category");
/** In the project's space, by fingerprint. */
export const failures = collection<FailureDocument>("healing_failures");
/** In the project's space: `fingerprint/suggestionId` and `category/suggestionId`. */
export const tallies = collection<Tally>("healing_tallies");

export const selfHealingCollections = [diagnosesByCategory, diagnoses, failures, tallies] as const;

/** The id under which a fix in one's own words is suggested: the same for the same words. */
export function fixId(fix: string): string {
  const words = fix.toLowerCase().replace(/\s+/g, " ").trim();
  return `fix_${hash("sha256", words, "hex").slice(0, 16)}`;
}
