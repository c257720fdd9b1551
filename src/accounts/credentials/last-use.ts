import { type Collection, GLOBAL, ownerOf, type Space, type Store } from "../../store/store.ts";
import { createThrottle } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { accountUses } from "../model.ts";

const PRECISION_MS = MINUTE_MS;
const MAX_REMEMBERED = 50_000;

interface Used {
  lastUsedAt?: number;
  lastUsedAddress?: string;
  expiresAt?: number;
}

export interface Use {
  /** The client's address, for credentials that record it. */
  address?: string | undefined;
  /** Whether the document is kept after it expires, so that people can still see it. */
  outlivesItself?: boolean;
}

/** Notes that a credential was used. Returns at once: no request waits for this or fails because of it. */
export type NoteUse = <T extends Used>(
  collection: Collection<T>,
  space: Space,
  id: string,
  use?: Use,
) => void;

/**
 * Keeps `lastUsedAt` of a credential and of its account accurate to a minute, with at most one write a minute for
 * each id. `lastUsedAddress` is the address of the recorded use.
 */
export function createLastUse({ store, clock }: { store: Store; clock: Clock }): NoteUse {
  const isDue = createThrottle(clock, { everyMs: PRECISION_MS, most: MAX_REMEMBERED });
  return (collection, space, id, { address, outlivesItself = false } = {}) => {
    if (!isDue(id)) return;
    const now = clock.now();
    store
      .transact(async (tx) => {
        const document = await tx.get(collection, space, id);
        if (!document || Math.abs(now - (document.lastUsedAt ?? 0)) < PRECISION_MS) return;
        const { expiresAt } = document;
        const lifetime = expiresAt === undefined || outlivesItself ? {} : { expiresAt };
        const used = { lastUsedAt: now, ...defined({ lastUsedAddress: address }) };
        await tx.put(collection, space, id, { ...document, ...used }, lifetime);
        await tx.put(accountUses, GLOBAL, ownerOf(space), { lastUsedAt: now });
      })
      // Requests themselves report an unavailable store. The next use after a minute retries.
      .catch(() => {});
  };
}
