import { collection } from "../../store/store.ts";

/** Times are milliseconds since the epoch. No document names a project or an account but by a pseudonym. */

/** What the pseudonyms are keyed with. */
export interface PseudonymKey {
  /** base64url */
  key: string;
}

/** A project's own measurements of a type, oldest first, in the unit of the newest. */
export interface HistoryDocument {
  unit: string;
  values: { at: number; value: number }[];
}

/** Where a project counts with a type. */
export interface StandingDocument {
  /** The account's pseudonym. */
  account: string;
  /** The narrowest cohort that it belongs to: `keyOf`. */
  key: string;
  /** Of the newest value. */
  bucket: number;
  /** That value is not told yet; fresh: it was measured since it was last told. */
  waiting?: { fresh: boolean };
  /** What is told of it, in the cohorts of its path down to this depth, and with whom. */
  told?: { depth: number; bucket: number; batch: string };
  /** To which depth this same value was told before it had to wait again. */
  known?: number;
}

/** One that is told, found by its place. */
export interface PlaceDocument {
  account: string;
  known?: number;
}

/** One that waits to be. */
export interface WaitingDocument extends PlaceDocument {
  fresh: boolean;
}

/** One of those that were told together. */
export interface BatchDocument {
  account: string;
  key: string;
}

/** What is told of a cohort comes from this alone. */
export interface CohortDocument {
  projects: number;
  accounts: number;
  /** Of the account with the most of them. */
  largest: number;
  /** Projects by bucket. */
  buckets: Record<string, number>;
}

export interface ShareDocument {
  projects: number;
}

/** What an account has brought in all its projects, as far as that is bounded. */
export interface ContributionDocument {
  projects: number;
  patterns: number;
}

export interface PatternDocument {
  /** The project's pseudonym. */
  author: string;
  title: string;
  description: string;
  category: string;
  language?: string;
  size?: string;
  outcome?: string;
  at: number;
}

/** All in GLOBAL, since cohorts go across accounts. */
export const pseudonymKeys = collection<PseudonymKey>("learning_pseudonym_keys");
/** By pseudonym: there while the project takes part. */
export const participants = collection<{ since: number }>("learning_participants");
/** By `pseudonym/type`. */
export const histories = collection<HistoryDocument>("learning_histories");
export const standings = collection<StandingDocument>("learning_standings");
/** By `placeId`. */
export const waiting = collection<WaitingDocument>("learning_waiting");
export const told = collection<PlaceDocument>("learning_told");
/** By `batch>pseudonym`. */
export const batches = collection<BatchDocument>("learning_batches");
/** By the cohort's key, and `key>account`. */
export const cohorts = collection<CohortDocument>("learning_cohorts");
export const shares = collection<ShareDocument>("learning_shares");
/** By `language>id`, and `pseudonym>language>id`. */
export const patterns = collection<PatternDocument>("learning_patterns");
export const patternsByAuthor = collection<{ id: string }>("learning_patterns_by_author");

/** By the account's pseudonym. */
export const contributions = collection<ContributionDocument>("learning_contributions");

export const learningCollections = [
  contributions,
  pseudonymKeys,
  participants,
  histories,
  standings,
  waiting,
  told,
  batches,
  cohorts,
  shares,
  patterns,
  patternsByAuthor,
] as const;

/** Those of a depth under one cohort have ids that begin with `depth>key`. */
export function placeId(depth: number, key: string, pseudonym: string): string {
  return `${depth}>${key}>${pseudonym}`;
}

export function standingId(pseudonym: string, type: string): string {
  return `${pseudonym}/${type}`;
}
