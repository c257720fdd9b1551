import type { Cache } from "./cache.ts";
import { announcement } from "./connection/listener.ts";
import type { Session } from "./connection/session.ts";
import { type Collections, writeStatements } from "./statements/write.ts";
import type { DocumentKey, Writes } from "./writes.ts";

/** Commits the writes and what was `sent` before, and notifies every instance that may have cached them. */
export type Commit = (session: Session, writes: Writes, sent?: Iterable<DocumentKey>) => Promise<void>;

export function createCommit(collections: Collections, cache: Pick<Cache, "drop">): Commit {
  return async (session, writes, sent = []) => {
    const keys = [...sent, ...writes.documents.values()];
    const cached = keys.filter(({ collection }) => collections.get(collection)?.cached);
    try {
      await session.commit([
        ...writeStatements(writes, collections),
        ...(cached.length > 0 ? [announcement(cached)] : []),
      ]);
    } finally {
      // A failed commit may have taken place all the same.
      cache.drop(cached);
    }
  };
}
