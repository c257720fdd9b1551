import { type Clock, systemClock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { othersFirst } from "../../system/others-first.ts";
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

/** Maximum number of callers in a round. The others wait for the next. */
const MAX_ROUND_SIZE = 1000;
/**
 * How long a busy instance gathers callers before each of its next rounds, if another instance takes from the same
 * windows. It would wait for the locks of that instance anyway, and fewer, larger rounds cost all instances less.
 */
const GATHERING_MS = 1;
const GATHERED_ROUNDS = 10;
/**
 * Tolerated difference between the times of instances. A record that is less far ahead is left until time has caught
 * up.
 */
const TOLERATED_MS = MINUTE_MS;

interface Ask extends Waiter {
  windows: readonly LimitWindow[];
  resolve: (verdict: Verdict) => void;
  reject: (error: unknown) => void;
}

export interface LimiterOptions {
  pool: ConnectionPool;
  clock: Clock;
  patience: Patience;
  /** Milliseconds since the epoch: steady, and the same for all instances except for moments. */
  databaseTime: () => number;
}

export interface Limiter extends Pick<Store, "admit"> {
  /** Accepts no more calls. Resolves when those accepted are answered. */
  close(): Promise<void>;
}

/**
 * Creates a limiter that keeps windows in rows, which every instance locks, changes and releases. Callers that come
 * during a round with the database are answered in the next one, in order.
 *
 * Fixed windows use the wall clock. Buckets use the time of the database, whatever the clocks of the instances say. The
 * pool's connections do not wait for the disk, so a crash of the database loses less than the last second.
 */
export function createLimiter({ pool, clock, patience, databaseTime }: LimiterOptions): Limiter {
  let waiting: Ask[] = [];
  let running: Promise<void> | undefined;
  let closed = false;
  /** Rows that the last round wrote. */
  let written: ReadonlyMap<string, WindowRow> = new Map();
  let roundsToGather = 0;

  async function run(): Promise<void> {
    await othersFirst();
    while (waiting.length > 0) {
      // In real time, not by the store's clock: callers are waiting.
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
    // A caller that only asks what is left takes no lock and creates no row.
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
    /** Corrects a record that is far ahead because the database's time was, whether or not the request is admitted. */
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

/** Whether another instance changed the row since this one wrote it. */
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
