import { type Caller, lastingIdOf } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { type CountedUse, countByOrigin, type Origin, REFUSED } from "./origins.ts";

const FLUSH_MS = 1000;
/** Origins counted separately until the next flush. Further refusals count for the account without an origin. */
const MAX_ORIGINS = 10_000;
/** Counters written at a time, so that other transactions can run in between. */
const BATCH = 100;

/** Counts requests refused by limits in memory, and writes the counts once a second. No request waits for it. */
export interface Refusals {
  note(who: Pick<Caller, "accountId" | "userId" | "credential">, endpoint: string): void;
  /** Writes the remaining counts. */
  close(): Promise<void>;
}

/**
 * @param bounded refuses counters that the account has no room for. Its refusals are then counted without an origin
 * in `store`, which takes one counter per hour. The number of refused requests is up to the clients.
 */
export function createRefusals({
  bounded,
  store,
  clock,
  log,
}: {
  bounded: Pick<Store, "transact">;
  store: Pick<Store, "transact">;
  clock: Clock;
  log: Log;
}): Refusals {
  let counted = new Map<string, { origin: Origin; count: number }>();
  let flushing: Promise<void> | undefined;

  function add(origin: Origin): void {
    const key = `${origin.accountId} ${origin.keyId} ${origin.userId} ${origin.tool}`;
    const entry = counted.get(key);
    if (entry) entry.count++;
    else if (counted.size < MAX_ORIGINS || origin.keyId === "") counted.set(key, { origin, count: 1 });
    else add(nobodyOf(origin.accountId));
  }

  async function flush(): Promise<void> {
    const entries = counted;
    counted = new Map();
    const at = clock.now();
    const byAccount = new Map<string, CountedUse[]>();
    for (const { origin, count } of entries.values()) {
      const own = byAccount.get(origin.accountId) ?? [];
      own.push({ type: REFUSED, count, at, origin });
      byAccount.set(origin.accountId, own);
    }
    for (const [accountId, uses] of byAccount) {
      for (let from = 0; from < uses.length; from += BATCH) {
        await write(accountId, uses.slice(from, from + BATCH), at);
      }
    }
  }

  async function write(accountId: string, uses: readonly CountedUse[], at: number): Promise<void> {
    try {
      await bounded.transact((tx) => countByOrigin(tx, uses));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const count = uses.reduce((sum, use) => sum + use.count, 0);
      const origin = nobodyOf(accountId);
      await store.transact((tx) => countByOrigin(tx, [{ type: REFUSED, count, at, origin }]));
    }
  }

  function flushed(): Promise<void> {
    flushing ??= flush()
      .catch((err) => log.warn({ err }, "refusals of limits were not counted"))
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  }

  const stop = clock.every(FLUSH_MS, () => {
    if (counted.size > 0) void flushed();
  });

  return {
    note({ accountId, userId, credential }, endpoint) {
      add({ accountId, projectId: "", keyId: lastingIdOf(credential), userId, tool: endpoint });
    },
    async close() {
      stop();
      await flushing;
      if (counted.size > 0) await flushed();
    },
  };
}

function nobodyOf(accountId: string): Origin {
  return { accountId, projectId: "", keyId: "", userId: "", tool: "" };
}
