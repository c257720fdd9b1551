import { pageOf } from "../contract/endpoint.ts";
import { invalidRequest } from "../contract/faults.ts";
import { type Collection, type Entry, isId, type Space, type Store } from "../store/store.ts";
import { defined } from "../system/defined.ts";
import { othersFirst } from "../system/others-first.ts";

export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

/** A page of a list, in the form that every list endpoint returns. */
export interface PageOf<T> {
  items: T[];
  nextCursor?: string;
}

/** Returns a page of a collection, ordered by id. The cursor is the last id of the previous page. */
export async function listPage<T>(
  store: Pick<Store, "transact">,
  collection: Collection<T>,
  space: Space,
  { limit, cursor }: PageRequest,
): Promise<PageOf<Entry<T>>> {
  const more = { ...defined({ after: cursor }), limit: limit + 1, order: "ascending" as const };
  const entries = await store.transact((tx) => tx.list(collection, space, more));
  return pageOf(entries, limit, ({ id }) => id);
}

/** Documents per read: blocks others for a few milliseconds only, and reads `MAX_OF_ACCOUNT` in four batches. */
const SLICE = 2500;

export interface SliceOptions {
  order?: "ascending" | "descending";
  /** Only ids with this prefix. */
  prefix?: string;
  /** The size of the first slice, for callers that may need no more. */
  first?: number;
  /** The size of the others; fewer where documents are large. */
  size?: number;
  /** The id to start behind. */
  after?: string | undefined;
}

/** Yields a collection in slices, ordered by id. Each slice is read in its own transaction. */
export async function* inSlices<T>(
  store: Pick<Store, "transact">,
  collection: Collection<T>,
  space: Space,
  { order = "ascending", prefix, size = SLICE, first = size, after }: SliceOptions = {},
): AsyncGenerator<Entry<T>[]> {
  let last = after;
  for (let limit = first; ; limit = size) {
    const slice = { order, limit, ...defined({ prefix, after: last }) };
    const read = await store.transact((tx) => tx.list(collection, space, slice));
    yield read;
    if (read.length < limit) return;
    last = read.at(-1)?.id;
    await othersFirst();
  }
}

/** The most documents examined for one page, even if few of them match. */
const MAX_LOOKED_AT = 10_000;

/** Returns a page of the matching documents. A page may be short although more follow at its cursor. */
export async function searchPage<T>(
  store: Pick<Store, "transact">,
  collection: Collection<T>,
  space: Space,
  { limit, cursor }: PageRequest,
  matches: (document: T) => boolean,
): Promise<PageOf<T>> {
  const found: Entry<T>[] = [];
  let looked = 0;
  for await (const entries of inSlices(store, collection, space, { first: limit + 1, after: cursor })) {
    found.push(...entries.filter(({ value }) => matches(value)));
    if (found.length > limit) break;
    looked += entries.length;
    const last = entries.at(-1);
    if (looked >= MAX_LOOKED_AT && last) return { items: found.map(documentOf), nextCursor: last.id };
  }
  return viewed(
    pageOf(found, limit, ({ id }) => id),
    documentOf,
  );
}

function documentOf<T>({ value }: Entry<T>): T {
  return value;
}

export function viewed<T, V>(page: PageOf<T>, view: (item: T) => V): PageOf<V> {
  return { ...page, items: page.items.map(view) };
}

/** The sort order of a list; a leading minus reverses it. */
export type Sort<Order extends string> = Order | `-${Order}`;

/** An item's place in a sorted list: what it is sorted by, with its id as the tie-breaker. Ids sort by creation time. */
export type SortKey = readonly [...values: (string | number)[], id: string];

/** Characters of a text that are compared, which keeps cursors short. */
const COMPARED_CHARACTERS = 60;

/** Returns the sort key of a text, ignoring case. */
export function textSortKey(text: string, id: string): SortKey {
  return [text.toLowerCase().slice(0, COMPARED_CHARACTERS), id];
}

/** A request for a sorted page; `sortKeyOf` returns the sort key of an item. */
export interface SortedRequest<T, Order extends string> extends PageRequest {
  sort: Sort<Order>;
  sortKeyOf: (item: T, order: Order) => SortKey;
  /** How the ids of the list begin, such as `key_`, to refuse a cursor of another list. */
  idPrefix?: string;
}

/**
 * Returns a page of the sorted items. The cursor is the sort key of the previous page's last item, so items that
 * are added or removed between two requests shift no others. `Problem` `invalid_request` for an invalid cursor.
 */
export function sortedPage<T, Order extends string>(
  all: readonly T[],
  request: SortedRequest<T, Order>,
): PageOf<T> {
  const page = pageOf(firstInOrder(all, request), request.limit, ({ place }) => cursorAt(place));
  return viewed(page, ({ item }) => item);
}

/** Like `sortedPage`, for the matching documents of a collection. */
export async function sortedSearchPage<T, Order extends string>(
  store: Pick<Store, "transact">,
  collection: Collection<T>,
  space: Space,
  request: SortedRequest<T, Order>,
  matches: (document: T) => boolean,
): Promise<PageOf<T>> {
  let first: T[] = [];
  for await (const entries of inSlices(store, collection, space)) {
    for (const { value } of entries) if (matches(value)) first.push(value);
    first = firstInOrder(first, request).map(({ item }) => item);
  }
  return sortedPage(first, request);
}

/** Returns the items behind the cursor: a page of them, and one more if a further page follows. */
function firstInOrder<T, Order extends string>(
  all: readonly T[],
  { sort, limit, cursor, sortKeyOf, idPrefix }: SortedRequest<T, Order>,
): { item: T; place: SortKey }[] {
  const isReversed = sort.startsWith("-");
  const order = (isReversed ? sort.slice(1) : sort) as Order;
  const turn = isReversed ? -1 : 1;
  const after = cursor === undefined ? undefined : placeAt(cursor, { idPrefix });
  return all
    .map((item) => ({ item, place: sortKeyOf(item, order) }))
    .filter(({ place }) => after === undefined || turn * comparePlaces(place, after) > 0)
    .sort((one, other) => turn * comparePlaces(one.place, other.place))
    .slice(0, limit + 1);
}

export function comparePlaces(one: SortKey, other: SortKey): number {
  for (let index = 0; index < one.length; index++) {
    const [value, otherValue] = [one[index] as string | number, other[index] as string | number];
    if (value !== otherValue) return value < otherValue ? -1 : 1;
  }
  return 0;
}

export function cursorAt(place: SortKey): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** Parses a cursor of a list that is sorted by so many values, and whose ids begin so. `Problem` `invalid_request`. */
export function placeAt(
  cursor: string,
  { values = 1, idPrefix = "" }: { values?: number; idPrefix?: string | undefined } = {},
): SortKey {
  const place = placeIn(cursor, values);
  if (place && (place[values] as string).startsWith(idPrefix)) return place;
  throw invalidRequest([{ path: "cursor", message: "is no cursor of this list" }]);
}

/** Like `placeAt`, but undefined of what is no cursor. */
export function placeIn(cursor: string, values = 1): SortKey | undefined {
  try {
    const place = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const isPlace =
      Array.isArray(place) &&
      place.length === values + 1 &&
      place.every((value) => typeof value === "string" || typeof value === "number");
    const id = isPlace && place[values];
    if (typeof id === "string" && isId(id)) return place as unknown as SortKey;
  } catch {}
  return undefined;
}
