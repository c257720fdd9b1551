import { type Alert, shortened } from "../../alerts/alert.ts";
import type { Reported } from "./already-seen.ts";

/** Metrics of one analysis that are told of: the strangest. */
const MAX_TOLD = 20;

/** What the people of a project hear of an analysis: of each metric its strangest anomaly. */
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
