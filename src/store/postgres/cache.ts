import { Recent } from "../../system/lately.ts";
import type { Space } from "../store.ts";
import type { Lookups, Row } from "./lookups.ts";
import { type DocumentKey, keyOf } from "./writes.ts";

/** Documents of cached collections, in memory as long as it is sure to hear of every write to them. */
export interface Cache {
  get(collection: string, space: Space, id: string): Promise<Row | undefined>;
  /** These have been written. */
  drop(keys: Iterable<DocumentKey>): void;
  clear(): void;
}

const MAX_ENTRIES = 50_000;

export function createCache(lookups: Pick<Lookups, "document">, isTrusted: () => boolean): Cache {
  const entries = new Recent<string, Row>(MAX_ENTRIES);
  /** Grows whenever something is dropped: what was read before may be older than that. */
  let generation = 0;

  return {
    async get(collection, space, id) {
      const key = keyOf(collection, space, id);
      const trusted = isTrusted();
      const known = trusted && entries.get(key);
      if (known) return known;
      const begun = generation;
      const row = await lookups.document(collection, space, id);
      // What is absent is not remembered: a stranger could fill the memory with that.
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
