import { insufficientScope } from "../accounts/insufficient-scope.ts";
import { accounts, apiKeys, projects, users } from "../accounts/model.ts";
import { wholeAccount } from "../accounts/whole-account.ts";
import { allows, type Caller, runsServer } from "../contract/caller.ts";
import type { Handlers } from "../contract/endpoint.ts";
import { grants } from "../contract/gate.ts";
import { Problem } from "../contract/problem.ts";
import { type Catalogue, tierWith } from "../metering/plans.ts";
import { gatesOf, type Upstream } from "../metering/upstreams.ts";
import { bucketName } from "../metering/usage/buckets.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../store/store.ts";
import { type Clock, iso } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import { type CallerCalls, callsByAccount, callsByCaller, callsByTool } from "./calls/call-counters.ts";
import { toolUses } from "./calls/tool-uses.ts";
import { type gatewayContract, OTHERS, type UpstreamSummary, type UpstreamUse } from "./contract.ts";
import type { Rights } from "./gates.ts";
import type { UpstreamHealth } from "./upstream-health.ts";
import type { CircuitState } from "./upstreams/circuit.ts";

const STATES: Record<CircuitState, UpstreamSummary["state"]> = {
  closed: "up",
  open: "failing",
  "half-open": "trying",
};

/** The API's endpoints about upstreams. */
export function gatewayHandlers({
  store,
  clock,
  catalogue,
  rightsOf,
  healthOf,
  urlOf,
}: {
  store: Store;
  clock: Clock;
  catalogue: Pick<Catalogue, "tiers" | "upstreams">;
  rightsOf: (caller: Caller) => Promise<Rights>;
  healthOf: (upstream: string) => UpstreamHealth;
  urlOf: (upstream: string) => string;
}): Handlers<typeof gatewayContract> {
  const upstreams = catalogue.upstreams ?? [];

  function summary(upstream: Upstream, { features }: Rights): UpstreamSummary {
    const { name, title = name, description, url } = upstream;
    return {
      name,
      title,
      ...defined({ description }),
      url: urlOf(name),
      transport: url === undefined ? "stdio" : "http",
      state: STATES[healthOf(name).circuit],
      gated: gatesOf(upstream).map(({ gate, path: [kind, pattern = ""] }) => {
        const required = tierWith(catalogue, gate);
        return {
          kind: kind as "tools" | "prompts" | "resources",
          pattern,
          gate,
          ...defined({ requiredPlan: required?.id, requiredPlanName: required?.name }),
          allowed: grants(features, gate),
        };
      }),
    };
  }

  /** Returns the caller or, for an operator who asks about an account, one in that account without a project. */
  async function holderOf(caller: Caller, accountId: string | undefined): Promise<Caller> {
    if (accountId === undefined) return caller;
    wholeAccount(caller);
    // Also of one's own: all projects are read, of which an account may have thousands.
    if (!allows(caller.credential.scopes, "operator")) {
      throw insufficientScope("operator", 'What a whole account calls needs the scope "operator".');
    }
    const isThere = await store.transact((tx) => tx.has(accounts, GLOBAL, accountId));
    if (!isThere) throw new Problem("not_found", `There is no account "${accountId}".`);
    return { ...caller, accountId, projectNamed: false };
  }

  return {
    async listUpstreams({ accountId }, caller) {
      const rights = await rightsOf(await holderOf(caller, accountId));
      return { items: upstreams.map((upstream) => summary(upstream, rights)) };
    },

    async showUpstream(
      { upstream: name, month = bucketName("month", clock.now()), accountId: asked },
      caller,
    ) {
      const upstream = upstreams.find((each) => each.name === name);
      if (!upstream) throw new Problem("not_found", `There is no MCP server "${name}" behind this one.`);
      const holder = await holderOf(caller, asked);
      const rights = await rightsOf(holder);
      const { accountId, projectId, credential } = holder;
      const seesAll = asked === undefined && runsServer(credential);
      return store.transact(async (tx) => {
        const projectIds =
          asked === undefined ? [projectId] : await tx.ids(projects, accountSpace(accountId));
        const callers = await callersIn(tx, month, { upstream: name, accountId, projectIds });
        const shown = {
          upstream: summary(upstream, rights),
          month,
          callers: await shownTo(tx, holder, callers),
        };
        if (!seesAll) return shown;
        const [tools, using] = await Promise.all([
          callsByTool(tx, month, name),
          callsByAccount(tx, month, name),
        ]);
        const { lastFailure } = healthOf(name);
        return {
          ...shown,
          ...(lastFailure && { lastFailure: { ...lastFailure, at: iso(lastFailure.at) } }),
          tools: toolUses(tools),
          accounts: await Promise.all(
            using.map(async ({ accountId: id, count }) => ({
              id,
              name: (await tx.get(accounts, GLOBAL, id))?.name ?? id,
              calls: count,
            })),
          ),
        };
      });
    },
  };
}

/** Returns the calls by tool and caller, those of several projects added up. */
async function callersIn(
  tx: Transaction,
  month: string,
  { upstream, accountId, projectIds }: { upstream: string; accountId: string; projectIds: readonly string[] },
): Promise<CallerCalls[]> {
  const sums = new Map<string, CallerCalls>();
  for (const projectId of projectIds) {
    for (const calls of await callsByCaller(tx, month, { upstream, accountId, projectId })) {
      const key = `${calls.who}/${calls.tool}`;
      sums.set(key, { ...calls, count: calls.count + (sums.get(key)?.count ?? 0) });
    }
  }
  return [...sums.values()];
}

type ShownCaller = UpstreamUse["callers"][number];

/** Names the callers. Members see who they are themselves, and what all others called together, as in usage. */
async function shownTo(
  tx: Transaction,
  { accountId, userId, credential }: Caller,
  callers: readonly CallerCalls[],
): Promise<ShownCaller[]> {
  const people = await peopleOf(tx, accountId, new Set(callers.map(({ who }) => who)));
  const seesOthers = allows(credential.scopes, "admin");
  const shown = new Map<string, ShownCaller>();
  for (const { tool, who, count } of callers) {
    const person = people.get(who);
    const isSeen = seesOthers || person?.userId === userId;
    const as = isSeen ? { tool, who, ...defined({ name: person?.name }) } : { tool, who: OTHERS };
    const key = `${as.who}/${tool}`;
    shown.set(key, { ...as, calls: count + (shown.get(key)?.calls ?? 0) });
  }
  return [...shown.values()];
}

/** Returns who keys and users are, by id: a key's name or a user's e-mail address, unless they were deleted. */
async function peopleOf(
  tx: Transaction,
  accountId: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, { name?: string | undefined; userId?: string | undefined }>> {
  const space = accountSpace(accountId);
  const found = [...ids].map(async (id) => {
    const [key, user] = await Promise.all([tx.get(apiKeys, space, id), tx.get(users, space, id)]);
    return [id, { name: key?.name ?? user?.email, userId: key?.userId ?? user?.id }] as const;
  });
  return new Map(await Promise.all(found));
}
