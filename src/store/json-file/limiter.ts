import { type Clock, repeat } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { Log } from "../../system/log.ts";
import { collection, GLOBAL, type LimitWindow, type Store, StoreUnavailable } from "../store.ts";
import { admit as admitTo, advance, notAhead, retentionMs, type WindowRecord } from "../window.ts";

/** The saved state of a window, and when to forget it. */
interface Entry {
  kind: LimitWindow["kind"];
  record: WindowRecord;
  forgetAt: number;
}

/** Entries by the key of the window, with times on the wall clock. */
export const windowEntries = collection<Entry>("rate_limit_windows");

const SAVE_EVERY_MS = 1000;
const FORGET_EVERY_MS = MINUTE_MS;
/** Windows saved in one transaction: few, so that others can run in between. */
const BATCH = 500;

export interface Limiter extends Pick<Store, "admit"> {
  /** Saves what has changed since the last time. */
  save(): Promise<void>;
  /** Stops saving periodically. Resolves when nothing is being saved. */
  stop(): Promise<void>;
}

/**
 * Creates a limiter that admits from memory and saves its windows once a second. Fixed windows use the wall clock.
 * Buckets use a steady clock, which agrees with the wall clock when the store is opened.
 */
export async function createLimiter(
  transact: Store["transact"],
  { clock, log }: { clock: Clock; log: Log },
): Promise<Limiter> {
  const saved = await transact((tx) => tx.list(windowEntries, GLOBAL));
  const opened = clock.now();
  const entries = new Map(saved.map(({ id, value }) => [id, onThisClock(value, opened)]));
  let changed = new Set<string>();
  const origin = opened - clock.monotonic();
  const steady = () => origin + clock.monotonic();

  const admit: Store["admit"] = async (windows) => {
    const wall = clock.now();
    const elapsed = steady();
    const records = windows.map((window) =>
      advance(window, entries.get(window.key)?.record, window.kind === "fixed" ? wall : elapsed),
    );
    return admitTo(windows, records, wall, (window, record) => {
      entries.set(window.key, { kind: window.kind, record, forgetAt: elapsed + retentionMs(window) });
      changed.add(window.key);
    });
  };

  async function save(): Promise<void> {
    const keys = [...changed];
    changed = new Set();
    while (keys.length > 0) {
      const batch = keys.splice(-BATCH);
      const shift = clock.now() - steady();
      try {
        await transact(async (tx) => {
          for (const key of batch) {
            const entry = entries.get(key);
            if (!entry) continue;
            const value = onWallClock(entry, shift);
            await tx.put(windowEntries, GLOBAL, key, value, { expiresAt: value.forgetAt });
          }
        });
      } catch (error) {
        for (const key of [...batch, ...keys]) if (entries.has(key)) changed.add(key);
        if (!(error instanceof StoreUnavailable))
          log.error({ err: error }, "rate-limit windows were not saved");
        return;
      }
    }
  }

  function forget(): void {
    const now = steady();
    for (const [key, { forgetAt }] of entries) if (forgetAt <= now) entries.delete(key);
  }

  const stopSaving = repeat(clock, SAVE_EVERY_MS, save);
  const stopForgetting = clock.every(FORGET_EVERY_MS, forget);
  return {
    admit,
    save,
    stop() {
      stopForgetting();
      return stopSaving();
    },
  };
}

/**
 * Converts a saved entry to this process's clock. A fixed window always belongs to the wall clock. A bucket only
 * depends on elapsed time.
 */
function onThisClock(entry: Entry, now: number): Entry {
  if (entry.kind === "fixed") return entry;
  const record = notAhead(entry.record, now);
  return { ...entry, record, forgetAt: entry.forgetAt - (entry.record.at - record.at) };
}

function onWallClock({ kind, record, forgetAt }: Entry, shift: number): Entry {
  const at = kind === "bucket" ? record.at + shift : record.at;
  return { kind, record: { ...record, at }, forgetAt: forgetAt + shift };
}
