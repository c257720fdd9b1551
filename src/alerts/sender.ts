import { type Store, StoreUnavailable } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import type { Log } from "../system/log.ts";
import { DUE, dueAtOf, dueId, dueQueues, MAIL } from "./model.ts";
import { type Claim, claim, queueOf, release } from "./queue.ts";
import { isDue, MAX_AHEAD_MS } from "./retries.ts";

const LOOK_MS = 1_000;
/** Longer than any turn, so that a queue whose lease has ended is not being processed. */
const LEASE_MS = 45_000;
/** The most queues processed concurrently. */
const AT_ONCE = 200;
/** The most queues of one account processed concurrently, so that its dead webhooks do not delay other accounts. */
const OF_ONE_ACCOUNT = 4;
const PAGE = 200;
/** The most overdue queues that are counted. */
const MAX_COUNTED = 1_000;

/** Processes a claimed queue and releases it. */
export type Work = (claimed: Claim, signal: AbortSignal) => Promise<void>;

export interface Sender {
  /** Checks for due queues now. */
  wake(): void;
  /** Counts the due queues that no server processes, up to 1000, and returns how late the first of them is. */
  overdue(): Promise<{ queues: number; oldestMs: number }>;
  /** Resolves once nothing is due or under way. */
  idle(): Promise<void>;
  /** Aborts everything under way. Another server, or the next start, retries it. */
  close(): Promise<void>;
}

/** Processes all due queues of the store. Leases ensure that one server at a time processes a queue. */
export function createSender({
  store,
  clock,
  log,
  webhook,
  mail,
}: {
  store: Pick<Store, "transact" | "opening" | "isOpen">;
  clock: Clock;
  log: Pick<Log, "warn">;
  webhook: Work;
  mail: Work;
}): Sender {
  const over = new AbortController();
  const working = new Map<string, { accountId: string; done: Promise<void> }>();
  let looking: Promise<void> | undefined;
  let again = false;
  let claims = 0;
  let recovered = false;

  async function look(): Promise<void> {
    if (!recovered) await recover();
    recovered = true;
    await lookBehind(undefined);
    // Entries with due times from a clock that ran far ahead sort at the end.
    await lookBehind(dueId(clock.now() + MAX_AHEAD_MS, "~", "~"));
  }

  async function lookBehind(start: string | undefined): Promise<void> {
    for (let after = start; working.size < AT_ONCE && !over.signal.aborted; ) {
      const page = await pageBehind(after);
      const now = clock.now();
      for (const { id, value } of page) {
        if (!isDue(dueAtOf(id), now)) return;
        if (isFree(value)) await begin(value, dueAtOf(id), now);
      }
      if (page.length < PAGE) return;
      after = page.at(-1)?.id;
    }
  }

  function pageBehind(after: string | undefined) {
    return store.transact((tx) => tx.list(dueQueues, DUE, { limit: PAGE, ...defined({ after }) }));
  }

  function isFree({ accountId, queueId }: Omit<Claim, "lease">): boolean {
    if (working.size >= AT_ONCE || working.has(`${accountId}/${queueId}`)) return false;
    return [...working.values()].filter((one) => one.accountId === accountId).length < OF_ONE_ACCOUNT;
  }

  async function begin(
    { accountId, queueId }: Omit<Claim, "lease">,
    seen: number,
    now: number,
  ): Promise<void> {
    const claimed = { accountId, queueId, lease: `${store.opening}/${++claims}` };
    if (!(await store.transact((tx) => claim(tx, claimed, seen, now + LEASE_MS)))) return;
    const key = `${accountId}/${queueId}`;
    const work = queueId === MAIL ? mail : webhook;
    const done = work(claimed, over.signal)
      .catch((err) => {
        if (over.signal.aborted) return letGo(claimed);
        if (!(err instanceof StoreUnavailable)) log.warn({ err, ...claimed }, "alerts were not sent");
      })
      .finally(() => {
        working.delete(key);
        wake();
      });
    working.set(key, { accountId, done });
  }

  /** Releases a queue so that any server processes it at once. */
  function letGo(claimed: Claim): Promise<void> {
    return store.transact((tx) => release(tx, claimed, clock.now())).catch(() => {});
  }

  /** Releases the queues of servers that have stopped, without waiting for their leases to end. */
  async function recover(): Promise<void> {
    for (let after: string | undefined; ; ) {
      const page = await pageBehind(after);
      for (const { id, value } of page) {
        if (dueAtOf(id) > clock.now() + LEASE_MS) return;
        const { lease } = await store.transact((tx) => queueOf(tx, value.accountId, value.queueId));
        const holder = lease?.slice(0, lease.lastIndexOf("/"));
        if (lease === undefined || holder === undefined || (await store.isOpen(holder))) continue;
        await letGo({ ...value, lease });
      }
      if (page.length < PAGE) return;
      after = page.at(-1)?.id;
    }
  }

  function wake(): void {
    again = true;
    looking ??= (async () => {
      while (again && !over.signal.aborted) {
        again = false;
        await look();
      }
    })()
      .catch((err) => {
        if (!(err instanceof StoreUnavailable)) log.warn({ err }, "alerts were not looked at");
      })
      .finally(() => {
        looking = undefined;
        // Called since the last look ended.
        if (again && !over.signal.aborted) wake();
      });
  }

  const stop = clock.every(LOOK_MS, wake);
  wake();

  return {
    wake,
    async overdue() {
      const now = clock.now();
      const next = await store.transact((tx) => tx.list(dueQueues, DUE, { limit: MAX_COUNTED }));
      const late = next.map(({ id }) => now - dueAtOf(id)).filter((ms) => ms > 0);
      return { queues: late.length, oldestMs: late[0] ?? 0 };
    },
    async idle() {
      while (looking || working.size > 0) {
        await looking;
        await Promise.all([...working.values()].map(({ done }) => done));
      }
    },
    async close() {
      stop();
      over.abort();
      await looking;
      await Promise.all([...working.values()].map(({ done }) => done));
    },
  };
}
