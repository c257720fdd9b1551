/**
 * The store port: the interface to persistence for the rest of the program. Two adapters implement it (`json-file/`,
 * `postgres/`) and pass one conformance suite, `src/testing/conformance/suite.ts`.
 *
 * Values are JSON: `get` returns the caller's own copy (of a cached collection, a frozen one), and `undefined` members
 * are dropped. Ids order by their UTF-8 bytes. Errors: `Conflict` from `insert`, `NoRoom` from `assertRoom`,
 * `StoreUnavailable` from anything.
 */

import type { Collection } from "./collection.ts";
import type { StorageUse } from "./storage-use.ts";

export { type Collection, collection, isStoreName } from "./collection.ts";
export { Conflict, NoRoom, ReadOnly, reasonOf, StoreUnavailable } from "./store-errors.ts";

/** The unit of isolation: everything is kept, listed and followed within one. */
export type Space = string;

/** The space of what belongs to no account: accounts themselves, and what is found by a secret. */
export const GLOBAL: Space = "global";

/** Whether every store can keep a text as an id: it has whole characters and no NUL, which PostgreSQL cannot hold. */
export function isId(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** @throws TypeError for a `Date`, a text or null, which a tool in plain JavaScript may give */
export function assertExpiry(expiresAt: number): void {
  if (typeof expiresAt === "number" && !Number.isNaN(expiresAt)) return;
  throw new TypeError(
    `no time of expiry: ${expiresAt}. \`expiresAt\` is in milliseconds since the epoch: clock.now() + 60_000.`,
  );
}

export function accountSpace(accountId: string): Space {
  if (typeof accountId === "string" && accountId !== "") return accountId;
  throw new TypeError("accountSpace() takes the id of an account: accountSpace(caller.accountId).");
}

/** Returns the account that a space belongs to; `GLOBAL` for a space of no account. */
export function ownerOf(space: Space): string {
  const slash = space.indexOf("/");
  return slash < 0 ? space : space.slice(0, slash);
}

/** Returns the account that a space belongs to; undefined for a space of no account. */
export function accountOf(space: Space): string | undefined {
  const owner = ownerOf(space);
  return owner === GLOBAL ? undefined : owner;
}

/** Returns the space of a project. Account ids hold no slash, so it is never another account's. */
export function projectSpace(accountId: string, projectId: string): Space {
  // A space that is made of `undefined` would be everybody's.
  if ([accountId, projectId].some((id) => typeof id !== "string" || id === "")) {
    throw new TypeError(
      "projectSpace() takes the ids of an account and of a project: projectSpace(caller.accountId, caller.projectId). " +
        "The caller of a public endpoint has no account unless it sends a credential.",
    );
  }
  return `${accountId}/${projectId}`;
}

/** Returns the space of the project that a caller works in. */
export function spaceOf({ accountId, projectId }: { accountId: string; projectId: string }): Space {
  return projectSpace(accountId, projectId);
}

export interface ListOptions {
  /** Exclusive: continues after this id in the direction of `order`. */
  after?: string | undefined;
  /** Only ids with this prefix. */
  prefix?: string | undefined;
  limit?: number | undefined;
  order?: "ascending" | "descending" | undefined;
}

/** A range of counters by their ids. */
export interface CountsRange {
  from: string;
  /** Exclusive. */
  to: string;
  /** Exclusive: continues after this id. */
  after?: string | undefined;
  /** Maximum number of counters. */
  limit?: number | undefined;
}

export interface Entry<T> {
  id: string;
  value: T;
}

export interface WriteOptions {
  /** Milliseconds since the epoch from which the document counts as absent. */
  expiresAt?: number | undefined;
}

/** What was written in a space of a collection since a version, or the first part of that. */
export interface Changes {
  /** Opaque. Passed as `since` to get what follows. */
  version: string;
  /** The newest state of each document written, in the order of writing. */
  entries: Change[];
  /** Whether there is more. */
  more: boolean;
}

export interface Change {
  id: string;
  /** The JSON text of the document; absent for a deletion. Not parsed, since followers do so on another thread. */
  text?: string;
}

/** A transaction. Everything that it reads and writes happens at one instant or not at all. */
export interface Transaction {
  get<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined>;
  /** Whether `get` would find a document. Does not parse it. */
  has<T>(collection: Collection<T>, space: Space, id: string): Promise<boolean>;
  list<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<Entry<T>[]>;
  /** Returns the ids that `list` would find, without reading the documents. */
  ids<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<string[]>;
  /** Rejects with `Conflict` if the id is taken, and voids the transaction. */
  insert<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void>;
  put<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void>;
  delete<T>(collection: Collection<T>, space: Space, id: string): Promise<void>;
  /** Adds to a counter, which begins at 0, and returns the new total. Never conflicts. */
  increment(counter: string, space: Space, id: string, by: number): Promise<number>;
  /** Returns the counters whose ids are in a range, in order. */
  counts(counter: string, space: Space, range: CountsRange): Promise<{ id: string; count: number }[]>;
  /** Deletes the counters that `counts` would find and returns their number. They begin at 0 again. */
  deleteCounts(counter: string, space: Space, range: CountsRange): Promise<number>;
  /**
   * Returns what was written since `since`, or everything. `"reset"`: `since` is too old, start again without it.
   * Returns about `maxBytes` at most, in a time that depends on these and not on how much there is.
   */
  changes<T>(
    collection: Collection<T>,
    space: Space,
    since?: string,
    options?: { maxBytes?: number | undefined },
  ): Promise<Changes | "reset">;
  /**
   * `get` for data that may be out of date: of a cached collection it may be a second old, and does not wait for writers.
   */
  peek<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined>;
  /**
   * Rejects with `NoRoom` if the writes so far make an account store more than before and more than `most`, or exceed
   * the store's own bound. The transaction is then void. Concurrent transactions may exceed `most` together.
   */
  assertRoom(account: string, most: StorageUse): Promise<void>;
}

/** What a transaction is to the request that it serves: `answer` or `step` of its `Caller` (`contract/caller.ts`). */
export interface Role {
  readonly role: "answer" | "step";
}

/** One limit on one caller. */
export interface LimitWindow {
  /** Unique among all limits: `account/acc_…/hour`. */
  key: string;
  /** Requests that a fixed window admits, or the most that a bucket holds. */
  capacity: number;
  /** `fixed`: aligned to multiples of the window since the epoch. `bucket`: starts full and refills evenly. */
  kind: "fixed" | "bucket";
  /** Length of the fixed window, or the time in which the bucket gains `refill`. */
  windowMs: number;
  /** Bucket only: what it gains in `windowMs`; by default `capacity`. */
  refill?: number;
  /** What one admission takes; by default 1. With 0 it only asks whether one is left. */
  cost?: number;
}

export interface WindowState {
  /** What is left after this admission; for a bucket possibly a fraction. */
  remaining: number;
  /** Milliseconds since the epoch at which the whole capacity is available again. */
  resetAt: number;
  /** When one more would be admitted: now if something is left. */
  nextAt: number;
}

export interface Verdict {
  admitted: boolean;
  /** One for each window asked about, in order. */
  windows: WindowState[];
}

export interface Store {
  /**
   * Runs `work` in a serialisable transaction and resolves when its writes are durable. `work` may be run again, so it
   * has no side effects, and it awaits nothing but its transaction, which others wait for. An error from `work` voids
   * the transaction and is passed on.
   *
   * @param as the role of the transaction in a request, for `Idempotency-Key`. Adapters ignore it. The store that
   *   handlers have keeps the result of `work` with its writes. `caller.answer`: the result is the answer.
   *   `caller.step`: it comes before the answer, and a repeat of the request gets the same result for the step with the
   *   same number, as JSON.
   */
  transact<T>(work: (tx: Transaction) => Promise<T>, as?: Role): Promise<T>;
  /**
   * Takes from all windows or, if any is short, from none, atomically. Does not wait for the disk: a restart loses at
   * most the last second.
   */
  admit(windows: readonly LimitWindow[]): Promise<Verdict>;
  /** A name of this opening of the store that no other opening ever has. */
  readonly opening: string;
  /**
   * Whether an opening of this store may still be at work. False soon after it was closed or its process ended, and at
   * the latest 5 s after it stopped responding.
   */
  isOpen(opening: string): Promise<boolean>;
  /** Resolves if what is stored can be read; rejects with `StoreUnavailable` otherwise. */
  ping(): Promise<void>;
  /** Resolves if the store can be written to, which it tries; rejects with `StoreUnavailable` otherwise. */
  probe(): Promise<void>;
  /** Returns what an account stores, at most a second old. */
  storageOf(account: string): Promise<StorageUse>;
  /** Returns the size on the medium, for display. */
  sizeBytes(): Promise<number>;
  /** Room in the store as a whole, whatever accounts may store. */
  readonly headroom: Headroom;
  /** Connections of an adapter over a network, by what they are for. */
  connections?(): Connections[];
  /** Finishes pending work, makes everything durable and releases the medium. */
  close(): Promise<void>;
}

/** Connections of one kind. */
export interface Connections {
  pool: string;
  busy: number;
  idle: number;
  /** Number of callers that wait for one. */
  waiting: number;
}

/** The bound of a store as a whole. */
export interface Headroom {
  /**
   * False when the store is nearly full: `assertRoom` refuses growth beyond its bound. Shrinking and reading still
   * work.
   */
  canGrow(): boolean;
  /** Undefined if the store has no bound of its own. A full medium is then a `StoreUnavailable`. */
  describe(): { bound: "server memory"; usedBytes: number; limitBytes: number } | undefined;
}

/** A document or counter, as it passes from one store to another. */
export type StoreItem =
  | { collection: string; space: Space; id: string; value: unknown; expiresAt?: number }
  | { counter: string; space: Space; id: string; count: number };

/** A store with the operations that `tool data copy` needs. */
export interface OpenedStore extends Store {
  /**
   * Yields everything but the rate-limit windows, as of one instant if nobody writes meanwhile. The documents of a
   * collection and space come in the order of writing.
   */
  dump(): AsyncIterable<StoreItem>;
  /** Writes what another store dumped, in that order. Nobody else can open the store before `compare` has resolved. */
  load(items: AsyncIterable<StoreItem>, compare?: () => Promise<void>): Promise<void>;
}
