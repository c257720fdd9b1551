import { Problem } from "../../../contract/problem.ts";
import type { Kind } from "../kind.ts";
import { packed, unpacked } from "../packed.ts";
import type { Series } from "../points.ts";
import { NUMBERS } from "./counter.ts";
import { createDetector, type Finding, MIN_POINTS, type Settings } from "./detector.ts";
import type { Expectation } from "./expectation.ts";
import { lengthOf, memoryOver } from "./memory.ts";
import { ADDED } from "./week.ts";

/** Minimum strangeness that is reported, by sensitivity. */
const REPORTED = { low: 1.6, medium: 1, high: 0.6 } as const;
/**
 * Maximum number of findings of one metric. Only settings can lead to more, such as a threshold amid the
 * usual values.
 */
const MAX_FINDINGS = 50_000;

export interface MetricInput extends Series {
  name: string;
  /** What was learned from earlier sessions. */
  memory?: string;
  settings: Settings;
  /** Factors for the strangeness of findings by kind, 1 by default. */
  weights: Partial<Record<Kind, number>>;
}

export interface MetricResult {
  name: string;
  findings: (Finding & { index: number })[];
  memory: string;
  verdict: "ok" | "anomalous" | "insufficient_data";
  baseline: Expectation | null;
}

const MEMORY_LENGTH = lengthOf(createDetector);
/** The same of earlier versions: the last numbers are of what was added since. */
const LENGTH_BEFORE = MEMORY_LENGTH - ADDED - NUMBERS;

/** Judges the points of each metric in turn. Throws `Problem` `unprocessable` if one has more than `MAX_FINDINGS`. */
export function analyse({
  metrics,
  sensitivity,
}: {
  metrics: readonly MetricInput[];
  sensitivity: keyof typeof REPORTED;
}): MetricResult[] {
  return metrics.map((metric) => analyseMetric(metric, REPORTED[sensitivity]));
}

function analyseMetric(
  { name, values, times, memory, settings, weights }: MetricInput,
  least: number,
): MetricResult {
  const numbers = unpacked(memory, MEMORY_LENGTH, LENGTH_BEFORE);
  const detector = createDetector(memoryOver(numbers));
  const findings: MetricResult["findings"] = [];
  detector.begin();
  for (let index = 0; index < values.length; index++) {
    const found = detector.judge(values[index] as number, times[index] as number, settings);
    for (const finding of found) {
      const weight = weights[finding.kind] ?? 1;
      const strangeness = finding.strangeness * weight;
      // A recurrence of a kind that was dismissed is not reported.
      if (finding.again && weight < 1) continue;
      if (strangeness >= least || wasAskedFor(finding)) findings.push({ ...finding, strangeness, index });
    }
    if (findings.length > MAX_FINDINGS) {
      throw new Problem(
        "unprocessable",
        `More than ${MAX_FINDINGS} points of "${name}" are beyond what was set for it. Change its settings, or send fewer points.`,
      );
    }
  }
  const known = detector.seen() >= MIN_POINTS;
  return {
    name,
    findings,
    memory: packed(numbers),
    verdict: !known ? "insufficient_data" : findings.length > 0 ? "anomalous" : "ok",
    baseline: detector.expectation() ?? null,
  };
}

/** Whether a setting asks for the finding. It is then reported regardless of sensitivity and dismissals. */
function wasAskedFor({ threshold, pause }: Finding): boolean {
  return threshold !== undefined || pause?.allowedMs !== undefined;
}
