import { collection } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import type { ErrorGroup, Source } from "./contract.ts";

/** Occurrences of one error; the words are those of the last one. Times are milliseconds since the epoch. */
export interface ErrorGroupDocument {
  source: Source;
  type: string;
  message: string;
  count: number;
  firstSeenAt: number;
  lastSeenAt: number;
  route?: string;
  stack?: string;
  traceId?: string;
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
/** In GLOBAL, by the number in the DSN. */
export const reporters = collection<Reporter>("error_reporters", { cached: true });
/** In GLOBAL: one document, `SEED`, of which numbers and keys are derived. */
export const reporterSeeds = collection<{ seed: string }>("error_reporter_seeds", { cached: true });
export const SEED = "seed";

export const observabilityCollections = [errorGroupsByTime, errorGroups, reporters, reporterSeeds] as const;

/** As long as any time that a Date can hold. */
const TIME_DIGITS = 16;

/** Orders by time, then by fingerprint. */
export function timeId(at: number, fingerprint = ""): string {
  return `${String(Math.max(0, at)).padStart(TIME_DIGITS, "0")}/${fingerprint}`;
}

/** The other way round. */
export function fingerprintIn(id: string): string {
  return id.slice(TIME_DIGITS + 1);
}

export function groupOf(fingerprint: string, document: ErrorGroupDocument): ErrorGroup {
  const { source, type, message, count, firstSeenAt, lastSeenAt, ...more } = document;
  const seen = { firstSeenAt: iso(firstSeenAt), lastSeenAt: iso(lastSeenAt) };
  return { fingerprint, type, message, count, ...seen, source, ...more };
}
