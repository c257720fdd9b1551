import type {
  Changes,
  Collection,
  CountsRange,
  Entry,
  ListOptions,
  Space,
  Transaction,
  WriteOptions,
} from "../store.ts";
import { countersLock, documentsLock } from "./advisory-locks.ts";
import { AGAIN, type Attempt } from "./attempt.ts";
import type { Cache } from "./cache.ts";
import type { Source } from "./connection/source.ts";
import type { Footprint } from "./footprint.ts";
import type { Lookups, Row } from "./lookups.ts";
import type { Snapshot } from "./snapshot.ts";
import { counterKey, deletionOf, isLive, namesIn, Writes, writeOf } from "./writes.ts";

export interface ReadingOptions {
  attempt: Attempt;
  footprint: Footprint;
  cache: Cache;
  /** Serves single documents, batched with those of other transactions. */
  lookups: Lookups;
  openSnapshot: () => Snapshot;
  /** The instant of the transaction. */
  now: number;
}

/**
 * The first run of a transaction's work. For work that only reads, it is the only one. For work that writes, it just
 * finds the footprint, so it may treat an id as free, but stops where it would have to know a total.
 */
export class ReadingTransaction implements Transaction {
  readonly #written = new Writes();
  #snapshot: Snapshot | undefined;
  /** The batch of its lookups outside a snapshot, if any. */
  #round: string | undefined;

  constructor(readonly options: ReadingOptions) {}

  close(): void {
    void this.#snapshot?.close();
  }

  async get<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    const text = await this.#textOf(collection, space, id);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async has<T>(collection: Collection<T>, space: Space, id: string): Promise<boolean> {
    return (await this.#textOf(collection, space, id)) !== undefined;
  }

  async #textOf<T>(collection: Collection<T>, space: Space, id: string): Promise<string | undefined> {
    const { attempt, now } = this.options;
    attempt.enter(space, id);
    const own = this.#written.document(collection.name, space, id);
    const row = own ?? (await attempt.ask(async () => this.#find(collection, space, id)));
    return isLive(row, now) ? row.text : undefined;
  }

  #find<T>({ name, cached }: Collection<T>, space: Space, id: string): Promise<Row | undefined> {
    const { footprint, cache } = this.options;
    if (cached) {
      footprint.noteCachedRead(name, space, id);
      return cache.get(name, space, id);
    }
    footprint.read(name, space, id);
    return this.#lookupsFor(name).document(name, space, id);
  }

  async list<T>({ name }: Collection<T>, space: Space, options: ListOptions = {}): Promise<Entry<T>[]> {
    const { attempt, footprint, now } = this.options;
    attempt.enter(space, ...namesIn(options));
    footprint.range(documentsLock(name, space));
    return attempt.ask(async () => this.#snapshotSource().list<T>(name, space, options, now));
  }

  async ids<T>({ name }: Collection<T>, space: Space, options: ListOptions = {}): Promise<string[]> {
    const { attempt, footprint, now } = this.options;
    attempt.enter(space, ...namesIn(options));
    footprint.range(documentsLock(name, space));
    return attempt.ask(async () => this.#snapshotSource().ids(name, space, options, now));
  }

  async insert<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void> {
    this.options.attempt.enter(space, id);
    this.options.footprint.insert(collection.name, space, id);
    this.#written.write(writeOf(collection, space, id, value, options));
  }

  async put<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void> {
    this.options.attempt.enter(space, id);
    this.options.footprint.overwrite(collection.name, space, id);
    this.#written.write(writeOf(collection, space, id, value, options));
  }

  async delete<T>(collection: Collection<T>, space: Space, id: string): Promise<void> {
    this.options.attempt.enter(space, id);
    this.options.footprint.overwrite(collection.name, space, id);
    this.#written.write(deletionOf(collection, space, id, this.options.now));
  }

  async increment(counter: string, space: Space, id: string): Promise<number> {
    const { attempt, footprint } = this.options;
    attempt.enter(counter, space, id);
    footprint.count(counterKey(counter, space, id));
    return attempt.again();
  }

  async counts(counter: string, space: Space, range: CountsRange): Promise<{ id: string; count: number }[]> {
    const { attempt, footprint } = this.options;
    attempt.enter(counter, space, range.from, range.to, range.after ?? "");
    footprint.range(countersLock(space));
    return attempt.ask(async () => this.#snapshotSource().counts(counter, space, range));
  }

  async deleteCounts(counter: string, space: Space, { from, to, after = "" }: CountsRange): Promise<number> {
    const { attempt, footprint } = this.options;
    attempt.enter(counter, space, from, to, after);
    footprint.deleteRange(countersLock(space));
    return attempt.again();
  }

  async changes<T>(
    collection: Collection<T>,
    space: Space,
    since?: string,
    { maxBytes }: { maxBytes?: number } = {},
  ): Promise<Changes | "reset"> {
    const { attempt, footprint, now } = this.options;
    attempt.enter(space);
    if (!collection.changes) throw new Error(`the collection ${collection.name} keeps no changes`);
    footprint.range(documentsLock(collection.name, space));
    return attempt.ask(async () =>
      this.#snapshotSource().changes(collection.name, space, { since, maxBytes }, now),
    );
  }

  async peek<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    // Nobody would tell the cache of later writes.
    if (!collection.cached) return this.get(collection, space, id);
    const { attempt, cache, now } = this.options;
    attempt.enter(space, id);
    const row = await attempt.ask(() => cache.get(collection.name, space, id));
    return isLive(row, now) ? JSON.parse(row.text) : undefined;
  }

  /** Checks nothing: only work that writes needs room, and its next run checks. */
  async assertRoom(account: string): Promise<void> {
    this.options.attempt.enter(account);
  }

  /** Returns a source with everything as of one instant. */
  #snapshotSource(): Source {
    // Earlier lookups outside the snapshot were made at another instant.
    if (this.#round !== undefined) this.#retryInSnapshot();
    this.#snapshot ??= this.options.openSnapshot();
    return this.#snapshot.source;
  }

  #lookupsFor(collection: string): Lookups {
    const { lookups, footprint } = this.options;
    if (this.#snapshot || footprint.readInconsistently) return this.#snapshotSource();
    const round = `${lookups.rounds()} ${collection}`;
    this.#round ??= round;
    if (this.#round !== round) this.#retryInSnapshot();
    return lookups;
  }

  #retryInSnapshot(): never {
    this.options.footprint.readInconsistently = true;
    throw AGAIN;
  }
}
