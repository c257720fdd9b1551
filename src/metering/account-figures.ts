import { type Account, accounts, accountUses, projects } from "../accounts/model.ts";
import {
  inSlices,
  type PageOf,
  type PageRequest,
  type Sort,
  type SortKey,
  sortedPage,
  textSortKey,
} from "../accounts/page.ts";
import { Problem } from "../contract/problem.ts";
import { accountSpace, GLOBAL, projectSpace, type Store, type Transaction } from "../store/store.ts";
import { cachedFor } from "../system/caching.ts";
import type { Clock } from "../system/clock.ts";
import { DAY_MS, MINUTE_MS } from "../system/durations.ts";
import { inTime } from "../system/in-time.ts";
import { othersFirst } from "../system/others-first.ts";
import type { WindowLeft } from "./limits/bounds-report.ts";
import type { UseLimits } from "./limits/use-limits.ts";
import { bucketName } from "./usage/buckets.ts";
import { countsBetween } from "./usage/counters.ts";
import { ORIGIN_COUNTERS, REFUSED, SEPARATOR } from "./usage/origins.ts";

/** Accounts whose counters are read at a time, so that requests can run in between. */
const ACCOUNTS = 20;
/** Projects of an account that are added up. Few accounts have more. */
const MAX_PROJECTS = 500;
/** Accounts named in each list of accounts under pressure. */
const MAX_PRESSED = 3;

/** An account's usage and activity, as an operator compares accounts. */
export interface AccountFigures {
  today: number;
  yesterday: number;
  /** In the last 30 days, today included. */
  days30: number;
  /** Requests refused by limits today. */
  refused: number;
  /** Used share of the limit of requests an hour or a day or of uses a month, whichever is highest: 0 to 1. */
  ofLimit: number;
  /** Milliseconds since the epoch. */
  lastUsedAt?: number;
}

export type AccountOrder = "name" | "plan" | "createdAt" | keyof AccountFigures;

export interface AccountsQuestion {
  /** Part of a name or an id, ignoring case. */
  query?: string | undefined;
  /** Ids of accounts that match in addition to `query`. */
  ids?: readonly string[] | undefined;
  plan?: string | undefined;
  isSuspended?: boolean | undefined;
  sort: Sort<AccountOrder>;
}

export type AccountWithFigures = Account & { figures: AccountFigures };

export interface AccountsPage extends PageOf<AccountWithFigures> {
  /** Number of all matching accounts. */
  count: number;
  /** When the figures sorted by were computed; absent for other orders and until they are first available. */
  rankedAt?: number | undefined;
}

/** The accounts with the highest figure, and how many qualify. */
export interface AccountsUnderPressure {
  count: number;
  first: readonly { id: string; name: string; figure: number }[];
}

/** All accounts of the server, searchable and sorted, for its operator. */
export interface AccountDirectory {
  page(question: AccountsQuestion & PageRequest): Promise<AccountsPage>;
  /** Yields all accounts that match, in the order that they have at the beginning. */
  every(question: AccountsQuestion): AsyncGenerator<AccountWithFigures>;
  /**
   * Returns the accounts that have used at least this share of a limit, and those that a limit refused today. Cached
   * for a minute. Undefined until the first computation is complete.
   */
  underPressure(
    ofLimit: number,
  ): Promise<{ nearLimit: AccountsUnderPressure; refused: AccountsUnderPressure } | undefined>;
  figuresOf(accountId: string): Promise<AccountFigures>;
}

/**
 * Creates the directory. Usage is stored by account, so a page adds up the figures of the accounts that it shows. The
 * figures to sort by are added up for all accounts in the background, a few at a time, and only while somebody looks.
 */
