import { projects } from "../../../accounts/model.ts";
import { invalidRequest } from "../../../contract/faults.ts";
import { accountSpace, projectSpace, type Store } from "../../../store/store.ts";
import { othersFirst } from "../../../system/others-first.ts";
import type { UsageType } from "../../contract.ts";
import { countsBetween } from "../counters.ts";
import { countsByOrigin, type OriginCounts } from "../origins.ts";
import type { Stretch } from "./cover.ts";

/** Counters by origin that one answer may read. */
const MAX_COUNTERS = 500_000;
/** Counters read at a time. */
const SLICE = 2000;
/** Projects whose totals are read at a time. A project has a few hundred counters in any range. */
const PROJECTS = 10;

export interface ProjectCount {
  projectId: string;
  bucket: string;
  type: UsageType;
  count: number;
}

/** Reads the counters for one answer in parts, between which other requests can run. */
export interface UsageReading {
  /** Yields the counts by origin. Throws `invalid_request` if the answer reads too many counters. */
  byOrigin(accountId: string, stretch: Stretch): AsyncGenerator<OriginCounts["uses"]>;
  /** Yields the totals of one or all projects, regardless of origin. */
  byProject(
    accountId: string,
    projectId: string | undefined,
    stretches: readonly Stretch[],
  ): AsyncGenerator<ProjectCount[]>;
}

export function openReading(store: Pick<Store, "transact">): UsageReading {
  let read = 0;
  return {
    async *byOrigin(accountId, stretch) {
      let after: string | undefined;
      do {
        const part = await store.transact((tx) =>
          countsByOrigin(tx, accountId, stretch, { after, limit: SLICE }),
        );
        read += part.uses.length;
        if (read > MAX_COUNTERS) throw invalidRequest([{ path: "from", message: TOO_MANY }]);
        yield part.uses;
        after = part.after;
        await othersFirst();
      } while (after !== undefined);
    },
    async *byProject(accountId, projectId, stretches) {
      const ids =
        projectId === undefined
          ? await store.transact((tx) => tx.ids(projects, accountSpace(accountId)))
          : [projectId];
      for (let at = 0; at < ids.length; at += PROJECTS) {
        const some = ids.slice(at, at + PROJECTS);
        const parts = await store.transact((tx) =>
          Promise.all(
            some.flatMap((id) =>
              stretches.map(async (stretch) => {
                const counts = await countsBetween(
                  tx,
                  projectSpace(accountId, id),
                  stretch.granularity,
                  stretch,
                );
                return counts.map((each) => ({ projectId: id, ...each }));
              }),
            ),
          ),
        );
        yield parts.flat();
        await othersFirst();
      }
    },
  };
}

const TOO_MANY = `takes more than ${MAX_COUNTERS} counters to add up. Ask for a shorter range, or for whole months`;
