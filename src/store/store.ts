/**
 * The store port: what the rest of the program may ask of persistence. Two adapters implement it
 * (`json-file/`, `postgres/`) and pass one conformance suite, `src/testing/conformance/suite.ts`.
 *
 * Values are JSON: what `get` returns is the caller's own copy (of a cached collection, a frozen one), and `undefined` members are dropped.
 * Ids order by their UTF-8 bytes. Errors: `Conflict` from `insert`, `NoRoom` from `assertRoom`,
 * `StoreUnavailable` from anything.
 */

export { Conflict, NoRoom, ReadOnly, reasonOf, StoreUnavailable } from "./store-errors.ts";

/** A kind of document. `T` is the shape of its documents. */
export interface Collection<T> {
  readonly name: string;
  /** Keeps a feed of what was written, for projections to catch up with. */
  readonly changes: boolean;
  /** Read on nearly every request: an adapter over a network may answer it from memory as long as
   * it is sure to hear of every write within a second. */
  readonly cached: boolean;
  /** Phantom: carries `T`. */
  readonly document?: T;
}

/**
 * Declares a kind of document: a constant, since a store tells collections by name.
 *
 * @param name in snake_case, at most 40 characters, the same over the life of the data.
 */
export function collection<T>(
  name: string,
  options: { changes?: boolean; cached?: boolean } = {},
): Collection<T> {
  // As PostgreSQL takes them, so that no store takes more than another.
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) {
    throw new Error(`"${name}" is no name for a collection: use snake_case, at most 40 characters.`);
  }
  return { name, changes: options.changes ?? false, cached: options.cached ?? false };
}

/** The unit of isolation: everything is kept, listed and followed within one. */
export type Space = string;

/** Where what belongs to no account lives: accounts themselves, what is found by a secret. */
export const GLOBAL: Space = "global";

export function accountSpace(accountId: string): Space {
  return accountId;
}

/** The account that a space belongs to; `GLOBAL` for what belongs to none. */
export function ownerOf(space: Space): string {
  const slash = space.indexOf("/");
  return slash < 0 ? space : space.slice(0, slash);
}

/** The same; undefined for what belongs to none. */
export function accountOf(space: Space): string | undefined {
  const owner = ownerOf(space);
  return owner === GLOBAL ? undefined : owner;
}

/** Account ids hold no slash, so a project's space is never another account's. */
export function projectSpace(accountId: string, projectId: string): Space {
  return `${accountId}/${projectId}`;
}

export interface ListOptions {
  /** Exclusive: continues behind this id in the direction of `order`. */
  after?: string;
  /** Only ids that start so. */
  prefix?: string;
  limit?: number;
  order?: "ascending" | "descending";
}

/** Counters by their ids. */
export interface CountsRange {
  from: string;
  /** Exclusive. */
  to: string;
  /** Exclusive: goes on behind this id. */
  after?: string;
  /** The first so many. */
  limit?: number;
}

export interface Entry<T> {
  id: string;
  value: T;
}

export interface WriteOptions {
  /** Milliseconds since the epoch from which the document counts as absent. */
  expiresAt?: number;
}

/** What was written in a space of a collection since a version, or the first part of it. */
export interface Changes {
  /** To pass as `since` for what comes behind. Opaque. */
  version: string;
  /** The newest state of each document written, in the order of writing. */
  entries: Change[];
  /** There is more than was asked for. */
  more: boolean;
}

export interface Change {
  id: string;
  /** The JSON text of the document, not parsed, since whoever follows does so on another thread; none: deleted. */
  text?: string;
}

/**
 * What an account stores: the documents of all collections, and the counters, in its own space and its
 * projects'. What has expired counts until it is swept, within a minute or two.
 */
export interface StorageUse {
  /** Of the ids and of the documents as JSON text, in UTF-8; of a counter the id and `COUNTER_BYTES`. */
  bytes: number;
  documents: number;
}

/** What a counter takes beside its id, whatever it has counted: a row, which is the most of it. */
export const COUNTER_BYTES = 64;

/** Everything it reads and writes happens at one instant or not at all. */
export interface Transaction {
  get<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined>;
  /** Whether `get` would find one, which is not parsed for that. */
  has<T>(collection: Collection<T>, space: Space, id: string): Promise<boolean>;
  list<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<Entry<T>[]>;
  /** The ids that `list` would find, without the documents, however large those are. */
  ids<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<string[]>;
  /** Rejects with `Conflict` where the id is taken; the transaction is then void. */
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
  /** Adds to a counter, which begins at 0, and returns the new total. Never conflicts with another. */
  increment(counter: string, space: Space, id: string, by: number): Promise<number>;
  /** The counters whose ids lie in a range, in order. */
  counts(counter: string, space: Space, range: CountsRange): Promise<{ id: string; count: number }[]>;
  /** Deletes the counters that `counts` would find and returns how many these were. They begin at 0 again. */
  deleteCounts(counter: string, space: Space, range: CountsRange): Promise<number>;
  /**
   * Without `since`: everything. `"reset"`: `since` is too old, start again without it. No more than
   * about `maxBytes` at a time, however much there is, and the time that it takes goes by that.
   */
  changes<T>(
    collection: Collection<T>,
    space: Space,
    since?: string,
    options?: { maxBytes?: number },
  ): Promise<Changes | "reset">;
  /**
   * `get` for what need not be of this instant: of a cached collection it may be a second old, and nobody
   * who writes there is waited for.
   */
  peek<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined>;
  /**
   * Rejects with `NoRoom` where what was written so far makes an account store more than it did and more
   * than `most`, or the store hold more than it can; the transaction is then void. Transactions at the
   * same time may pass it together.
   */
  assertRoom(account: string, most: StorageUse): Promise<void>;
}

