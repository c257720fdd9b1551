import type { Space, Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { sessions } from "./documents.ts";

/** Tells those who follow a session that it was written: at once by this process, soon by another. */
export interface Wakeups {
  /** Calls `wake` whenever there may be something new; returns what stops that. */
  follow(space: Space, sessionId: string, wake: () => void): () => void;
  /** How many follow a session in this process. */
  count(space: Space, sessionId: string): number;
  /** To be told of each write by this process. */
  written(space: Space, sessionId: string): void;
}

/** How soon what another instance wrote is seen: one look at one document, however many follow it. */
const LOOK_MS = 100;

export function createWakeups({ store, clock }: { store: Store; clock: Clock }): Wakeups {
  const followed = new Map<string, { followers: Set<() => void>; stop: () => void }>();

  function begin(space: Space, sessionId: string): { followers: Set<() => void>; stop: () => void } {
    const followers = new Set<() => void>();
    let seen: string | undefined;
    let looking = false;
    const stop = clock.every(LOOK_MS, () => {
      if (looking) return;
      looking = true;
      store
        .transact((tx) => tx.get(sessions, space, sessionId))
        .then((session) => {
          const now = JSON.stringify(session);
          // The first time, too: something may have been written since its followers looked.
          if (now !== seen) for (const wake of [...followers]) wake();
          seen = now;
        })
        // Whoever follows finds out by itself that the store is away.
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
