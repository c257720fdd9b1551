import { collection } from "../../store/store.ts";
import type { Source } from "./groups/contract.ts";
import type { Decision } from "./groups/decision.ts";
import type { Series } from "./groups/series.ts";
import { sourceMapCollections } from "./source-maps/documents.ts";
import type { MinifiedPlace } from "./source-maps/restore.ts";

/** A call of a stack that a source map may restore. */
export interface StackPlace extends MinifiedPlace {
  /** Index of the call in the stack; the innermost call is 0. */
  call: number;
}

/** What one event adds to what it has in common with its group. */
export interface OccurrenceDocument {
  at: number;
  eventId?: string;
  release?: string;
  environment?: string;
  traceId?: string;
  tags?: Record<string, string>;
}

/** A release that errors of a group were seen in. */
export interface SeenRelease {
  name: string;
  count: number;
  firstSeenAt: number;
  lastSeenAt: number;
}

/**
 * The occurrences of one error. Type, message, route and trace are those of the last one. Times are
 * milliseconds since the epoch.
 */
export interface ErrorGroupDocument {
  source: Source;
  type: string;
  message: string;
  count: number;
  firstSeenAt: number;
  lastSeenAt: number;
  route?: string;
  traceId?: string;
  decision?: Decision;
  regressedAt?: number;
  releases?: SeenRelease[];
  environments?: string[];
  /** Only in groups that were last seen before `ErrorDetailsDocument` existed. */
  stack?: string;
}

/** The parts of a group that are shown, but not needed to find it. */
export interface ErrorDetailsDocument {
  stack?: string;
  places?: StackPlace[];
  hourly: Series;
  daily: Series;
  /** The newest first. */
  occurrences: OccurrenceDocument[];
  /** A bitmap, see `groups/users.ts`. */
  users?: string;
}

/** The project whose errors are reported under a DSN's number, and the hash of the key that this requires. */
export interface Reporter {
  accountId: string;
  projectId: string;
  keyHash: string;
}

/** In the project's space, by fingerprint; in GLOBAL for errors without a project. */
export const errorGroups = collection<ErrorGroupDocument>("error_groups");
/** In the same space, one for each group, by `timeId`: to list groups and to delete the oldest. */
export const errorGroupsByTime = collection<{ source: Source }>("error_groups_by_time");
/** In the same space, by fingerprint. */
export const errorDetails = collection<ErrorDetailsDocument>("error_details");
/** In the same space, by name: the releases that were reported. */
export const errorReleases = collection<{ knownAt: number }>("error_releases");
/** In GLOBAL, by the number in the DSN. */
export const reporters = collection<Reporter>("error_reporters", { cached: true });
/** In GLOBAL: one document, `SEED`, from which numbers and keys are derived. */
export const reporterSeeds = collection<{ seed: string }>("error_reporter_seeds", { cached: true });
export const SEED = "seed";

export const observabilityCollections = [
  errorGroupsByTime,
  errorGroups,
  errorDetails,
  errorReleases,
  reporters,
  reporterSeeds,
  ...sourceMapCollections,
] as const;

/** Digits of the longest time that a Date can hold, and of any count. */
const DIGITS = 16;

/** Returns an id that sorts by time, or by another whole number, then by fingerprint. */
export function timeId(at: number, fingerprint = ""): string {
  return `${String(Math.max(0, at)).padStart(DIGITS, "0")}/${fingerprint}`;
}

/** Returns the fingerprint in a `timeId`. */
export function fingerprintIn(id: string): string {
  return id.slice(DIGITS + 1);
}
