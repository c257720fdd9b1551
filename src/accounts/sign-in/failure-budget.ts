import { Problem } from "../../contract/problem.ts";
import type { LimitWindow, Store, Verdict } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";

const WINDOW_MS = 60 * 60_000;
/** Of one who guesses; and of an address, behind which many may be. */
const MAX_FAILURES = 10;
const MAX_FAILURES_OF_ADDRESS = 100;

/** Who guesses: what only they can use up, so that their guesses lock nobody else out. */
export interface Guesser {
  id: string;
  /** What their address is counted by, where guesses come from anywhere. */
  address?: string;
}

/** Bounds how often somebody may guess wrong in an hour. A success resets nothing. */
export interface FailureBudget {
  /**
   * Runs `attempt` and counts a failure where it gives undefined. `Problem` `rate_limited`, without an
   * attempt, where the guesser or the address has used its failures up.
   */
  allow<T>(guesser: Guesser, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** @param purpose keeps the failures of one kind apart from another's, and names them: `password`. */
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
          // Other servers of the same store may have counted meanwhile; then even the answer is withheld.
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
    throw new Problem(
      "rate_limited",
      `Too many wrong attempts (${capacity} an hour). Try again in ${minutes} min.`,
      {
        headers: { "Retry-After": String(seconds) },
        members: { window: purpose, retryAfterSeconds: seconds },
      },
    );
  }
}

function windowOf(purpose: string, subject: string, capacity: number): LimitWindow {
  return { key: `failures/${purpose}/${subject}`, kind: "fixed", capacity, windowMs: WINDOW_MS };
}

/** The attempts of one subject in this process. */
interface Place {
  /** Those who hold it, wait for it or ask what is left of it. */
  callers: number;
  held: number;
  ended: number;
  waiting: (() => void)[];
}

/**
 * As many attempts of a subject at once as it may still fail: a hundred at once would otherwise all be
 * let through before one counts. What ends lets the next one look, and that one, where there is room for more, another:
 * if all looked each time, a hundred would look five thousand times.
 */
function createPlaces() {
  const places = new Map<string, Place>();

  return {
    async hold<T>(
      keys: readonly string[],
      look: () => Promise<number[]>,
      attempt: () => Promise<T>,
    ): Promise<T> {
      const mine = keys.map(enter);
      /** Where it was let on from, until it lets on whoever waits behind it. */
      let from: Place | undefined;
      try {
        for (;;) {
          const before = endedOf(mine);
          const left = await look();
          // What ended during the look may have failed, and what was seen be out of date.
          if (before !== endedOf(mine)) continue;
          const full = mine.find(({ held }, index) => held >= (left[index] as number));
          if (!full) {
            for (const [index, place] of mine.entries()) {
              if (++place.held < (left[index] as number)) letOn(place);
            }
            from = undefined;
            break;
          }
          if (from && from !== full) letOn(from);
          await new Promise<void>((resolve) => full.waiting.push(resolve));
          from = full;
        }
        try {
          return await attempt();
        } finally {
          for (const place of mine) {
            place.held--;
            place.ended++;
            letOn(place);
          }
        }
      } finally {
        if (from) letOn(from);
        for (const key of keys) leave(key);
      }
    },
  };

  function letOn(place: Place): void {
    place.waiting.shift()?.();
  }

  function enter(key: string): Place {
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

function endedOf(places: readonly Place[]): number {
  return places.reduce((sum, { ended }) => sum + ended, 0);
}
