import { accountSpace, GLOBAL, type Store } from "../../store/store.ts";
import { type ApiKey, accounts, apiKeys, type User, users } from "../model.ts";
import {
  inSlices,
  type PageOf,
  type PageRequest,
  placeAt,
  type Sort,
  type SortedRequest,
  type SortKey,
  sortedPage,
  sortedSearchPage,
  textSortKey,
} from "../page.ts";
import { isEndedByMark } from "./ending.ts";
import type { KEY_ORDERS } from "./keys-contract.ts";

/** A key with the e-mail address of its maker. `previous` is absent once that secret has ended. */
export type KnownKey = ApiKey & { createdBy: string };

type KeyOrder = (typeof KEY_ORDERS)[number];
export type KeySort = Sort<KeyOrder>;

export interface KeyQuestion extends PageRequest {
  /** A part of the name, the id, the secret's shown prefix or the project's id; case is ignored. */
  query?: string | undefined;
  /** The user whose keys are wanted. */
  userId?: string | undefined;
  /** Selects working keys that expire between two times, both exclusive, in milliseconds since the epoch. */
  expires?: { from: number; to: number } | undefined;
  /** Defaults to `createdAt`. */
  sort?: KeySort | undefined;
}

/** Returns a page of the account's keys that match the question. */
export async function searchKeys(
  store: Store,
  accountId: string,
  { query, userId, expires, sort = "createdAt", limit, cursor }: KeyQuestion,
  now: number,
): Promise<PageOf<KnownKey>> {
  const account = await store.transact((tx) => tx.get(accounts, GLOBAL, accountId));
  const part = query?.toLowerCase() ?? "";
  const isAsked = (key: ApiKey) =>
    (userId === undefined || key.userId === userId) &&
    (expires === undefined || isBetween(key, expires)) &&
    holds(key, part) &&
    !isEndedByMark(account ?? {}, key);
  const page = { limit, cursor, sortKeyOf, idPrefix: "key_" };
  const found =
    sort === "createdAt" || sort === "-createdAt"
      ? await byAge(store, accountId, { ...page, sort }, isAsked)
      : await sortedSearchPage(store, apiKeys, accountSpace(accountId), { ...page, sort }, isAsked);
  return { ...found, items: await withMakers(store, accountId, found.items, now) };
}

/** Searches in order of creation. Ids sort by creation time, so reading stops when the page is full. */
async function byAge(
  store: Store,
  accountId: string,
  request: SortedRequest<ApiKey, KeyOrder>,
  isAsked: (key: ApiKey) => boolean,
): Promise<PageOf<ApiKey>> {
  const { limit, cursor, sort } = request;
  const order = sort === "-createdAt" ? "descending" : "ascending";
  const after = cursor === undefined ? undefined : (placeAt(cursor).at(-1) as string);
  const keys: ApiKey[] = [];
  for await (const some of inSlices(store, apiKeys, accountSpace(accountId), {
    order,
    first: limit + 1,
    after,
  })) {
    keys.push(...some.map(({ value }) => value).filter(isAsked));
    if (keys.length > limit) break;
  }
  return sortedPage(keys, request);
}

function isBetween({ expiresAt, suspendedAt }: ApiKey, { from, to }: { from: number; to: number }): boolean {
  return suspendedAt === undefined && expiresAt !== undefined && from < expiresAt && expiresAt < to;
}

function holds({ name, id, prefix, projectId = "" }: ApiKey, part: string): boolean {
  return [name, id, prefix, projectId].some((text) => text.toLowerCase().includes(part));
}

/** Returns a key's sort key. Keys that were never used sort first, keys that never expire sort last. */
function sortKeyOf(key: ApiKey, order: KeyOrder): SortKey {
  switch (order) {
    case "createdAt":
      return ["", key.id];
    case "name":
      return textSortKey(key.name, key.id);
    case "lastUsedAt":
      return [key.lastUsedAt ?? 0, key.id];
    case "expiresAt":
      return [key.expiresAt ?? Number.MAX_SAFE_INTEGER, key.id];
  }
}

async function withMakers(
  store: Store,
  accountId: string,
  keys: readonly ApiKey[],
  now: number,
): Promise<KnownKey[]> {
  const makers = [...new Set(keys.map(({ userId }) => userId))];
  const found = await store.transact((tx) =>
    Promise.all(makers.map((id) => tx.get(users, accountSpace(accountId), id))),
  );
  const byId = new Map(found.map((user) => [user?.id, user]));
  return keys.map((key) => shown(key, byId.get(key.userId), now));
}

/** Returns a key as its account sees it, without a previous secret that has ended. */
export function shown({ previous, ...key }: ApiKey, maker: User | undefined, now: number): KnownKey {
  const endsAt = Math.min(previous?.endsAt ?? 0, key.expiresAt ?? Number.POSITIVE_INFINITY);
  return {
    ...key,
    createdBy: maker?.email ?? key.userId,
    ...(previous && endsAt > now && { previous: { ...previous, endsAt } }),
  };
}
