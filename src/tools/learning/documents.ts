import { collection } from "../../store/store.ts";

/** Times are milliseconds since the epoch. Documents name projects and accounts only by pseudonym. */

/** The secret key of the pseudonyms. */
export interface PseudonymKey {
  /** base64url */
  key: string;
}

/** A project's own measurements of a type, oldest first, in the unit of the newest. */
export interface HistoryDocument {
  unit: string;
  values: { at: number; value: number }[];
}

/** A project's newest measurement of a type, and where it is published. */
export interface StandingDocument {
  /** The account's pseudonym. */
  account: string;
  /** The narrowest cohort that it belongs to: `keyOf`. */
  key: string;
  /** Bucket of the newest value. */
  bucket: number;
  /** Present while that value is not published. It is fresh if it was measured since the last publication. */
  waiting?: { fresh: boolean };
  /**
   * The published value: its bucket, the depth down to which the cohorts of its path count it, and the batch
   * of values that it was published with.
   */
  told?: { depth: number; bucket: number; batch: string };
  /** Depth to which this same value was published before it had to wait again. */
  known?: number;
}

/** A project that is published, found by its place. */
export interface PlaceDocument {
  account: string;
  known?: number;
}

/** A project that waits to be published. */
export interface WaitingDocument extends PlaceDocument {
  fresh: boolean;
}

/** One of the projects that were published together. */
export interface BatchDocument {
  account: string;
  key: string;
}

/** The counts of a cohort. Everything published about it is computed from these alone. */
export interface CohortDocument {
  projects: number;
  accounts: number;
  /** Number of projects of the account with the most. */
  largest: number;
  /** Projects by bucket. */
  buckets: Record<string, number>;
}

export interface ShareDocument {
  projects: number;
}

/** What an account has contributed in all its projects, as far as that is bounded. */
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

/** All collections are in GLOBAL, since cohorts span accounts. */
export const pseudonymKeys = collection<PseudonymKey>("learning_pseudonym_keys");
/** By pseudonym. A document exists while the project takes part. */
export const participants = collection<{ since: number }>("learning_participants");
/** By `pseudonym/type`. */
export const histories = collection<HistoryDocument>("learning_histories");
export const standings = collection<StandingDocument>("learning_standings");
/** By `placeId`. */
export const waiting = collection<WaitingDocument>("learning_waiting");
export const publishedPlaces = collection<PlaceDocument>("learning_told");
/** By `batch>pseudonym`. */
export const batches = collection<BatchDocument>("learning_batches");
/** By the cohort's key. */
export const cohorts = collection<CohortDocument>("learning_cohorts");
/** By `key>account`. */
export const shares = collection<ShareDocument>("learning_shares");
/** By `language>id`. */
export const patterns = collection<PatternDocument>("learning_patterns");
/** By `pseudonym>id`; the value has the id in `patterns`. */
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
  publishedPlaces,
  batches,
  cohorts,
  shares,
  patterns,
  patternsByAuthor,
] as const;

/** Returns the id of a place. Ids of one depth within a cohort begin with `depth>key`. */
export function placeId(depth: number, key: string, pseudonym: string): string {
  return `${depth}>${key}>${pseudonym}`;
}

export function standingId(pseudonym: string, type: string): string {
  return `${pseudonym}/${type}`;
}
