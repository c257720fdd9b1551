import { BoundedMap } from "../../system/caching.ts";
import type { Space } from "../store.ts";
import type { Lookups, Row } from "./lookups.ts";
import { type DocumentKey, keyOf } from "./writes.ts";

/** Documents of cached collections, kept in memory while notification of every write to them is assured. */
export interface Cache {
  get(collection: string, space: Space, id: string): Promise<Row | undefined>;
  /** Removes documents that have been written. */
  drop(keys: Iterable<DocumentKey>): void;
  clear(): void;
}

const MAX_ENTRIES = 50_000;

export function createCache(lookups: Pick<Lookups, "document">, isTrusted: () => boolean): Cache {
  const entries = new BoundedMap<string, Row>(MAX_ENTRIES);
  /** Incremented with every removal. A document read under an earlier generation may be out of date. */
  let generation = 0;

  return {
    async get(collection, space, id) {
      const key = keyOf(collection, space, id);
      const trusted = isTrusted();
      const known = trusted && entries.get(key);
      if (known) return known;
      const begun = generation;
      const row = await lookups.document(collection, space, id);
      // Absent documents are not cached: a stranger could fill the memory with them.
      if (row && trusted && begun === generation) entries.set(key, row);
      return row;
    },
    drop(keys) {
      for (const { collection, space, id } of keys) {
        generation++;
        entries.delete(keyOf(collection, space, id));
      }
    },
    clear() {
      generation++;
      entries.clear();
    },
  };
}
