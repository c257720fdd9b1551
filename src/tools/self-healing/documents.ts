import { hash } from "node:crypto";
import { collection } from "../../store/store.ts";
import type { Category, Ecosystem } from "./categories.ts";
import type { Finding } from "./diagnosis.ts";
import type { Advice } from "./suggestions/advise.ts";
import type { Tally } from "./tally.ts";

/** Times are milliseconds since the epoch. Missing values are left out. */
export interface OutcomeRecord {
  outcome: "success" | "failure";
  suggestionId?: string;
  fix?: string;
  note?: string;
  at: number;
}

/** A diagnosis as it is kept: with its cause, without the log. */
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
  /** The suggestions; older documents have none. */
  advice?: Advice[];
}

/** A failure that may come back, in whatever log. */
export interface FailureDocument {
  category: Category;
  count: number;
  lastAt: number;
  lastFix?: { title: string; suggestionId?: string; at: number };
  /** Fixes that users described in their own words, by the id under which each is suggested. */
  fixes: Record<string, string>;
}

/** In the project's space, by the diagnosis's id; ids sort by time. */
export const diagnoses = collection<DiagnosisDocument>("healing_diagnoses");
/** In the project's space: `category/diagnosisId`, to list those of a category. */
export const diagnosesByCategory = collection<Record<string, never>>("healing_diagnoses_by_category");
/** In the project's space, by fingerprint. */
export const failures = collection<FailureDocument>("healing_failures");
/** In the project's space: `fingerprint/suggestionId` and `category/suggestionId`. */
export const tallies = collection<Tally>("healing_tallies");

export const selfHealingCollections = [diagnosesByCategory, diagnoses, failures, tallies] as const;

/** Returns the id under which a fix in a user's own words is suggested: the same for the same words. */
export function fixId(fix: string): string {
  const words = fix.toLowerCase().replace(/\s+/g, " ").trim();
  return `fix_${hash("sha256", words, "hex").slice(0, 16)}`;
}