/** One limit on one caller. */
export interface LimitWindow {
  /** Unique over everything that is limited: `account/acc_…/hour`. */
  key: string;
  /** Requests: what a fixed window holds, or the most that a bucket holds. */
  capacity: number;
  /** `fixed`: aligned to multiples of the window since the epoch. `bucket`: starts full and refills evenly. */
  kind: "fixed" | "bucket";
  /** Length of the fixed window, or the time in which the bucket gains `refill`. */
  windowMs: number;
  /** Bucket only: what it gains in `windowMs`; `capacity` unless said. */
  refill?: number;
  /** What one admission takes; 1 unless said. 0 asks only whether one is left. */
  cost?: number;
}

export interface WindowState {
  /** What is left after this admission, a fraction for a bucket. */
  remaining: number;
  /** Milliseconds since the epoch when the window is whole again. */
  resetAt: number;
  /** When one more would be admitted: now where something is left. */
  nextAt: number;
}

export interface Verdict {
  admitted: boolean;
  /** One for each window asked about, in order. */
  windows: WindowState[];
}

export interface Store {
  /**
   * Runs `work` serialisably and resolves when its writes are durable. `work` may be run again, so
   * it has no effects outside, and it awaits nothing but its transaction, which others wait for.
   * An error from `work` voids the transaction and is passed on.
   *
   * @param as what it is to the request under way. That means nothing to the adapters; the store that handlers
   *   have keeps with what was written what `work` gives, for `Idempotency-Key`. `answer`: that is the answer.
   *   `step`: it comes before the answer; a repeat of the request is given the same again, of the step with
   *   the same number, as its JSON.
   */
  transact<T>(work: (tx: Transaction) => Promise<T>, as?: "answer" | "step"): Promise<T>;
  /**
   * Takes from every window or, where one is short, from none, atomically. Does not wait for the
   * disk; what it took survives a restart but for the last second.
   */
  admit(windows: readonly LimitWindow[]): Promise<Verdict>;
  /** What this opening of the store is called, as no other ever is. */
  readonly opening: string;
  /**
   * Whether an opening of this store may still be at work: false soon after it was closed or its process
   * ended, and at the latest 5 s after it stopped to answer.
   */
  isOpen(opening: string): Promise<boolean>;
  /** Resolves while what is stored can be read; rejects with `StoreUnavailable` otherwise. */
  ping(): Promise<void>;
  /** The same for writing, tried with so much as a request may write. Leaves nothing behind. */
  probe(): Promise<void>;
  /** What an account stores, at most a second old. */
  storageOf(account: string): Promise<StorageUse>;
  /** Size on the medium, for people to look at. */
  sizeBytes(): Promise<number>;
  /** Whether the store itself has room, whatever accounts may store. */
  readonly headroom: Headroom;
  /** Of an adapter over a network: what there is of connections, by what they are for. */
  connections?(): Connections[];
  /** Finishes what is under way, makes everything durable and lets go of the medium. */
  close(): Promise<void>;
}

/** Connections of one kind. */
export interface Connections {
  pool: string;
  busy: number;
  idle: number;
  /** Who waits for one. */
  waiting: number;
}

/** What bounds a store as a whole. */
export interface Headroom {
  /** False: `assertRoom` refuses whatever grows. What shrinks or only reads goes on. */
  canGrow(): boolean;
  /** Undefined where the store has no bound of its own: the medium's end is then a `StoreUnavailable`. */
  describe(): { bound: "server memory"; usedBytes: number; limitBytes: number } | undefined;
}

/** One thing that a store holds, as it passes from one store to another. */
export type StoreItem =
  | { collection: string; space: Space; id: string; value: unknown; expiresAt?: number }
  | { counter: string; space: Space; id: string; count: number };

/** A store as it is opened: what `tool data copy` asks of it beside. */
export interface OpenedStore extends Store {
  /**
   * Everything but the rate-limit windows, of one instant as long as nobody writes meanwhile; the
   * documents of a collection and space in the order of writing.
   */
  dump(): AsyncIterable<StoreItem>;
  /** Writes what another store dumped, in that order. Until `compare` resolves, too, nobody else opens the store. */
  load(items: AsyncIterable<StoreItem>, compare?: () => Promise<void>): Promise<void>;
}
