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
  /** What applying it changed. */
  changed?: { before: MetricSettings; after: MetricSettings };
}

/** The points around an anomaly, as they were analysed, for whoever looks at it later. */
export interface SurroundingsDocument {
  /** Index of the first of them. */
  first: number;
  /** To six significant digits. */
  values: number[];
  /** Times of the first and the last. */
  since?: number;
  until?: number;
  /** Indices of all anomalies among them. */
  marks: number[];
}

/** What was learned of a metric. */
export interface DetectorDocument {
  /** Counts the analyses, so that of two at once the second begins anew. */
  version: number;
  memory: string;
  /** The analysis that this was learned from last. */
  seen?: SeenDocument;
}

/** The points of an analysis. */
export interface SeenDocument {
  points: number;
  /** Of their values and times. */
  digest: string;
  /** What was known before them. */
  memory?: string;
  /** Ids of what was reported. */
  anomalies: string[];
}

/** What people have said about a metric. */
export interface MetricDocument extends Settings {
  /** How many anomalies of a kind were dismissed. */
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