export function createAccountDirectory({
  store,
  clock,
  windowsOf,
  usesOf,
}: {
  store: Pick<Store, "transact">;
  clock: Pick<Clock, "now" | "sleep">;
  /** Returns the windows without consuming anything. */
  windowsOf: (account: Account) => Promise<readonly WindowLeft[]>;
  usesOf: UseLimits["all"];
}): AccountDirectory {
  const documents = cachedFor<Account[]>(clock, { forMs: 1_000, most: 1 });
  const ranking = createRanking(clock, (some, at) => figuresOf(some, at));

  /** Reads the counters in one transaction. Limits are stored outside of transactions. */
  async function figuresOf(some: readonly Account[], now: number): Promise<AccountFigures[]> {
    const counted = await store.transact((tx) => Promise.all(some.map(({ id }) => figures(tx, id, now))));
    return Promise.all(
      counted.map(async (each, index) => ({
        ...each,
        ofLimit: await ofLimit(some[index] as Account, each, now),
      })),
    );
  }

  /** Returns the used share of the limits. An account without activity within a day has used nothing. */
  async function ofLimit(account: Account, counted: Counted, now: number): Promise<number> {
    const { today, refused, lastUsedAt = 0 } = counted;
    if (today === 0 && refused === 0 && now - lastUsedAt > DAY_MS) return 0;
    const [windows, uses] = await Promise.all([
      windowsOf(account),
      store.transact((tx) => usesOf(tx, account.id)),
    ]);
    return Math.max(
      0,
      ...windows
        .filter(({ name }) => name !== "minute")
        .map(({ capacity, remaining }) => 1 - remaining / capacity),
      // A plan may include none.
      ...uses.filter(({ limit }) => limit > 0).map(({ limit, used }) => Math.min(1, used / limit)),
    );
  }

  return {
    async figuresOf(accountId) {
      const account = await store.transact((tx) => tx.get(accounts, GLOBAL, accountId));
      if (!account) throw new Problem("not_found", "There is no such account.");
      return (await figuresOf([account], clock.now()))[0] as AccountFigures;
    },
    async underPressure(least) {
      const all = await documents("all", () => allAccounts(store));
      const ranked = await ranking(all);
      if (!ranked) return undefined;
      const pressedBy = (figure: "ofLimit" | "refused", from: number): AccountsUnderPressure => {
        const some = all
          .map(({ id, name }) => ({ id, name, figure: ranked.figures.get(id)?.[figure] ?? 0 }))
          .filter((each) => each.figure >= from)
          .sort((one, other) => other.figure - one.figure);
        return { count: some.length, first: some.slice(0, MAX_PRESSED) };
      };
      return { nearLimit: pressedBy("ofLimit", least), refused: pressedBy("refused", 1) };
    },
    async page({ limit, cursor, ...question }) {
      const { asked, rankedAt, sortKeyOf } = await matching(question);
      const { items, ...next } = sortedPage(asked, { sort: question.sort, limit, cursor, sortKeyOf });
      return { items: await asTheyAre(items), ...next, count: asked.length, rankedAt };
    },
    async *every(question) {
      const { asked, sortKeyOf } = await matching(question);
      const { items } = sortedPage(asked, { sort: question.sort, limit: asked.length, sortKeyOf });
      for (let from = 0; from < items.length; from += ACCOUNTS) {
        yield* await asTheyAre(items.slice(from, from + ACCOUNTS));
        await othersFirst();
      }
    },
  };

  /** Returns the accounts that match, with what they are sorted by. */
  async function matching({ query, ids: named, plan, isSuspended, sort }: AccountsQuestion) {
    const part = query?.toLowerCase();
    const all = await documents("all", () => allAccounts(store));
    const asked = all.filter(
      (account) =>
        (part === undefined || holds(account, part) || named?.includes(account.id)) &&
        (plan ?? account.plan) === account.plan &&
        (isSuspended ?? account.suspendedAt !== undefined) === (account.suspendedAt !== undefined),
    );
    const isRanked = !["name", "plan", "createdAt"].includes(sort.replace(/^-/, ""));
    const ranked = isRanked ? await ranking(all) : undefined;
    const sortKeyOf = (account: Account, order: AccountOrder): SortKey => {
      const { id } = account;
      if (order === "name" || order === "plan") return textSortKey(account[order], id);
      if (order === "createdAt") return [account.createdAt, id];
      return [ranked?.figures.get(id)?.[order] ?? 0, id];
    };
    return { asked, rankedAt: ranked?.at, sortKeyOf };
  }

  /** Returns accounts as they are now, without those that are gone. */
  async function asTheyAre(some: readonly Account[]): Promise<AccountWithFigures[]> {
    const found = await store.transact((tx) =>
      Promise.all(some.map(({ id }) => tx.get(accounts, GLOBAL, id))),
    );
    const shown = found.filter((account) => account !== undefined);
    const figures = await figuresOf(shown, clock.now());
    return shown.map((account, index) => ({ ...account, figures: figures[index] as AccountFigures }));
  }
}

