import { type Clock, systemClock } from "../../system/clock.ts";
import { type LimitWindow, type Store, StoreUnavailable, type Verdict } from "../store.ts";
import { admit, advance, notAhead, retentionMs, type WindowRecord } from "../window.ts";
import { type ConnectionPool, send } from "./connection/connections.ts";
import { type Patience, silence, type Waiter } from "./connection/patience.ts";
import { Session } from "./connection/session.ts";
import {
  insertWindows,
  lockWindows,
  readWindows,
  updateWindows,
  type WindowRow,
} from "./statements/windows.ts";

/** More than so many wait for the next round. */
const MAX_ROUND_SIZE = 1000;
/**
 * Where another instance takes from the same windows, a busy one gathers callers for so long before each of its next
 * rounds: it would wait for the other's locks anyway, and fewer, larger rounds cost all of them less.
 */
const GATHERING_MS = 1;
const GATHERED_ROUNDS = 10;
/** By so much the time of different instances may differ: those behind wait for the others to be reached. */
const TOLERATED_MS = 60_000;

interface Ask extends Waiter {
  windows: readonly LimitWindow[];
  resolve: (verdict: Verdict) => void;
  reject: (error: unknown) => void;
}

export interface LimiterOptions {
  pool: ConnectionPool;
  clock: Clock;
  patience: Patience;
  /** Milliseconds since the epoch, steady, the same for all instances but for moments. */
  databaseTime: () => number;
}

export interface Limiter extends Pick<Store, "admit"> {
  /** Takes no more, and resolves when those it has are answered. */
  close(): Promise<void>;
}

/**
 * Rate-limit windows in rows that every instance locks, changes and lets go of. What comes while one
 * round is with the database is answered in the next, in the order of asking.
 *
 * Fixed windows go by the wall clock, buckets by the time of the database, whatever the clocks of the
 * instances are set to. The pool's connections do not wait for the disk: a crash of the database forgets less than
 * the last second.
 */
export function createLimiter({ pool, clock, patience, databaseTime }: LimiterOptions): Limiter {
  let waiting: Ask[] = [];
  let running: Promise<void> | undefined;
  let closed = false;
  /** What the last round wrote. */
  let written: ReadonlyMap<string, WindowRow> = new Map();
  let roundsToGather = 0;

  async function run(): Promise<void> {
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      // By the time that passes, whatever the clock of the store says: callers wait for it.
      if (roundsToGather > 0) await systemClock.sleep(GATHERING_MS);
      const round = waiting.splice(0, MAX_ROUND_SIZE);
      try {
        const verdicts = await answer(round);
        patience.heard();
        for (const [index, { resolve }] of round.entries()) resolve(verdicts[index] as Verdict);
      } catch (error) {
        for (const { reject } of round) reject(error);
      }
      for (const ask of round) patience.end(ask);
    }
    running = undefined;
  }

  async function answer(round: readonly Ask[]): Promise<Verdict[]> {
    const windows = round.flatMap((ask) => ask.windows);
    const taken = new Set(windows.filter(({ cost }) => cost !== 0).map(({ key }) => key));
    // Who only asks what is left holds nobody up, and leaves no row behind.
    const asked = [...new Set(windows.map(({ key }) => key))].filter((key) => !taken.has(key));
    if (taken.size === 0) return decide(round, await send<WindowRow>(pool, readWindows(asked))).verdicts;
    const keys = [...taken].sort();
    for (;;) {
      const session = await Session.open(pool);
      const missing = new Set(keys);
      try {
        session.begin("READ COMMITTED");
        const rows = await session.send<WindowRow>(lockWindows(keys));
        for (const { key } of rows) missing.delete(key);
        if (asked.length > 0) rows.push(...(await session.send<WindowRow>(readWindows(asked))));
        if (missing.size === 0) {
          const contended = round.length > 1 && rows.some((row) => isOfAnother(row, written.get(row.key)));
          roundsToGather = contended ? GATHERED_ROUNDS : Math.max(roundsToGather - 1, 0);
          const { verdicts, changed } = decide(round, rows);
          written = new Map(changed.map((row) => [row.key, row]));
          await session.commit(changed.length > 0 ? [updateWindows(changed)] : []);
          return verdicts;
        }
      } finally {
        void session.close();
      }
      await send(pool, insertWindows([...missing], databaseTime() + TOLERATED_MS));
    }
  }

  function decide(round: readonly Ask[], rows: WindowRow[]): { verdicts: Verdict[]; changed: WindowRow[] } {
    const wall = clock.now();
    const steady = databaseTime();
    const byKey = new Map(rows.map((row) => [row.key, row]));
    const changed = new Map<string, WindowRow>();
    const change = (window: LimitWindow, record: WindowRecord) => {
      const row = rowOf(window.key, record, steady + retentionMs(window));
      byKey.set(window.key, row);
      changed.set(window.key, row);
    };
    /** Where the time of the database was far ahead before, that is put right whether it is admitted or not. */
    const refilled = (window: LimitWindow, record: WindowRecord | undefined) => {
      if (!record || record.at <= steady) return advance(window, record, steady);
      if (record.at <= steady + TOLERATED_MS) return record;
      const mended = notAhead(record, steady);
      change(window, mended);
      return mended;
    };
    const verdicts = round.map(({ windows }) => {
      const records = windows.map((window) => {
        const record = recordOf(byKey.get(window.key));
        return window.kind === "fixed" ? advance(window, record, wall) : refilled(window, record);
      });
      return admit(windows, records, wall, change);
    });
    return { verdicts, changed: [...changed.values()] };
  }

  return {
    admit: (windows) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new StoreUnavailable("the store is closed"));
        const ask: Ask = {
          windows,
          resolve,
          reject,
          ticks: 0,
          giveUp() {
            waiting = waiting.filter((other) => other !== ask);
            reject(silence());
          },
        };
        waiting.push(ask);
        patience.begin(ask);
        running ??= run();
      }),
    async close() {
      closed = true;
      await running;
    },
  };
}

/** Another instance changed the row since this one wrote it. */
function isOfAnother(row: WindowRow, written: WindowRow | undefined): boolean {
  return written !== undefined && (row.value !== written.value || row.at !== written.at);
}

function recordOf(row: WindowRow | undefined): WindowRecord | undefined {
  if (!row || row.value === null || row.at === null) return undefined;
  const { value, at, other_value, other_at } = row;
  return other_value === null || other_at === null
    ? { value, at }
    : { value, at, other: { value: other_value, at: other_at } };
}

function rowOf(key: string, { value, at, other }: WindowRecord, forgetAt: number): WindowRow {
  return {
    key,
    value,
    at,
    other_value: other?.value ?? null,
    other_at: other?.at ?? null,
    forget_at: forgetAt,
  };
}
