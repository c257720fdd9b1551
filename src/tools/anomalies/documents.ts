import { collection } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import type { Anomaly, MetricSettings } from "./contract.ts";
import type { Settings } from "./detecting/detector.ts";
import type { Kind } from "./kind.ts";

/** Times are milliseconds since the epoch. */
export interface AnomalyDocument extends Omit<Anomaly, "id" | "at" | "createdAt" | "decidedAt"> {
  at: number | null;
  createdAt: number;
  decidedAt?: number;
  /** The settings before and after its suggestion was applied. */
  changed?: { before: MetricSettings; after: MetricSettings };
}

/** The points around an anomaly as they were analysed, to be shown with it later. */
export interface SurroundingsDocument {
  /** Index of the first of them. */
  first: number;
  /** To six significant digits. */
  values: number[];
  /** Time of the first value. */
  since?: number;
  /** Time of the last value. */
  until?: number;
  /** Indices of all anomalies among them. */
  marks: number[];
}

/** The state that was learned for a metric. */
export interface DetectorDocument {
  /** Counts the analyses, so that the later of two concurrent ones starts over. */
  version: number;
  memory: string;
  /** The last analysis that was learned from. */
  seen?: SeenDocument;
}

/** The record of an analysis, by which its points are recognised. */
export interface SeenDocument {
  points: number;
  /** Digest of the points' values and times. */
  digest: string;
  /** The state that was learned before these points. */
  memory?: string;
  /** Ids of the reported anomalies: singly if they are few, or else in runs. */
  anomalies: (Run | string)[];
}

/** Ids that were made one after the other: the first, and how many. */
export type Run = readonly [first: string, count: number];

/** What users have set and dismissed for a metric. */
export interface MetricDocument extends Settings {
  /** Number of dismissed anomalies by kind. */
  dismissed?: Partial<Record<Kind, number>>;
}

/** In the project's space, by time-ordered id. */
export const anomalies = collection<AnomalyDocument>("anomalies");
/** In the project's space, by the anomaly's id. */
export const surroundings = collection<SurroundingsDocument>("anomaly_surroundings");
/** In the project's space, by the metric's name. */
export const detectors = collection<DetectorDocument>("anomaly_detectors");
export const metrics = collection<MetricDocument>("anomaly_metrics");

export const anomaliesCollections = [surroundings, anomalies, detectors, metrics] as const;

export function anomalyOf(
  id: string,
  { at, createdAt, decidedAt, changed: _, ...document }: AnomalyDocument,
): Anomaly {
  return {
    id,
    ...document,
    at: at === null ? null : iso(at),
    createdAt: iso(createdAt),
    ...(decidedAt !== undefined && { decidedAt: iso(decidedAt) }),
  };
}