/** Longest time that a page waits for the figures to sort by. */
const PATIENCE_MS = 150;
const RANKED_FOR_MS = MINUTE_MS;

interface Ranked {
  at: number;
  figures: ReadonlyMap<string, AccountFigures>;
}

/**
 * Creates a cache of all accounts' figures. Returns them up to a minute old, or older while they are recomputed;
 * undefined until the first computation is complete.
 */
function createRanking(
  clock: Pick<Clock, "now" | "sleep">,
  figuresOf: (some: readonly Account[], now: number) => Promise<AccountFigures[]>,
) {
  let ranked: Ranked | undefined;
  let running: Promise<void> | undefined;

  async function rank(all: readonly Account[]): Promise<void> {
    const at = clock.now();
    const found = new Map<string, AccountFigures>();
    for (let from = 0; from < all.length; from += ACCOUNTS) {
      const some = all.slice(from, from + ACCOUNTS);
      (await figuresOf(some, at)).forEach((figures, index) => {
        found.set((some[index] as Account).id, figures);
      });
      await othersFirst();
    }
    ranked = { at, figures: found };
  }

  return async (all: readonly Account[]): Promise<Ranked | undefined> => {
    if (!ranked || Math.abs(clock.now() - ranked.at) > RANKED_FOR_MS) {
      running ??= rank(all)
        // An unavailable store shows in the page itself, and the next request tries again.
        .catch(() => {})
        .finally(() => {
          running = undefined;
        });
    }
    if (!ranked && running) {
      await inTime(running, { clock, ms: PATIENCE_MS, late: () => undefined });
    }
    return ranked;
  };
}

async function allAccounts(store: Pick<Store, "transact">): Promise<Account[]> {
  const all: Account[] = [];
  for await (const some of inSlices(store, accounts, GLOBAL)) all.push(...some.map(({ value }) => value));
  return all;
}

type Counted = Omit<AccountFigures, "ofLimit">;

async function figures(tx: Transaction, accountId: string, now: number): Promise<Counted> {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const range = { from: today - 29 * DAY_MS, to: today + DAY_MS };
  const ids = await tx.ids(projects, accountSpace(accountId), { limit: MAX_PROJECTS });
  const counts = await Promise.all(
    ids.map((id) => countsBetween(tx, projectSpace(accountId, id), "day", range)),
  );
  const sums = { today: 0, yesterday: 0, days30: 0 };
  const days = { today: bucketName("day", today), yesterday: bucketName("day", today - DAY_MS) };
  for (const { bucket, count } of counts.flat()) {
    sums.days30 += count;
    if (bucket === days.today) sums.today += count;
    if (bucket === days.yesterday) sums.yesterday += count;
  }
  const behind = days.today + SEPARATOR + REFUSED;
  // From a tab to the next character: exactly this day and type.
  const refused = await tx.counts(ORIGIN_COUNTERS.day, accountSpace(accountId), {
    from: `${behind}\t`,
    to: `${behind}\n`,
  });
  const use = await tx.get(accountUses, GLOBAL, accountId);
  return {
    ...sums,
    refused: refused.reduce((sum, { count }) => sum + count, 0),
    ...(use && { lastUsedAt: use.lastUsedAt }),
  };
}

function holds({ name, id }: Account, part: string): boolean {
  return name.toLowerCase().includes(part) || id.toLowerCase().includes(part);
}
