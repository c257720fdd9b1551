import { hash } from "node:crypto";
import type { Projects } from "../../accounts/projects/projects.ts";
import { type Caller, lastingIdOf } from "../../contract/caller.ts";
import { isPrintable } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { MonthlyUses, UseLimits } from "../../metering/limits/use-limits.ts";
import type { ToolRuleOf } from "../../metering/upstreams.ts";
import { countedProject } from "../../metering/usage/counted-project.ts";
import { countUse } from "../../metering/usage/counters.ts";
import { originOf } from "../../metering/usage/origins.ts";
import { collection, projectSpace, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { Message } from "../message.ts";
import { type CallOutcome, countCall, UNLISTED } from "./call-counters.ts";

/** In the project's space, by digest of what identifies a call: how often it was repeated. */
export const repeatedCalls = collection<number>("mcp_repeated_calls");

/** How long a repeated request counts as the same call. */
const REPEATED_MS = 2 * MINUTE_MS;
/** Free repeats of one request. A client that keeps sending the same id is charged again after that. */
const MAX_REPEATS = 4;

/** A call in progress. */
export interface MeteredCall {
  caller: Caller;
  upstream: string;
  /** The client's request, with the name by which the client calls the tool. */
  message: Message;
  /** The name that the call is counted under. */
  tool: string;
  rule: ToolRuleOf;
  /** The client's session. Request ids start over in each session. */
  session: string | undefined;
  /** The project that it counts in. A caller without the write scope cannot create one by naming it. */
  projectId: string;
  /** Monotonic milliseconds. */
  startedAt: number;
}

/** Counts each tool call once, durably before its answer ends. */
export interface CallMeter {
  /** Returns the project that a caller's calls count in, as `countedProject` does. */
  projectOf(caller: Caller): Promise<string>;
  /**
   * Keeps room for a call in what its account may use in this month. Returns what gives it back, for when it is counted.
   * Throws `rate_limited`.
   */
  reserve(call: MeteredCall): Promise<() => void>;
  /** @param options.isSent whether the upstream has got the call. */
  count(call: MeteredCall, outcome: CallOutcome, options: { isSent: boolean }): Promise<void>;
}

export function createCallMeter({
  store,
  clock,
  useLimits,
  getOrCreateProject,
  onCounted,
}: {
  store: Store;
  clock: Clock;
  useLimits: Pick<UseLimits, "of" | "reserve" | "watch">;
  getOrCreateProject: Projects["getOrCreate"];
  /** Called with what was counted. */
  onCounted: (type: string, count: number) => void;
}): CallMeter {
  /** Calls that are under way as free repeats. */
  const free = new WeakSet<MeteredCall>();

  /** Takes one of a call's free repeats, so that no more pass at once than there are. Returns whether one was left. */
  function takeRepeat(call: MeteredCall): Promise<boolean> {
    return store.transact(async (tx) => {
      const { id, repeats, isRepeat } = await repeatsOf(tx, call);
      if (isRepeat) await remember(tx, call, id, repeats + 1);
      return isRepeat;
    });
  }

  async function remember(tx: Transaction, { caller, projectId }: MeteredCall, id: string, repeats: number) {
    const space = projectSpace(caller.accountId, projectId);
    await tx.put(repeatedCalls, space, id, repeats, { expiresAt: clock.now() + REPEATED_MS });
  }

  return {
    projectOf: (caller) => countedProject({ store, getOrCreateProject }, caller),

    async reserve(call) {
      const { usage, cost } = call.rule;
      if (usage === false || cost === 0) return () => {};
      try {
        return await useLimits.reserve(call.caller.accountId, usage, cost);
      } catch (error) {
        if (!(error instanceof Problem && (await takeRepeat(call)))) throw error;
        free.add(call);
        return () => {};
      }
    },

    async count(call, outcome, { isSent }) {
      const { caller, upstream, tool, rule, projectId, startedAt } = call;
      const { accountId, userId, credential } = caller;
      const at = clock.now();
      const ms = clock.monotonic() - startedAt;
      const counted = {
        upstream,
        tool,
        accountId,
        projectId,
        who: credential.kind === "api_key" ? credential.id : userId,
        outcome,
        ms,
        at,
      };
      const use = counts(rule, outcome, isSent) ? rule.usage : false;
      let uses: MonthlyUses | undefined;
      const cost = await store.transact(async (tx) => {
        await countCall(tx, counted);
        if (use === false || rule.cost === 0 || free.has(call)) return 0;
        const { id, repeats, isRepeat } = await repeatsOf(tx, call);
        await remember(tx, call, id, isRepeat ? repeats + 1 : 0);
        if (isRepeat) return 0;
        const origin = originOf({ ...caller, projectId });
        origin.tool = `${upstream}/${isPrintable(tool) ? tool : UNLISTED}`;
        const { accountMonth } = await countUse(tx, { type: use, count: rule.cost, at, origin });
        uses = await useLimits.of(tx, accountId, use, accountMonth);
        return rule.cost;
      });
      if (uses) useLimits.watch(accountId, [uses]);
      if (use !== false && cost > 0) onCounted(use, cost);
    },
  };
}

/** Returns under which id a call is remembered, how often it was repeated, and whether it is a free repeat. */
async function repeatsOf(tx: Transaction, call: MeteredCall) {
  const id = identityOf(call);
  const repeats = await tx.get(repeatedCalls, projectSpace(call.caller.accountId, call.projectId), id);
  return { id, repeats: repeats ?? 0, isRepeat: repeats !== undefined && repeats < MAX_REPEATS };
}

/** Whether an outcome is charged. Cancelled calls are if they were sent, because the upstream has done the work. */
function counts({ countErrors }: ToolRuleOf, outcome: CallOutcome, isSent: boolean): boolean {
  if (outcome === "ok") return true;
  if (outcome === "cancelled") return isSent;
  return countErrors && (outcome === "error" || outcome === "failed");
}

/** Returns a digest that identifies a call: credential, session, id and params. `_meta` may differ. */
function identityOf({ caller, upstream, session, message }: MeteredCall): string {
  const { _meta, ...params } = message.params;
  const parts = [lastingIdOf(caller.credential), upstream, session ?? "", message.id, message.method, params];
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 22);
}
