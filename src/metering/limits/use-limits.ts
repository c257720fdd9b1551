import { type Account, accounts } from "../../accounts/model.ts";
import type { Problem } from "../../contract/problem.ts";
import { rateLimited } from "../../contract/retry-later.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { wait } from "../../text/amounts.ts";
import { grouped } from "../../text/grouped.ts";
import { type Catalogue, tierOf } from "../plans.ts";
import { usesInMonth } from "../usage/account-months.ts";
import { bucketOf, startOf } from "../usage/buckets.ts";
import { USAGE_TYPES, type UsageType, type UsesPerMonth } from "../usage/vocabulary.ts";
import { largerPlan, ofPlan } from "./bounds.ts";
import type { WatchUses } from "./limit-alerts.ts";

/** When to try again where calls under way hold what is left, in seconds. */
const RETRY_S = 5;

/** An account's limit of uses of one type in a calendar month (UTC), and what is used of it. */
export interface MonthlyUses {
  type: UsageType;
  limit: number;
  /** May be more than the limit: what programs report has happened, and is counted. */
  used: number;
  /** When the next month begins, in milliseconds since the epoch. */
  resetAt: number;
}

/** What an account may use in a month, beside how many requests it may send. */
export interface UseLimits {
  /** Returns the limit of a type with its use; undefined where it has none. @param used its uses in this month. */
  of(tx: Transaction, accountId: string, type: UsageType, used: number): Promise<MonthlyUses | undefined>;
  /** Returns all limits of an account with their use. */
  all(tx: Transaction, accountId: string): Promise<MonthlyUses[]>;
  /**
   * Keeps room for uses that are about to be counted, so that calls under way at once do not share what is left for one.
   * Returns what gives the room back, for when they are counted or came to nothing. Throws `rate_limited`.
   */
  reserve(accountId: string, type: UsageType, count: number): Promise<() => void>;
  /** Called with what is used after something was counted. */
  watch: WatchUses;
}

/** Returns the uses in a month that an account may have: its own limits, and its plan's for the rest. */
export function usesPerMonthOf(
  catalogue: Pick<Catalogue, "tiers">,
  { plan, limits }: Pick<Account, "plan" | "limits">,
): UsesPerMonth | undefined {
  const ofPlan = tierOf(catalogue, plan).limits.usesPerMonth;
  const own = limits?.usesPerMonth;
  return own ? { ...ofPlan, ...own } : ofPlan;
}

export function createUseLimits({
  store,
  clock,
  catalogue,
  watch,
}: {
  store: Pick<Store, "transact">;
  clock: Pick<Clock, "now">;
  catalogue: Pick<Catalogue, "tiers" | "upgradeUrl">;
  watch: WatchUses;
}): UseLimits {
  /** By account and type. */
  const rooms = new Map<string, Room>();

  /** Peeked, because a full read would make all writers of the account wait for each other. */
  async function limitsOf(tx: Transaction, accountId: string) {
    const account = await tx.peek(accounts, GLOBAL, accountId);
    return account && usesPerMonthOf(catalogue, account);
  }

  async function all(tx: Transaction, accountId: string): Promise<MonthlyUses[]> {
    const limits = await limitsOf(tx, accountId);
    if (!limits) return [];
    const now = clock.now();
    const used = await usesInMonth(tx, accountId, now);
    return USAGE_TYPES.flatMap((type) => monthly(type, limits, used[type], now) ?? []);
  }

  /** Returns an account's limit of a type with its use, and the name of its plan; undefined where it has none. */
  function limitOf(accountId: string, type: UsageType) {
    return store.transact(async (tx) => {
      const uses = (await all(tx, accountId)).find((each) => each.type === type);
      const account = uses && (await tx.peek(accounts, GLOBAL, accountId));
      return uses && { uses, planName: account && tierOf(catalogue, account.plan).name };
    });
  }

  function forget(key: string, room: Room): void {
    if (room.held === 0 && room.readers === 0) rooms.delete(key);
  }

  function hold(key: string, room: Room, count: number): () => void {
    room.held += count;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      room.held -= count;
      room.givenBack += count;
      forget(key, room);
    };
  }

  return {
    watch,
    all,
    async of(tx, accountId, type, used) {
      const limits = await limitsOf(tx, accountId);
      return limits && monthly(type, limits, used, clock.now());
    },
    async reserve(accountId, type, count) {
      const key = `${accountId}/${type}`;
      const room = rooms.get(key) ?? { held: 0, givenBack: 0, readers: 0 };
      rooms.set(key, room);
      room.readers++;
      try {
        for (;;) {
          const before = room.givenBack;
          const found = await limitOf(accountId, type);
          if (!found) return () => {};
          const { uses, planName } = found;
          const { held } = room;
          const left = uses.limit - uses.used - held;
          if (count > left) {
            watch(accountId, [uses]);
            throw noRoom(uses, { held, count, planName, now: clock.now(), upgradeUrl: catalogue.upgradeUrl });
          }
          // What was given back meanwhile may have been counted after this read, and be missing in both figures.
          if (count <= left - (room.givenBack - before)) return hold(key, room, count);
        }
      } finally {
        room.readers--;
        forget(key, room);
      }
    },
  };
}

/** What calls under way hold of an account's uses of one type. */
interface Room {
  held: number;
  /** All that was given back since somebody has held or read. */
  givenBack: number;
  readers: number;
}

function monthly(type: UsageType, limits: UsesPerMonth, used: number, now: number): MonthlyUses | undefined {
  const limit = limits[type];
  if (limit === undefined) return undefined;
  return { type, limit, used, resetAt: startOf("month", bucketOf("month", now) + 1) };
}

function noRoom(
  { type, limit, used, resetAt }: MonthlyUses,
  asked: {
    held: number;
    count: number;
    planName: string | undefined;
    now: number;
    upgradeUrl: string | undefined;
  },
): Problem {
  const { held, count, planName, now, upgradeUrl } = asked;
  const left = limit - used;
  // A call under way that fails gives back what it holds.
  const isHeld = count <= left;
  const seconds = isHeld ? RETRY_S : Math.max(1, Math.ceil((resetAt - now) / 1000));
  const state =
    left <= 0
      ? "is used up"
      : `has ${grouped(left)} left${isHeld ? `, of which calls under way hold ${grouped(held)}` : ""}, and this counts as ${grouped(count)}`;
  return rateLimited(
    `The limit of ${grouped(limit)} ${type} a month of this account${ofPlan(planName)} ${state}. ` +
      `Try again ${isHeld ? "when those have ended" : `in ${wait(1000 * seconds)}`}, or ${largerPlan(upgradeUrl)}`,
    "month",
    seconds,
    upgradeUrl,
  );
}
