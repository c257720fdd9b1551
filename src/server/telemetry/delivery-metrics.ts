import type { Registry } from "prom-client";
import type { Sender } from "../../alerts/sender.ts";
import type { Post } from "../../mail/post.ts";
import { cachedFor } from "../../system/caching.ts";
import { systemClock } from "../../system/clock.ts";
import { gauge } from "./gauge.ts";

export interface DeliveryFigures {
  /** Returns the letters in progress; undefined if no mail is configured. */
  letters: () => ReturnType<Post["underWay"]> | undefined;
  webhooks: Sender["overdue"];
}

/** Adds gauges of the letters and alerts that wait to be sent. */
export function addDeliveryMetrics(registry: Registry, { letters, webhooks }: DeliveryFigures): void {
  gauge(registry, "letters_waiting", "Letters on their way to the mail server.", [], () => [
    [{}, letters()?.letters ?? 0],
  ]);
  gauge(registry, "letters_oldest_seconds", "For how long the oldest of them has been.", [], () => [
    [{}, (letters()?.oldestMs ?? 0) / 1000],
  ]);
  type Overdue = Awaited<ReturnType<Sender["overdue"]>>;
  // Both gauges of a scrape use one reading.
  const look = cachedFor<Overdue>(systemClock, { forMs: 1_000, most: 1 });
  const overdue = (measure: (late: Overdue) => number) => async () => {
    const value = await look("overdue", webhooks).then(measure, () => Number.NaN);
    return [[{}, value]] as [Record<string, string>, number][];
  };
  gauge(
    registry,
    "alert_queues_overdue",
    "Webhooks and accounts' letters of alerts whose time has come and that no server works on, 1000 at most.",
    [],
    overdue(({ queues }) => queues),
  );
  gauge(
    registry,
    "alert_queues_overdue_seconds",
    "How late the first of them is.",
    [],
    overdue(({ oldestMs }) => oldestMs / 1000),
  );
}
