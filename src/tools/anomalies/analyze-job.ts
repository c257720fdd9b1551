import type { JobHost } from "../../contract/compute.ts";
import { jobOf, jsonBytes } from "../../contract/job.ts";
import { overloaded } from "../../contract/retry-later.ts";
import { defined } from "../../system/defined.ts";
import { createRandom } from "../../system/random.ts";
import { beginsWith, idsOf, type Reported, seen, withReported } from "./already-seen.ts";
import { type Concluded, type Conclusion, conclude } from "./conclusion.ts";
import { anomaliesContract, type Sensitivity } from "./contract.ts";
import { analyse, type MetricInput } from "./detecting/analyse.ts";
import type { AnomalyDocument, SeenDocument } from "./documents.ts";
import { readPoints, type Series } from "./points.ts";

/** What was learned, set and dismissed for a metric before the analysis. */
export interface KnownMetric extends Pick<MetricInput, "memory" | "settings" | "weights"> {
  /** Counts the analyses; undefined before the first. */
  version: number | undefined;
  /** The previous analysis. */
  seen?: SeenDocument;
}

/** Results to store, unless another analysis of one of the metrics was stored in between. */
export interface Findings {
  learned: readonly { name: string; memory: string; version: number | undefined; seen: SeenDocument }[];
  found: Reported;
  around?: Conclusion["around"];
  /**
   * The judgement to answer a repeat of the request with. It cannot be judged again, since the detectors have
   * learned from its points by then.
   */
  kept?: Judgement;
  /** The whole answer, committed with the last findings. */
  answer?: Uint8Array<ArrayBuffer>;
}

/** The anomalies and verdicts of some of the metrics. */
export interface Judgement extends Pick<Conclusion, "anomalies" | "verdicts"> {
  analysisId: string;
}

export interface AnalysisContext {
  /** Milliseconds since the epoch. */
  now: number;
}

/** Metrics that are judged and stored in one step. The learned state of each takes about 30 KB. */
const MAX_TOGETHER = 32;
/** Anomalies that are stored, or read, in one step. */
const MAX_KEPT = 1000;
/** Attempts at storing an analysis. It starts over when another one of the same metric was stored first. */
const MAX_ATTEMPTS = 20;

/**
 * Asks `known` (names → `KnownMetric[]`), `reported` (ids → `Reported`) and `keep` (`Findings` → whether they
 * were stored, or the judgement that an earlier run of the same request stored). Returns the answer, unless
 * it was passed to `keep`.
 */
export const analyzeJob = jobOf(
  anomaliesContract.analyze,
  async ({ sessionId, metrics, sensitivity }, host: JobHost<AnalysisContext>) => {
    const series = new Map<string, Series>();
    for (const [name, points] of Object.entries(metrics)) series.set(name, readPoints(name, points));
    const { now } = host.context;
    const random = createRandom({ now: () => now });
    const whole: Judgement = { analysisId: random.id("ana"), anomalies: [], verdicts: [] };
    const names = [...series.keys()];
    let answered = false;
    for (let start = 0; start < names.length; start += MAX_TOGETHER) {
      const { analysisId } = whole;
      const isLast = start + MAX_TOGETHER >= names.length;
      const judged = await judge(host, {
        names: names.slice(start, start + MAX_TOGETHER),
        series,
        sensitivity,
        analysisId,
        conclude: (results) => conclude(results, series, { analysisId, random, now, sessionId }),
        ...(isLast && { answer: (last) => answerOf(add(whole, last)) }),
      });
      Object.assign(whole, add(whole, judged.judgement));
      answered = judged.answered;
    }
    return answered ? undefined : answerOf(whole);
  },
);

function add({ anomalies, verdicts }: Judgement, more: Judgement): Judgement {
  return {
    analysisId: more.analysisId,
    anomalies: anomalies.concat(more.anomalies),
    verdicts: verdicts.concat(more.verdicts),
  };
}

function answerOf({ analysisId, anomalies, verdicts }: Judgement): Uint8Array<ArrayBuffer> {
  return jsonBytes({ analysisId, anomalies, series: Object.fromEntries(verdicts) });
}

interface Judging {
  names: readonly string[];
  series: ReadonlyMap<string, Series>;
  sensitivity: Sensitivity;
  analysisId: string;
  conclude: (results: readonly Concluded[]) => Conclusion;
  /** Builds the answer to the request; only set for the last metrics. */
  answer?: (judgement: Judgement) => Uint8Array<ArrayBuffer>;
}

async function judge(
  { ask }: JobHost<AnalysisContext>,
  { names, series, sensitivity, analysisId, conclude, answer: answering }: Judging,
): Promise<{ judgement: Judgement; answered: boolean }> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const known = await ask<KnownMetric[]>("known", names);
    const before = names.map((name, index) => {
      const { memory, seen } = known[index] as KnownMetric;
      const isAgain = beginsWith(series.get(name) as Series, seen);
      return isAgain ? { memory: seen.memory, anomalies: idsOf(seen) } : { memory, anomalies: [] };
    });
    const earlier = before.flatMap(({ anomalies }) => anomalies);
    const reported = new Map<string, AnomalyDocument>();
    for (let start = 0; start < earlier.length; start += MAX_KEPT) {
      const slice = await ask<Reported>("reported", earlier.slice(start, start + MAX_KEPT));
      for (const [id, document] of slice) reported.set(id, document);
    }
    const results = analyse({
      sensitivity,
      metrics: names.map((name, index) => {
        const { settings, weights } = known[index] as KnownMetric;
        const { memory } = before[index] as (typeof before)[number];
        return {
          name,
          ...(series.get(name) as Series),
          settings,
          weights,
          ...defined({ memory }),
        };
      }),
    }).map((result, index) => {
      const { anomalies } = before[index] as (typeof before)[number];
      return withReported(result, entriesOf(anomalies, reported));
    });
    const { found, around, anomalies, verdicts, ids } = conclude(results);
    const judgement = { analysisId, anomalies, verdicts };
    const answer = answering?.(judgement);
    const learned = results.map(({ name, memory }, index) => {
      const { memory: memoryBefore, anomalies: earlier } = before[index] as (typeof before)[number];
      return {
        name,
        memory,
        version: (known[index] as KnownMetric).version,
        // Earlier ones that are not reported now, as those dismissed, must be recognised next time too.
        seen: seen(series.get(name) as Series, memoryBefore, [
          ...new Set([...earlier, ...(ids[index] as string[])]),
        ]),
      };
    });
    const kept = await ask<boolean | Judgement>("keep", {
      learned,
      found: found.slice(0, MAX_KEPT),
      around,
      ...(answer && found.length <= MAX_KEPT ? { answer } : { kept: judgement }),
    });
    if (kept === false) continue;
    if (kept !== true) return { judgement: kept, answered: false };
    for (let start = MAX_KEPT; start < found.length; start += MAX_KEPT) {
      const isLast = start + MAX_KEPT >= found.length;
      await ask<boolean>("keep", {
        learned: [],
        found: found.slice(start, start + MAX_KEPT),
        ...(answer && isLast && { answer }),
      });
    }
    return { judgement, answered: answer !== undefined };
  }
  throw overloaded("Too many sessions send these metrics at once. Try again.", 1);
}

/** Returns the anomalies that still exist. */
function entriesOf(ids: readonly string[], reported: ReadonlyMap<string, AnomalyDocument>): Reported {
  return ids.flatMap((id) => {
    const document = reported.get(id);
    return document ? [[id, document] as const] : [];
  });
}
