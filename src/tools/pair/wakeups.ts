import type { Space, Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { sessions } from "./documents.ts";

/** Wakes the followers of a session when it is written: at once by this process, soon by another. */
export interface Wakeups {
  /** Calls `wake` whenever there may be something new. Returns a function that stops this. */
  follow(space: Space, sessionId: string, wake: () => void): () => void;
  /** Returns the number of followers of a session in this process. */
  count(space: Space, sessionId: string): number;
  /** Must be called after each write by this process. */
  written(space: Space, sessionId: string): void;
}

/**
 * How often a followed session is polled for writes of other instances: one read of one document, however
 * many follow it.
 */
const LOOK_MS = 100;

/** No session as JSON, nor the absence of one: the first poll always wakes. */
const UNSEEN = "";

export function createWakeups({ store, clock }: { store: Store; clock: Clock }): Wakeups {
  const followed = new Map<string, { followers: Set<() => void>; stop: () => void }>();

  function begin(space: Space, sessionId: string): { followers: Set<() => void>; stop: () => void } {
    const followers = new Set<() => void>();
    let seen: string | undefined = UNSEEN;
    let looking = false;
    const stop = clock.every(LOOK_MS, () => {
      if (looking) return;
      looking = true;
      store
        .transact((tx) => tx.get(sessions, space, sessionId))
        .then((session) => {
          const now = JSON.stringify(session);
          // Also the first time, since something may have been written or deleted after the followers read.
          if (now !== seen) for (const wake of [...followers]) wake();
          seen = now;
        })
        // Followers notice by themselves that the store is unavailable.
        .catch(() => {})
        .finally(() => {
          looking = false;
        });
    });
    return { followers, stop };
  }

  return {
    follow(space, sessionId, wake) {
      const key = `${space}/${sessionId}`;
      const { followers, stop } = followed.get(key) ?? begin(space, sessionId);
      followed.set(key, { followers, stop });
      followers.add(wake);
      return () => {
        followers.delete(wake);
        if (followers.size > 0) return;
        stop();
        followed.delete(key);
      };
    },
    count: (space, sessionId) => followed.get(`${space}/${sessionId}`)?.followers.size ?? 0,
    written(space, sessionId) {
      for (const wake of [...(followed.get(`${space}/${sessionId}`)?.followers ?? [])]) wake();
    },
  };
}
