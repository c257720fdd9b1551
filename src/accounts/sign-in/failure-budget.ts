import { rateLimited } from "../../contract/retry-later.ts";
import type { LimitWindow, Store, Verdict } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { HOUR_MS } from "../../system/durations.ts";

const WINDOW_MS = HOUR_MS;
/** Failures an hour of one guesser, and of an address, which many people may share. */
const MAX_FAILURES = 10;
const MAX_FAILURES_OF_ADDRESS = 100;

/** The subjects whose failures are counted. Only the guesser can use up `id`, so that they lock nobody else out. */
export interface Guesser {
  id: string;
  /** The subject of their address. Absent if only the guesser counts. */
  address?: string;
}

/** Bounds how often somebody may fail in an hour. A success does not reset the count. */
export interface FailureBudget {
  /**
   * Runs `attempt` and counts a failure if it returns undefined. `Problem` `rate_limited`, without an attempt, if the
   * guesser or the address has used up its failures.
   */
  allow<T>(guesser: Guesser, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** @param purpose the kind of failure, which is counted separately and named in the error: `password`. */
export function createFailureBudget({
  store,
  clock,
  purpose,
}: {
  store: Store;
  clock: Clock;
  purpose: string;
}): FailureBudget {
  const places = createPlaces();

  return {
    allow({ id, address }, attempt) {
      const windows = [windowOf(purpose, id, MAX_FAILURES)];
      if (address !== undefined) windows.push(windowOf(purpose, address, MAX_FAILURES_OF_ADDRESS));
      return places.hold(
        windows.map(({ key }) => key),
        async () => {
          const verdict = await store.admit(windows.map((window) => ({ ...window, cost: 0 })));
          refuseUnlessAdmitted(windows, verdict);
          return verdict.windows.map(({ remaining }) => Math.floor(remaining));
        },
        async () => {
          const outcome = await attempt();
          // Other servers on this store may have used up the budget meanwhile. Then the outcome is withheld, too.
          if (outcome === undefined) refuseUnlessAdmitted(windows, await store.admit(windows));
          return outcome;
        },
      );
    },
  };

  function refuseUnlessAdmitted(windows: readonly LimitWindow[], verdict: Verdict): void {
    if (verdict.admitted) return;
    const blocking = verdict.windows.findIndex(({ remaining }) => remaining < 1);
    const { capacity } = windows[blocking] as LimitWindow;
    const nextAt = Math.max(...verdict.windows.map((window) => window.nextAt));
    const seconds = Math.max(1, Math.ceil((nextAt - clock.now()) / 1000));
    const minutes = Math.ceil(seconds / 60);
    throw rateLimited(
      `Too many wrong attempts (${capacity} an hour). Try again in ${minutes} min.`,
      purpose,
      seconds,
    );
  }
}

function windowOf(purpose: string, subject: string, capacity: number): LimitWindow {
  return { key: `failures/${purpose}/${subject}`, kind: "fixed", capacity, windowMs: WINDOW_MS };
}

/** The concurrent attempts of one subject in this process. */
interface Slots {
  /** Callers that run an attempt, wait for one, or look up the remaining failures. */
  callers: number;
  held: number;
  ended: number;
  waiting: (() => void)[];
}

/**
 * Limits the concurrent attempts of a subject to its remaining failures. Without this, a hundred concurrent attempts
 * would all start before one is counted. An attempt that ends wakes one waiter, which wakes another if there is room:
 * waking all of a hundred waiters each time would cost five thousand lookups.
 */
function createPlaces() {
  const places = new Map<string, Slots>();

  return {
    async hold<T>(
      keys: readonly string[],
      look: () => Promise<number[]>,
      attempt: () => Promise<T>,
    ): Promise<T> {
      const mine = keys.map(enter);
      /** The place in whose queue this caller was woken, until it has passed the wake-up on. */
      let from: Slots | undefined;
      try {
        for (;;) {
          const before = endedOf(mine);
          const left = await look();
          // An attempt that ended during the lookup may have failed, so `left` may be out of date.
          if (before !== endedOf(mine)) continue;
          const full = mine.find(({ held }, index) => held >= (left[index] as number));
          if (!full) {
            for (const [index, place] of mine.entries()) {
              if (++place.held < (left[index] as number)) wakeNext(place);
            }
            from = undefined;
            break;
          }
          if (from && from !== full) wakeNext(from);
          await new Promise<void>((resolve) => full.waiting.push(resolve));
          from = full;
        }
        try {
          return await attempt();
        } finally {
          for (const place of mine) {
            place.held--;
            place.ended++;
            wakeNext(place);
          }
        }
      } finally {
        if (from) wakeNext(from);
        for (const key of keys) leave(key);
      }
    },
  };

  function wakeNext(place: Slots): void {
    place.waiting.shift()?.();
  }

  function enter(key: string): Slots {
    const place = places.get(key) ?? { callers: 0, held: 0, ended: 0, waiting: [] };
    places.set(key, place);
    place.callers++;
    return place;
  }

  function leave(key: string): void {
    const place = places.get(key);
    if (place && --place.callers === 0) places.delete(key);
  }
}

function endedOf(places: readonly Slots[]): number {
  return places.reduce((sum, { ended }) => sum + ended, 0);
}
