import type { Collection, Space, Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";

const PRECISION_MS = 60_000;
const MAX_REMEMBERED = 50_000;

/** Notes that a credential was used. Returns at once: no request waits for this or fails by it. */
export type NoteUse = <T extends { lastUsedAt?: number; expiresAt?: number }>(
  collection: Collection<T>,
  space: Space,
  id: string,
) => void;

/** Keeps `lastUsedAt` true to a minute, with at most one write a minute for each id. */
export function createLastUse({ store, clock }: { store: Store; clock: Clock }): NoteUse {
  const noted = new Map<string, number>();
  return (collection, space, id) => {
    const now = clock.now();
    const before = noted.get(id);
    if (before !== undefined && Math.abs(now - before) < PRECISION_MS) return;
    if (noted.size >= MAX_REMEMBERED) noted.clear();
    noted.set(id, now);
    store
      .transact(async (tx) => {
        const document = await tx.get(collection, space, id);
        if (!document || now - (document.lastUsedAt ?? 0) < PRECISION_MS) return;
        const { expiresAt } = document;
        const lifetime = expiresAt === undefined ? {} : { expiresAt };
        await tx.put(collection, space, id, { ...document, lastUsedAt: now }, lifetime);
      })
      // A store that is away shows in the requests themselves; the next minute tries again.
      .catch(() => {});
  };
}
