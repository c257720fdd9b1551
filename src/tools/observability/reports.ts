import { projectSpace, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import type { Envelope } from "./envelope.ts";
import { occurrenceOf } from "./occurrence.ts";
import { record } from "./record.ts";
import { createReporters, type ReportingKey } from "./reporters.ts";
import { toldBy } from "./sentry-event.ts";

/** A project that errors are reported to. */
export interface Project {
  accountId: string;
  projectId: string;
}

/** Errors that client programs report, as who knows HTTP needs it. */
export interface Reports {
  /** Whose key it is; undefined where number and key don't belong together. */
  find(given: ReportingKey): Promise<Project | undefined>;
  /** Resolves once they are durable. */
  take(project: Project, events: Envelope["events"]): Promise<void>;
}

export function createReports(ports: { store: Store; clock: Clock; random: Random }): Reports {
  const { store, clock } = ports;
  const { find } = createReporters(ports);
  return {
    find,
    async take({ accountId, projectId }, events) {
      const now = clock.now();
      const occurrences = events.map((event) => occurrenceOf(toldBy(event, now)));
      if (occurrences.length === 0) return;
      const space = projectSpace(accountId, projectId);
      await store.transact(async (tx) => {
        for (const occurrence of occurrences) await record(tx, space, occurrence);
      });
    },
  };
}
