import { type Alert, shortened } from "../../alerts/alert.ts";
import type { Reported } from "./already-seen.ts";

/** Metrics of one analysis that raise an alert: those with the strangest anomalies. */
const MAX_TOLD = 20;

/** Returns the alerts of an analysis: one per metric, for its strangest anomaly. */
export function foundAlerts(
  { accountId, projectId }: { accountId: string; projectId: string },
  found: Reported,
): Alert[] {
  const strangestFirst = found.toSorted(([, one], [, other]) => other.score - one.score);
  const metrics = [...new Set(strangestFirst.map(([, { metric }]) => metric))];
  return metrics.slice(0, MAX_TOLD).flatMap((metric): Alert[] => {
    const all = strangestFirst.filter(([, anomaly]) => anomaly.metric === metric);
    return all.slice(0, 1).map(([anomalyId, { kind, explanation }]) => ({
      type: "anomaly.found",
      accountId,
      subject: `${projectId}/${metric}`,
      data: {
        projectId,
        metric,
        anomalyId,
        kind,
        explanation: shortened(explanation),
        found: all.length,
      },
    }));
  });
}
