import { Problem } from "../contract/problem.ts";
import type { LimitWindow, Store, Verdict } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";

const WINDOW_MS = 60 * 60_000;
const FAILURES = 10;

/** Bounds how often somebody may guess wrong: ten times an hour for each subject. A success resets nothing. */
export interface FailureBudget {
  /**
   * Runs `attempt` and counts a failure where it gives undefined. `Problem` `rate_limited`, without an
   * attempt, where one of the subjects has used its failures up.
   */
  allow<T>(subjects: readonly string[], attempt: () => Promise<T | undefined>): Promise<T | undefined>;
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
    allow(subjects, attempt) {
      const windows = subjects.map(
        (subject): LimitWindow => ({
          key: `failures/${purpose}/${subject}`,
          kind: "fixed",
          capacity: FAILURES,
          windowMs: WINDOW_MS,
        }),
      );
      return places.hold(
        subjects,
        async () => {
          const verdict = await store.admit(windows.map((window) => ({ ...window, cost: 0 })));
          refuseUnlessAdmitted(verdict);
          return verdict.windows.map(({ remaining }) => Math.floor(remaining));
        },
        async () => {
          const outcome = await attempt();
          // Other servers of the same store may have counted meanwhile; then even the answer is withheld.
          if (outcome === undefined) refuseUnlessAdmitted(await store.admit(windows));
          return outcome;
        },
      );
    },
  };

  function refuseUnlessAdmitted(verdict: Verdict): void {
    if (verdict.admitted) return;
    const nextAt = Math.max(...verdict.windows.map((window) => window.nextAt));
    const seconds = Math.max(1, Math.ceil((nextAt - clock.now()) / 1000));
    const minutes = Math.ceil(seconds / 60);
    throw new Problem(
      "rate_limited",
      `Too many wrong attempts (${FAILURES} an hour). Try again in ${minutes} min.`,
      {
        headers: { "Retry-After": String(seconds) },
        members: { window: purpose, retryAfterSeconds: seconds },
      },
    );
  }
}

/**
 * As many attempts of a subject at once as it may still fail: a hundred at once would otherwise all be
 * let through before one counts.
 */
function createPlaces() {
  const held = new Map<string, number>();
  let waiting: (() => void)[] = [];
  let attempts = 0;

  return {
    async hold<T>(
      keys: readonly string[],
      look: () => Promise<number[]>,
      attempt: () => Promise<T>,
    ): Promise<T> {
      for (;;) {
        const before = attempts;
        const left = await look();
        // What ended during the look may have failed, and what was seen be out of date.
        if (before === attempts && keys.every((key, index) => (held.get(key) ?? 0) < (left[index] ?? 0)))
          break;
        if (before === attempts) await new Promise<void>((resolve) => waiting.push(resolve));
      }
      for (const key of keys) held.set(key, (held.get(key) ?? 0) + 1);
      try {
        return await attempt();
      } finally {
        attempts++;
        for (const key of keys) release(key);
        const free = waiting;
        waiting = [];
        for (const proceed of free) proceed();
      }
    },
  };

  function release(key: string): void {
    const count = (held.get(key) ?? 1) - 1;
    if (count === 0) held.delete(key);
    else held.set(key, count);
  }
}
