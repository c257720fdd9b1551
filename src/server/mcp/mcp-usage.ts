import type { Projects } from "../../accounts/projects/projects.ts";
import type { Caller } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import type { UseLimits } from "../../metering/limits/use-limits.ts";
import { countedProject } from "../../metering/usage/counted-project.ts";
import { countUse } from "../../metering/usage/counters.ts";
import { originOf } from "../../metering/usage/origins.ts";
import type { Store } from "../../store/store.ts";
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
  /** An archived project can still be read. Nothing is written to it, not even that. */
  async function projectOf(caller: Caller): Promise<string> {
    try {
      return await countedProject({ store, getOrCreateProject }, caller);
    } catch (error) {
      if (error instanceof Problem && error.error === "project_archived") return "default";
      throw error;
    }
  }

  async function count(caller: Caller, endpoint: string): Promise<void> {
    const projectId = await projectOf(caller);
    const origin = { ...originOf({ ...caller, projectId }), tool: endpoint };
    const at = clock.now();
    const uses = await store.transact(async (tx) => {
      const { accountMonth } = await countUse(tx, { type: TYPE, count: 1, at, origin });
      return useLimits.of(tx, caller.accountId, TYPE, accountMonth);
    });
    onCounted(TYPE, 1);
    if (uses) useLimits.watch(caller.accountId, [uses]);
  }

  return { count, reserve: (accountId) => useLimits.reserve(accountId, TYPE, 1) };
}
