import type { Projects } from "../accounts/projects/projects.ts";
import { wholeAccount } from "../accounts/whole-account.ts";
import { type Handlers, Reply } from "../contract/endpoint.ts";
import { jsonText } from "../contract/json-text.ts";
import { type Store, spaceOf } from "../store/store.ts";
import { type Clock, iso } from "../system/clock.ts";
import type { Random } from "../system/random.ts";
import type { meteringContract } from "./contract.ts";
import type { createEntitlements } from "./entitlements.ts";
import { type BoundsPorts, boundsReport, shownUses } from "./limits/bounds-report.ts";
import type { MonthlyUses, UseLimits } from "./limits/use-limits.ts";
import { type Catalogue, mayUse, requiredTier } from "./plans.ts";
import type { PublishedKey } from "./signing-keys/key-ring.ts";
import type { SigningKeys } from "./signing-keys/signing-keys.ts";
import { recordBatch } from "./usage/batch.ts";
import { countUse } from "./usage/counters.ts";
import { originOf } from "./usage/origins.ts";
import { groupedReports } from "./usage/reports/grouped-report.ts";
import { groupedUsage, refuseWithoutGroups } from "./usage/reports/grouped-usage.ts";
import { usageReport } from "./usage/reports/report.ts";
import { namedTools, toolIn } from "./usage/tool-names.ts";

export function meteringHandlers({
  store,
  bounded,
  clock,
  random,
  catalogue,
  entitlements,
  projects,
  signingKeys,
  computeUse,
  openStreams,
  useLimits,
  onCounted,
}: Pick<BoundsPorts, "computeUse" | "openStreams"> & {
  /** Unbounded: counting current uses is never refused for lack of room. */
  store: Store;
  /** Bounded: a batch creates counters for any hour of 90 days, and its ids are stored. */
  bounded: Store;
  clock: Clock;
  random: Random;
  catalogue: Catalogue;
  entitlements: ReturnType<typeof createEntitlements>;
  projects: Pick<Projects, "getOrCreate">;
  signingKeys: Pick<SigningKeys, "list" | "rotate">;
  useLimits: UseLimits;
  /** Called with what was counted. */
  onCounted: (type: string, count: number) => void;
}): Handlers<typeof meteringContract> {
  const agents = catalogue.agents.map((agent) => ({
    ...agent,
    requiredTier: requiredTier(catalogue, agent).id,
  }));

  const grouped = groupedReports(store);

  return {
    async track({ type, count, metadata }, caller) {
      const { accountId, projectId } = caller;
      await projects.getOrCreate(accountId, projectId);
      const origin = { ...originOf(caller), tool: toolIn(metadata) };
      const use = { type, count, at: clock.now(), origin };
      let uses: MonthlyUses | undefined;
      const answer = await store.transact(async (tx) => {
        const [named = use] = await namedTools(tx, [use]);
        const { accountMonth, ...total } = await countUse(tx, named);
        uses = await useLimits.of(tx, accountId, type, accountMonth);
        return {
          recorded: true as const,
          type,
          count,
          projectId,
          total,
          ...(uses && { uses: shownUses(uses) }),
        };
      }, caller.answer);
      onCounted(type, count);
      if (uses) useLimits.watch(accountId, [uses]);
      return answer;
    },

    async recordBatch(batch, caller) {
      await projects.getOrCreate(caller.accountId, caller.projectId);
      const batchId = batch.batch?.id ?? random.id("batch");
      const request = { batchId, now: clock.now(), seed: random.bytes(16).toString("base64url") };
      let counted: Record<string, number> = {};
      let uses: MonthlyUses[] = [];
      const answer = await bounded.transact(async (tx) => {
        const { answer, replayed } = await recordBatch(tx, originOf(caller), batch, request);
        counted = replayed ? {} : answer.usage;
        uses = replayed ? [] : await useLimits.all(tx, caller.accountId);
        return replayed ? new Reply(answer, { headers: { "Idempotent-Replayed": "true" } }) : answer;
      }, caller.answer);
      for (const [type, count] of Object.entries(counted)) onCounted(type, count);
      useLimits.watch(caller.accountId, uses);
      return answer;
    },

    async showUsage(question, caller) {
      const { type } = question;
      if (question.groupBy !== undefined) {
        return groupedUsage({ store, report: grouped, now: clock.now() }, question, caller);
      }
      refuseWithoutGroups(question);
      const asked = { ...question, type: type === "refused" ? undefined : type };
      const report = await store.transact((tx) => usageReport(tx, spaceOf(caller), asked, clock.now()));
      const { series, points, ...rest } = report;
      const answer = { ...rest, projectId: caller.projectId };
      if (points <= MAX_POINTS_AT_ONCE) return { ...answer, series: [...series].flat() };
      return Reply.raw(jsonText({ ...answer, series }));
    },

    showBounds: (_input, caller) =>
      boundsReport({ store, catalogue, computeUse, openStreams, useLimits }, caller),

    resolveEntitlements: (_input, caller) => entitlements.resolve(caller),
    resolveEntitlementsFor: (_input, caller) => entitlements.resolve(caller),

    async listAgents(_input, caller) {
      const features = await entitlements.features(caller);
      return { items: agents.map((agent) => ({ ...agent, allowed: mayUse(features, agent) })) };
    },

    async listSigningKeys(_input, caller) {
      wholeAccount(caller);
      return { items: (await signingKeys.list()).map(shownKey) };
    },
    async rotateSigningKey(_input, caller) {
      wholeAccount(caller);
      return shownKey(await signingKeys.rotate(caller));
    },
  };
}

/** A longer series is sent in pieces, because serialising thousands of points at once would block other requests. */
const MAX_POINTS_AT_ONCE = 1000;

function shownKey({ algorithm, createdAt, isCurrent, kid }: PublishedKey) {
  return { kid, alg: algorithm, createdAt: iso(createdAt), current: isCurrent };
}
