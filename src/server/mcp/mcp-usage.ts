import { projects } from "../../accounts/model.ts";
import type { Projects } from "../../accounts/projects/projects.ts";
import { allows, type Caller } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { countUse } from "../../metering/usage/counters.ts";
import { originOf } from "../../metering/usage/origins.ts";
import { accountSpace, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";

/** Counts a use of `mcp_calls` for the caller's project and an endpoint. */
export type CountMcpCall = (caller: Caller, endpoint: string) => Promise<void>;

export function createMcpUsage({
  store,
  clock,
  getOrCreateProject,
  onCounted,
}: {
  store: Store;
  clock: Clock;
  getOrCreateProject: Projects["getOrCreate"];
  /** Called with what was counted. */
  onCounted: (type: string, count: number) => void;
}): CountMcpCall {
  return async (caller, endpoint) => {
    const { accountId, projectId, credential } = caller;
    const makes = allows(credential.scopes, "write");
    try {
      if (makes) await getOrCreateProject(accountId, projectId);
    } catch (error) {
      // An archived project can still be read.
      if (error instanceof Problem && error.error === "project_archived") return;
      throw error;
    }
    const at = clock.now();
    const isCounted = await store.transact(async (tx) => {
      // A caller that may only read creates no project by reading a missing one, and nothing is counted for it.
      const counts =
        makes || projectId === "default" || (await tx.get(projects, accountSpace(accountId), projectId));
      if (!counts) return false;
      await countUse(tx, {
        type: "mcp_calls",
        count: 1,
        at,
        origin: { ...originOf(caller), tool: endpoint },
      });
      return true;
    });
    if (isCounted) onCounted("mcp_calls", 1);
  };
}
