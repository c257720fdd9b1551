import { projectSpace, type Store } from "../../store/store.ts";
import type { Random } from "../../system/random.ts";
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

export function createReports(ports: { store: Store; random: Random }): Reports {
  const { store } = ports;
  const { find } = createReporters(ports);
  return {
    find,
    async take({ accountId, projectId }, occurrences) {
      if (occurrences.length === 0) return;
      const space = projectSpace(accountId, projectId);
      await store.transact(async (tx) => {
        for (const occurrence of occurrences) await record(tx, space, occurrence);
      });
    },
  };
}
