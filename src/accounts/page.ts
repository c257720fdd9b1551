import type { Collection, Entry, Space, Store } from "../store/store.ts";

export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

/** A page of a list, as every list of the API answers. */
export interface PageOf<T> {
  items: T[];
  nextCursor?: string;
}

/** A page of a collection in the order of ids; the cursor is the last id of the page before. */
export async function listPage<T, V>(
  store: Store,
  collection: Collection<T>,
  space: Space,
  { limit, cursor }: PageRequest,
  view: (document: T) => V,
): Promise<PageOf<V>> {
  const after = cursor === undefined ? {} : { after: cursor };
  const entries = await store.transact((tx) =>
    tx.list(collection, space, { ...after, limit: limit + 1, order: "ascending" }),
  );
  const page = entries.slice(0, limit);
  const items = page.map((entry) => view(entry.value));
  const last = page.at(-1) as Entry<T>;
  return entries.length > limit ? { items, nextCursor: last.id } : { items };
}

/** Looked through for one page, however few of them match. */
const MOST_LOOKED_AT = 10_000;

/** A page of those that match. It may be short although more follow: looking goes on at its cursor. */
export async function searchPage<T>(
  store: Store,
  collection: Collection<T>,
  space: Space,
  { limit, cursor }: PageRequest,
  matches: (document: T) => boolean,
): Promise<PageOf<T>> {
  const after = cursor === undefined ? {} : { after: cursor };
  const entries = await store.transact((tx) =>
    tx.list(collection, space, { ...after, limit: MOST_LOOKED_AT, order: "ascending" }),
  );
  const items: T[] = [];
  for (const { id, value } of entries) {
    if (matches(value)) items.push(value);
    if (items.length === limit && id !== entries.at(-1)?.id) return { items, nextCursor: id };
  }
  const last = entries.at(-1);
  return entries.length === MOST_LOOKED_AT && last ? { items, nextCursor: last.id } : { items };
}

export function viewed<T, V>(page: PageOf<T>, view: (item: T) => V): PageOf<V> {
  return { ...page, items: page.items.map(view) };
}
