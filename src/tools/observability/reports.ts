import type { AlertSink } from "../../alerts/alert.ts";
import { projectSpace, type Store } from "../../store/store.ts";
import type { Random } from "../../system/random.ts";
import { raiseGroupAlert } from "./group-alert.ts";
import { type Occurrence, occurrenceOf } from "./occurrence.ts";
import { record } from "./record.ts";
import type { ReportedError } from "./reported-error.ts";
import { createReporters, type ReportingKey } from "./reporters.ts";
import { withOriginals } from "./source-maps/restored.ts";
import type { SourceMaps } from "./source-maps/source-maps.ts";

/** A project that errors are reported to. */
export interface Project {
  accountId: string;
  projectId: string;
}

/** Takes the errors that client programs report, for the HTTP layer. */
export interface Reports {
  /** Returns the project of a key, or undefined if number and key do not belong together. */
  find(given: ReportingKey): Promise<Project | undefined>;
  /** Records errors. Resolves once they are durable. */
  take(project: Project, told: readonly ReportedError[]): Promise<Occurrence[]>;
}

export function createReports(ports: {
  store: Store;
  random: Random;
  sourceMaps: Pick<SourceMaps, "originals">;
  raise: AlertSink["raiseIn"];
}): Reports {
  const { store, sourceMaps, raise } = ports;
  const { find } = createReporters(ports);
  async function restored(project: Project, told: ReportedError): Promise<ReportedError> {
    const { places = [] } = told;
    if (places.length === 0) return told;
    return withOriginals(told, { places, originals: await sourceMaps.originals(project, places) });
  }

  return {
    find,
    async take(project, told) {
      const occurrences: Occurrence[] = [];
      for (const each of told) occurrences.push(occurrenceOf(await restored(project, each)));
      if (occurrences.length === 0) return occurrences;
      const space = projectSpace(project.accountId, project.projectId);
      await store.transact(async (tx) => {
        for (const occurrence of occurrences) {
          const turn = await record(tx, space, occurrence);
          if (turn) await raiseGroupAlert(raise, tx, project, turn);
        }
      });
      return occurrences;
    },
  };
}
