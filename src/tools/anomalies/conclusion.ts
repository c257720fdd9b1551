import type { Output } from "../../contract/endpoint.ts";
import { defined } from "../../system/defined.ts";
import type { Random } from "../../system/random.ts";
import type { Reported } from "./already-seen.ts";
import type { anomaliesContract } from "./contract.ts";
import type { MetricResult } from "./detecting/analyse.ts";
import { type AnomalyDocument, anomalyOf, type SurroundingsDocument } from "./documents.ts";
import type { Series } from "./points.ts";
import { reportOf } from "./report.ts";
import { surroundingsOf } from "./surroundings.ts";

export type Analysis = Output<typeof anomaliesContract.analyze>;

/** The results of an analysis of some metrics, for the answer and for the store. */
export interface Conclusion {
  anomalies: Analysis["anomalies"];
  verdicts: [metric: string, verdict: Analysis["series"][string]][];
  /** New anomalies. */
  found: Reported;
  /** Surroundings of the first new anomalies only, since nobody looks at very many. */
  around: (readonly [id: string, document: SurroundingsDocument])[];
  /** For each metric, in order, the ids of all its anomalies. */
  ids: string[][];
}

/** Maximum number of surroundings kept for the metrics that are judged together. */
const MAX_SURROUNDED = 200;

/** The result of a metric, with the stored anomaly of each finding that was reported before. */
export interface Concluded extends Omit<MetricResult, "findings"> {
  findings: (MetricResult["findings"][number] & { entry?: Reported[number] | undefined })[];
}

/** Turns results into anomalies; new ones get an id and an explanation. `now` is in milliseconds since the epoch. */
export function conclude(
  results: readonly Concluded[],
  series: ReadonlyMap<string, Series>,
  {
    analysisId,
    random,
    now,
    sessionId,
  }: { analysisId: string; random: Random; now: number; sessionId: string | undefined },
): Conclusion {
  const found: Reported[number][] = [];
  const around: Conclusion["around"] = [];
  const all = results.map(({ name, findings }) => {
    const points = series.get(name) as Series;
    const { values, times } = points;
    const indices = findings.map(({ index }) => index);
    return findings.map(({ index, entry, ...finding }): Reported[number] => {
      if (entry) return entry;
      const value = values[index] as number;
      const at = times[index] as number;
      const document: AnomalyDocument = {
        analysisId,
        ...defined({ sessionId }),
        metric: name,
        at: Number.isNaN(at) ? null : at,
        index,
        value,
        ...reportOf(name, value, finding),
        state: "open",
        createdAt: now,
      };
      const added = [random.id("ano"), document] as const;
      found.push(added);
      if (around.length < MAX_SURROUNDED) around.push([added[0], surroundingsOf(points, index, indices)]);
      return added;
    });
  });
  return {
    found,
    around,
    ids: all.map((entries) => entries.map(([id]) => id)),
    anomalies: all.flat().map(([id, document]) => anomalyOf(id, document)),
    verdicts: results.map(({ name, verdict, baseline }) => [
      name,
      { points: (series.get(name) as Series).values.length, baseline, verdict },
    ]),
  };
}
