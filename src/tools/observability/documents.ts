import { collection } from "../../store/store.ts";
import type { Source } from "./groups/contract.ts";
import type { Decision } from "./groups/decision.ts";
import type { Series } from "./groups/series.ts";
import { sourceMapCollections } from "./source-maps/documents.ts";
import type { MinifiedPlace } from "./source-maps/source-maps.ts";

/** A call of a stack that a source map may restore. */
export interface StackPlace extends MinifiedPlace {
  /** Which line of the stack: the innermost call is 0. */
  call: number;
}

/** What one event tells beside what it has in common with the others of its group. */
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

/** Occurrences of one error; the words are those of the last one. Times are milliseconds since the epoch. */
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
  /** Of groups that were last seen before there were details. */
  stack?: string;
}

/** What is shown of a group, and not looked at to find it. */
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

/** Whose errors are reported under a number, and the hash of the key that is needed for it. */
export interface Reporter {
  accountId: string;
  projectId: string;
  keyHash: string;
}

/** In the project's space, by fingerprint; in GLOBAL those of nobody. */
export const errorGroups = collection<ErrorGroupDocument>("error_groups");
/** In the same space: one beside each group, by `timeId`, to list and to forget in the order of time. */
export const errorGroupsByTime = collection<{ source: Source }>("error_groups_by_time");
/** In the same space, by fingerprint. */
export const errorDetails = collection<ErrorDetailsDocument>("error_details");
/** In the same space, by name: the releases that programs told of. */
export const errorReleases = collection<{ knownAt: number }>("error_releases");
/** In GLOBAL, by the number in the DSN. */
export const reporters = collection<Reporter>("error_reporters", { cached: true });
/** In GLOBAL: one document, `SEED`, of which numbers and keys are derived. */
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

/** As long as any time that a Date can hold, and any count. */
const DIGITS = 16;

/** Orders by time, or by another whole number, then by fingerprint. */
export function timeId(at: number, fingerprint = ""): string {
  return `${String(Math.max(0, at)).padStart(DIGITS, "0")}/${fingerprint}`;
}

/** The other way round. */
export function fingerprintIn(id: string): string {
  return id.slice(DIGITS + 1);
}
