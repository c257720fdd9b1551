import { setImmediate } from "node:timers/promises";
import { invalidRequest } from "../contract/faults.ts";
import type { Collection, Entry, Space, Store } from "../store/store.ts";
import { defined } from "../system/defined.ts";

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
  const more = { ...defined({ after: cursor }), limit: limit + 1, order: "ascending" as const };
  const entries = await store.transact((tx) => tx.list(collection, space, more));
  const page = entries.slice(0, limit);
  const items = page.map((entry) => view(entry.value));
  const last = page.at(-1) as Entry<T>;
  return entries.length > limit ? { items, nextCursor: last.id } : { items };
}

/** Read at a time: others wait for some milliseconds, and all that an account may have is read in four goes. */
const SLICE = 2500;

export interface SliceOptions {
  order?: "ascending" | "descending";
  /** How many come first: where these may be enough, no more are read. */
  first?: number;
  /** An id. */
  after?: string | undefined;
}

/** All of a collection in the order of ids, some at a time, each as of its own instant. */
export async function* inSlices<T>(
  store: Store,
  collection: Collection<T>,
  space: Space,
  { order = "ascending", first = SLICE, after }: SliceOptions = {},
): AsyncGenerator<Entry<T>[]> {
  let last = after;
  for (let limit = first; ; limit = SLICE) {
    const slice = { order, limit, ...defined({ after: last }) };
    const read = await store.transact((tx) => tx.list(collection, space, slice));
    yield read;
    if (read.length < limit) return;
    last = read.at(-1)?.id;
    await setImmediate();
  }
}

/** Looked through for one page, however few of them match. */
const MAX_LOOKED_AT = 10_000;

/** A page of those that match. It may be short although more follow: looking goes on at its cursor. */
export async function searchPage<T>(
  store: Store,
  collection: Collection<T>,
  space: Space,
  { limit, cursor }: PageRequest,
  matches: (document: T) => boolean,
): Promise<PageOf<T>> {
  const found: Entry<T>[] = [];
  let looked = 0;
  for await (const entries of inSlices(store, collection, space, { first: limit + 1, after: cursor })) {
    found.push(...entries.filter(({ value }) => matches(value)));
    const items = found.slice(0, limit).map(({ value }) => value);
    if (found.length > limit) return { items, nextCursor: (found[limit - 1] as Entry<T>).id };
    looked += entries.length;
    const last = entries.at(-1);
    if (looked >= MAX_LOOKED_AT && last) return { items, nextCursor: last.id };
  }
  return { items: found.map(({ value }) => value) };
}

export function viewed<T, V>(page: PageOf<T>, view: (item: T) => V): PageOf<V> {
  return { ...page, items: page.items.map(view) };
}

/** What a list is sorted by; with a minus before it, the other way around. */
export type Sort<Order extends string> = Order | `-${Order}`;

/** Where something stands in an order; ids follow the time of making. */
export type Place = [value: string | number, id: string];

/** Of a text, so that a cursor is short. */
const COMPARED_CHARACTERS = 60;

/** Where a text puts something, whatever its case. */
export function placeByText(text: string, id: string): Place {
  return [text.toLowerCase().slice(0, COMPARED_CHARACTERS), id];
}

/** A page of something in an order, where what is to be compared is told by `placeOf`. */
export interface SortedRequest<T, Order extends string> extends PageRequest {
  sort: Sort<Order>;
  placeOf: (item: T, order: Order) => Place;
}

/**
 * A page of all that there is, in an order; the cursor is the place of the last one on the page before, so that what
 * comes or goes meanwhile moves nothing else. `Problem` `invalid_request` for what is no cursor.
 */
export function sortedPage<T, Order extends string>(
  all: readonly T[],
  request: SortedRequest<T, Order>,
): PageOf<T> {
  const { limit } = request;
  const first = firstInOrder(all, request);
  const items = first.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ item }) => item),
    ...(last && first.length > limit && { nextCursor: cursorAt(last.place) }),
  };
}

/** As `sortedPage`, of those in a collection that match. */
export async function sortedSearchPage<T, Order extends string>(
  store: Store,
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

/** Of those behind the cursor as many as are on a page, and one that tells whether more follow. */
function firstInOrder<T, Order extends string>(
  all: readonly T[],
  { sort, limit, cursor, placeOf }: SortedRequest<T, Order>,
): { item: T; place: Place }[] {
  const isReversed = sort.startsWith("-");
  const order = (isReversed ? sort.slice(1) : sort) as Order;
  const turn = isReversed ? -1 : 1;
  const after = cursor === undefined ? undefined : placeAt(cursor);
  return all
    .map((item) => ({ item, place: placeOf(item, order) }))
    .filter(({ place }) => after === undefined || turn * compare(place, after) > 0)
    .sort((one, other) => turn * compare(one.place, other.place))
    .slice(0, limit + 1);
}

function compare([value, id]: Place, [otherValue, otherId]: Place): number {
  if (value !== otherValue) return value < otherValue ? -1 : 1;
  return id < otherId ? -1 : id > otherId ? 1 : 0;
}

function cursorAt(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** `Problem` `invalid_request`. */
export function placeAt(cursor: string): Place {
  try {
    const place = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const [value, id] = place;
    if (typeof id === "string" && (typeof value === "string" || typeof value === "number"))
      return [value, id];
  } catch {}
  throw invalidRequest([{ path: "cursor", message: "is no cursor of this list" }]);
}
