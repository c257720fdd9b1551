import { projects } from "../../accounts/model.ts";
import type { Projects } from "../../accounts/projects.ts";
import { allows, type Caller } from "../../contract/caller.ts";
import { countUse } from "../../metering/usage/counters.ts";
import { accountSpace, projectSpace, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";

/** Counts one `mcp_calls` of the caller's project. */
export type CountMcpCall = (caller: Caller) => Promise<void>;

export function createMcpUsage({
  store,
  clock,
  getOrCreateProject,
}: {
  store: Store;
  clock: Clock;
  getOrCreateProject: Projects["getOrCreate"];
}): CountMcpCall {
  return async ({ accountId, projectId, credential }) => {
    const makes = allows(credential.scopes, "write");
    if (makes) await getOrCreateProject(accountId, projectId);
    const at = clock.now();
    await store.transact(async (tx) => {
      // Who may only read makes no project by reading one that is not there, and counts for none.
      const counts =
        makes || projectId === "default" || (await tx.get(projects, accountSpace(accountId), projectId));
      if (!counts) return;
      await countUse(tx, projectSpace(accountId, projectId), { type: "mcp_calls", count: 1, at });
    });
  };
}
