import { setImmediate } from "node:timers/promises";
import { accountSpace, GLOBAL, type Store } from "../../store/store.ts";
import { type ApiKey, accounts, apiKeys, type User, users } from "../model.ts";
import {
  type PageOf,
  type PageRequest,
  type Place,
  placeAt,
  placeByText,
  type Sort,
  sortedPage,
} from "../page.ts";
import type { KnownKey } from "./api-keys.ts";
import { isOver } from "./ending.ts";
import type { KEY_ORDERS } from "./keys-contract.ts";

type KeyOrder = (typeof KEY_ORDERS)[number];
export type KeySort = Sort<KeyOrder>;

export interface KeyQuestion extends PageRequest {
  /** Part of the name, of the id, of what is shown of the secret or of the project's id. */
  query?: string | undefined;
  /** Of whom they are. */
  userId?: string | undefined;
  /** Those that work and expire then; milliseconds since the epoch, `to` is exclusive. */
  expires?: { from: number; to: number } | undefined;
  /** `createdAt` unless given. */
  sort?: KeySort | undefined;
}

/** Read at a time: others wait for some milliseconds, and all that an account may have is read in four goes. */
const SLICE = 2500;

/** One page of the keys of an account that are asked for. */
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
    !isOver(account ?? {}, key);
  const isByAge = sort === "createdAt" || sort === "-createdAt";
  const keys: ApiKey[] = [];
  const order = sort === "-createdAt" ? "descending" : "ascending";
  // A page of all keys in the order that they are kept in needs to read no more than itself.
  const slice = isByAge && part === "" && userId === undefined ? limit + 1 : SLICE;
  const after = isByAge && cursor !== undefined ? placeAt(cursor)[1] : undefined;
  for await (const some of inOrderOfAge(store, accountId, { order, slice, after })) {
    keys.push(...some.filter(isAsked));
    if (isByAge && keys.length > limit) break;
  }
  const found = sortedPage(keys, { sort, limit, cursor }, placeOf);
  return { ...found, items: await withMakers(store, accountId, found.items, now) };
}

async function* inOrderOfAge(
  store: Store,
  accountId: string,
  { order, slice, after }: { order: "ascending" | "descending"; slice: number; after: string | undefined },
): AsyncGenerator<ApiKey[]> {
  for (let last = after; ; ) {
    const read = await store.transact((tx) =>
      tx.list(apiKeys, accountSpace(accountId), {
        order,
        limit: slice,
        ...(last !== undefined && { after: last }),
      }),
    );
    yield read.map(({ value }) => value);
    if (read.length < slice) return;
    last = read.at(-1)?.id;
    await setImmediate();
  }
}

function isBetween({ expiresAt, suspendedAt }: ApiKey, { from, to }: { from: number; to: number }): boolean {
  return suspendedAt === undefined && expiresAt !== undefined && from < expiresAt && expiresAt < to;
}

function holds({ name, id, prefix, projectId = "" }: ApiKey, part: string): boolean {
  return [name, id, prefix, projectId].some((text) => text.toLowerCase().includes(part));
}

/** Never used comes before used, and what never expires behind what does. */
function placeOf(key: ApiKey, order: KeyOrder): Place {
  switch (order) {
    case "createdAt":
      return ["", key.id];
    case "name":
      return placeByText(key.name, key.id);
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

/** A key as its account is told of it. */
export function shown({ previous, ...key }: ApiKey, maker: User | undefined, now: number): KnownKey {
  const endsAt = Math.min(previous?.endsAt ?? 0, key.expiresAt ?? Number.POSITIVE_INFINITY);
  return {
    ...key,
    createdBy: maker?.email ?? key.userId,
    ...(previous && endsAt > now && { previous: { ...previous, endsAt } }),
  };
}
