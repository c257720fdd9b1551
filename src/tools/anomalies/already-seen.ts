import { createHash } from "node:crypto";
import { defined } from "../../system/defined.ts";
import { idsFrom } from "../../system/random.ts";
import type { MetricResult } from "./detecting/analyse.ts";
import { MIN_POINTS } from "./detecting/detector.ts";
import type { AnomalyDocument, SeenDocument } from "./documents.ts";
import type { Series } from "./points.ts";

/** Maximum number of runs of anomalies, from the first on, that keep their ids when the same points are analysed again. */
const MAX_RUNS = 1000;

/** Anomalies with their ids. */
export type Reported = readonly (readonly [id: string, document: AnomalyDocument])[];

/**
 * Returns the record of an analysis by which a later one recognises the same points, with more after them,
 * and judges them as before.
 */
export function seen(series: Series, memory: string | undefined, anomalies: readonly string[]): SeenDocument {
  const points = series.values.length;
  return {
    points,
    digest: digestOf(series, points),
    ...defined({ memory }),
    anomalies: runsOf(anomalies).slice(0, MAX_RUNS),
  };
}

/** Returns the ids of the anomalies that an analysis reported. */
export function idsOf({ anomalies }: Pick<SeenDocument, "anomalies">): string[] {
  return anomalies.flatMap((run) => (typeof run === "string" ? [run] : idsFrom(...run)));
}

/**
 * Joins ids that follow each other, as those of one analysis do: there may be tens of thousands. Few are left as they
 * are, as instances of the version before read them.
 */
function runsOf(ids: readonly string[]): SeenDocument["anomalies"] {
  if (ids.length <= MAX_RUNS) return [...ids];
  const runs: [first: string, count: number][] = [];
  let next: string | undefined;
  for (const id of ids) {
    const run = runs.at(-1);
    if (run && id === next) run[1]++;
    else runs.push([id, 1]);
    next = idsFrom(id, 2)[1];
  }
  return runs;
}

/**
 * Whether a series begins with the points of the previous analysis. Values without times must also change
 * `MIN_POINTS` times, since few or constant values can be equal by chance.
 */
export function beginsWith(series: Series, before: SeenDocument | undefined): before is SeenDocument {
  if (!before || before.points === 0 || series.values.length < before.points) return false;
  return isTelling(series, before.points) && digestOf(series, before.points) === before.digest;
}

function isTelling({ values, times }: Series, points: number): boolean {
  let changes = 0;
  for (let at = 0; at < points; at++) {
    if (!Number.isNaN(times[at] as number)) return true;
    if (at > 0 && values[at] !== values[at - 1] && ++changes >= MIN_POINTS) return true;
  }
  return false;
}

function digestOf({ values, times }: Series, points: number): string {
  const hash = createHash("sha256");
  for (const numbers of [values, times]) hash.update(new Uint8Array(numbers.slice(0, points).buffer));
  return hash.digest("base64url");
}

/**
 * Removes findings that were reported for these points and dismissed since, and attaches the stored anomaly
 * to the other known ones.
 */
export function withReported(result: MetricResult, reported: Reported) {
  const known = new Map(reported.map((entry) => [`${entry[1].index} ${entry[1].kind}`, entry]));
  const entryOf = ({ index, kind }: MetricResult["findings"][number]) => known.get(`${index} ${kind}`);
  const findings = result.findings.filter((finding) => entryOf(finding)?.[1].state !== "dismissed");
  const verdict = result.verdict === "anomalous" && findings.length === 0 ? "ok" : result.verdict;
  return {
    ...result,
    findings: findings.map((finding) => ({ ...finding, entry: entryOf(finding) })),
    verdict,
  };
}
