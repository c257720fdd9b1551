import type { Collection, Entry, Space, Store } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import type { Entity, Relationship } from "./contract.ts";
import { entities, entityOf, relationshipOf, relationships } from "./documents.ts";

/** Documents read from the store at a time. */
const PAGE = 1000;

/** A whole graph on its way out: all entities, then the relationships among them, page by page. */
export interface WholeGraph {
  entities(): AsyncGenerator<Entity[]>;
  relationships(): AsyncGenerator<Relationship[]>;
  /** Of what was read so far. */
  counts(): { entities: number; relationships: number };
  updatedAt(): string | null;
}

/** Nobody waits while a large graph is read; what is related meanwhile comes only with both its ends. */
export function readWholeGraph(store: Store, space: Space): WholeGraph {
  const ids = new Set<string>();
  let related = 0;
  let updatedAt: number | undefined;
  const note = (times: { updatedAt: number }): void => {
    updatedAt = Math.max(updatedAt ?? 0, times.updatedAt);
  };
  return {
    async *entities() {
      for await (const page of pagesOf(store, entities, space)) {
        for (const { id, value } of page) {
          ids.add(id);
          note(value);
        }
        yield page.map(({ id, value }) => entityOf(id, value));
      }
    },
    async *relationships() {
      for await (const page of pagesOf(store, relationships, space)) {
        const known = page.filter(({ value }) => ids.has(value.from) && ids.has(value.to));
        for (const { value } of known) note(value);
        related += known.length;
        yield known.map(({ value }) => relationshipOf(value));
      }
    },
    counts: () => ({ entities: ids.size, relationships: related }),
    updatedAt: () => (updatedAt === undefined ? null : iso(updatedAt)),
  };
}

async function* pagesOf<T>(
  store: Store,
  collection: Collection<T>,
  space: Space,
): AsyncGenerator<Entry<T>[]> {
  let after: string | undefined;
  do {
    const options = { limit: PAGE, ...(after !== undefined && { after }) };
    const page = await store.transact((tx) => tx.list(collection, space, options));
    yield page;
    after = page.length === PAGE ? page.at(-1)?.id : undefined;
  } while (after !== undefined);
}
