import { type JobHost, jobOf, jsonBytes } from "../../contract/compute.ts";
import { Problem } from "../../contract/problem.ts";
import { createRandom } from "../../system/random.ts";
import { analyse, type MetricInput, type MetricResult } from "./analyse.ts";
import { type Analysis, type Conclusion, conclude } from "./conclusion.ts";
import { anomaliesContract, type Sensitivity } from "./contract.ts";
import type { AnomalyDocument } from "./documents.ts";
import { readPoints, type Series } from "./metrics.ts";

/** What was learned and said of a metric before. */
export interface KnownMetric extends Pick<MetricInput, "memory" | "settings" | "weights"> {
  /** Counts the analyses; undefined before the first. */
  version: number | undefined;
}

/** What is to be kept, unless another analysis of one of the metrics came in between. */
export interface Findings {
  learned: readonly { name: string; memory: string; version: number | undefined }[];
  found: readonly (readonly [id: string, document: AnomalyDocument])[];
}

export interface AnalysisContext {
  /** Milliseconds since the epoch. */
  now: number;
}

/** Metrics that are judged and kept in one step: what was learned of one has about 30 KB. */
const MAX_TOGETHER = 32;
/** Anomalies that are kept in one step. */
const MAX_KEPT = 1000;
/** Sessions that send the same metric at once are judged one after another; so often one begins anew. */
const MAX_ATTEMPTS = 20;

/** Asks `known` (names → `KnownMetric[]`) and `keep` (`Findings` → whether they were). */
export const analyzeJob = jobOf(
  anomaliesContract.analyze,
  async ({ sessionId, metrics, sensitivity }, host: JobHost<AnalysisContext>) => {
    const series = new Map<string, Series>();
    for (const [name, points] of Object.entries(metrics)) series.set(name, readPoints(name, points));
    const { now } = host.context;
    const random = createRandom({ now: () => now });
    const analysisId = random.id("ana");
    const anomalies: Analysis["anomalies"] = [];
    const verdicts: [metric: string, verdict: Analysis["series"][string]][] = [];
    const names = [...series.keys()];
    for (let start = 0; start < names.length; start += MAX_TOGETHER) {
      const part = names.slice(start, start + MAX_TOGETHER);
      const conclusion = await judge(host, part, series, sensitivity, (judged) =>
        conclude(judged, series, { analysisId, random, now, sessionId }),
      );
      for (const anomaly of conclusion.anomalies) anomalies.push(anomaly);
      verdicts.push(...conclusion.verdicts);
    }
    return jsonBytes({ analysisId, anomalies, series: Object.fromEntries(verdicts) });
  },
);

async function judge(
  { ask }: JobHost<AnalysisContext>,
  names: readonly string[],
  series: ReadonlyMap<string, Series>,
  sensitivity: Sensitivity,
  concluding: (results: readonly MetricResult[]) => Conclusion,
): Promise<Conclusion> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const known = await ask<KnownMetric[]>("known", names);
    const results = analyse({
      sensitivity,
      metrics: names.map((name, index) => ({
        name,
        ...(series.get(name) as Series),
        ...(known[index] as KnownMetric),
      })),
    });
    const conclusion = concluding(results);
    const { found } = conclusion;
    const learned = results.map(({ name, memory }, index) => ({
      name,
      memory,
      version: known[index]?.version,
    }));
    if (!(await ask<boolean>("keep", { learned, found: found.slice(0, MAX_KEPT) }))) continue;
    for (let start = MAX_KEPT; start < found.length; start += MAX_KEPT) {
      await ask<boolean>("keep", { learned: [], found: found.slice(start, start + MAX_KEPT) });
    }
    return conclusion;
  }
  throw new Problem("overloaded", "Too many sessions send these metrics at once. Try again.", {
    headers: { "Retry-After": "1" },
  });
}
