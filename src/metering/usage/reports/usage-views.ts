import { placeAt } from "../../../accounts/page.ts";
import type { Caller } from "../../../contract/caller.ts";
import type { Store } from "../../../store/store.ts";
import { cachedFor } from "../../../system/caching.ts";
import type { Clock } from "../../../system/clock.ts";
import type { Granularity, UsageType } from "../../contract.ts";
import type { Dimension, Group } from "../groups.ts";
import { shownNameOf } from "./group-names.ts";
import { addingTurns, groupedReports } from "./grouped-report.ts";
import { selectionOf, shown } from "./grouped-usage.ts";
import type { UsageGroup } from "./report-contract.ts";
import { type UsagePoint, usageSeries } from "./series.ts";

/** A selection of usage in a range of whole buckets. An absent member does not restrict it. */
export interface UsageQuestion {
  granularity: Granularity;
  /** Milliseconds since the epoch; `to` is exclusive. */
  from: number;
  to: number;
  type?: UsageType | undefined;
  /** The caller's own by default. Only operators may name another. */
  accountId?: string | undefined;
  projectId?: string | undefined;
  keyId?: string | undefined;
  userId?: string | undefined;
  tool?: string | undefined;
}

export type GroupSort = "total" | "refused" | UsageType;

export interface GroupsQuestion extends UsageQuestion {
  by: Dimension;
  /** Sorts groups by this figure, largest first unless `ascending`. */
  sort: GroupSort;
  ascending?: boolean;
  limit: number;
  cursor?: string | undefined;
}

export interface GroupsPage {
  groups: UsageGroup[];
  nextCursor?: string;
  /** Number of all groups. */
  count: number;
  total: number;
  refused: number;
  totals: Record<UsageType, number>;
}

type Who = Pick<Caller, "accountId" | "userId" | "credential">;

/**
 * Usage as shown on pages. Access is as in `GET /api/v1/usage` with `groupBy`: members see their own usage, admins
 * their account's, operators that of the account they name. Answers are cached for some seconds, because open pages
 * poll every few seconds.
 */
export interface UsageViews {
  series(who: Who, question: UsageQuestion): Promise<readonly UsagePoint[]>;
  groups(who: Who, question: GroupsQuestion): Promise<GroupsPage>;
}

export function createUsageViews({
  store,
  clock,
}: {
  store: Pick<Store, "transact">;
  clock: Pick<Clock, "now">;
}): UsageViews {
  const report = groupedReports(store);
  const turns = addingTurns();
  const keptSeries = cachedFor<readonly UsagePoint[]>(clock, { forMs: 4000, most: 200 });
  const keptGroups = cachedFor<GroupsPage>(clock, { forMs: 4000, most: 200 });

  return {
    async series(who, question) {
      const { accountId = who.accountId, ...selected } = await selectionOf(store, question, who);
      const selection = { ...selected, accountId };
      const { granularity, from, to } = question;
      const asked = { selection, granularity, from, to };
      return keptSeries(JSON.stringify(asked), () =>
        turns.run(who.accountId, () => usageSeries(store, asked)),
      );
    },
    async groups(who, { by, sort, ascending = false, limit, cursor, from, to, ...question }) {
      const selection = await selectionOf(store, question, who);
      const asked = { selection, dimensions: [by], from, to };
      const after = cursor === undefined ? undefined : placeAt(cursor);
      return keptGroups(JSON.stringify([asked, sort, ascending, limit, after]), async () => {
        const groups = await report(who.accountId, asked);
        const { totals } = groups;
        const turn = ascending ? 1 : -1;
        const rank = (group: Group) => [turn * of(group, sort)];
        const { items, ...next } = await groups.page({ limit, rank, after });
        const named = await store.transact((tx) =>
          Promise.all(
            items.map((group) => shown(group, [by], (name, { origin }) => shownNameOf(tx, name, origin))),
          ),
        );
        const { counts, total, refused } = totals;
        return { groups: named, ...next, count: groups.size, total, refused, totals: counts };
      });
    },
  };
}

function of(group: Group, sort: GroupSort): number {
  return sort === "total" || sort === "refused" ? group[sort] : group.counts[sort];
}
