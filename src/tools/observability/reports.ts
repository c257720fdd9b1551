import type { AlertSink } from "../../alerts/alert.ts";
import { projectSpace, type Store } from "../../store/store.ts";
import type { Random } from "../../system/random.ts";
import { raiseGroupAlert } from "./group-alert.ts";
import type { Occurrence } from "./occurrence.ts";
import { record } from "./record.ts";
import { createReporters, type ReportingKey } from "./reporters.ts";

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
  take(project: Project, occurrences: readonly Occurrence[]): Promise<void>;
}

export function createReports(ports: { store: Store; random: Random; raise: AlertSink["raiseIn"] }): Reports {
  const { store, raise } = ports;
  const { find } = createReporters(ports);
  return {
    find,
    async take(project, occurrences) {
      if (occurrences.length === 0) return;
      const space = projectSpace(project.accountId, project.projectId);
      await store.transact(async (tx) => {
        for (const occurrence of occurrences) {
          const turn = await record(tx, space, occurrence);
          if (turn) await raiseGroupAlert(raise, tx, project, turn);
        }
      });
    },
  };
}
