import { projects } from "../../accounts/model.ts";
import type { Projects } from "../../accounts/projects/projects.ts";
import { allows, type Caller } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { countUse } from "../../metering/usage/counters.ts";
import { originOf } from "../../metering/usage/origins.ts";
import type { MonthlyUses, UseLimits } from "../../metering/use-limits.ts";
import { accountSpace, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";

/** What calls of the server's own tools count as. */
const TYPE = "mcp_calls";

export interface McpUsage {
  /** Keeps room for a call, as `UseLimits.reserve` does. */
  reserve(accountId: string): Promise<() => void>;
  /** Counts a call of an endpoint for the caller's project. */
  count(caller: Caller, endpoint: string): Promise<void>;
}

export function createMcpUsage({
  store,
  clock,
  useLimits,
  getOrCreateProject,
  onCounted,
}: {
  store: Store;
  clock: Clock;
  useLimits: UseLimits;
  getOrCreateProject: Projects["getOrCreate"];
  /** Called with what was counted. */
  onCounted: (type: string, count: number) => void;
}): McpUsage {
  async function count(caller: Caller, endpoint: string): Promise<void> {
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
    let uses: MonthlyUses | undefined;
    const isCounted = await store.transact(async (tx) => {
      // A caller that may only read creates no project by reading a missing one, and nothing is counted for it.
      const counts =
        makes || projectId === "default" || (await tx.get(projects, accountSpace(accountId), projectId));
      if (!counts) return false;
      const origin = { ...originOf(caller), tool: endpoint };
      const { accountMonth } = await countUse(tx, { type: TYPE, count: 1, at, origin });
      uses = await useLimits.of(tx, accountId, TYPE, accountMonth);
      return true;
    });
    if (isCounted) onCounted(TYPE, 1);
    if (uses) useLimits.watch(accountId, [uses]);
  }

  return { count, reserve: (accountId) => useLimits.reserve(accountId, TYPE, 1) };
}
