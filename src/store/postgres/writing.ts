import type { StorageUse } from "../storage-use.ts";
import {
  type Changes,
  type Collection,
  Conflict,
  type CountsRange,
  type Entry,
  type ListOptions,
  NoRoom,
  type Space,
  type Transaction,
  type WriteOptions,
} from "../store.ts";
import { countersLock, documentsLock } from "./advisory-locks.ts";
import { AGAIN, type Attempt } from "./attempt.ts";
import type { Cache } from "./cache.ts";
import type { Statement } from "./connection/connections.ts";
import type { Footprint } from "./footprint.ts";
import type { Group } from "./group.ts";
import type { Row } from "./lookups.ts";
import { grownIn, type StorageRow, storedIn, sumStorage } from "./statements/storage.ts";
import { mostAdded, plus, type Storage } from "./storage.ts";
import { counterKey, type DocumentWrite, deletionOf, isLive, namesIn, Writes, writeOf } from "./writes.ts";

export interface WritingOptions {
  attempt: Attempt;
  footprint: Footprint;
  group: Group;
  cache: Cache;
  storage: Storage;
  /** The instant of the transaction. */
  now: number;
}

/** The run of a transaction's work that counts, while nothing that it touches can change. */
export class WritingTransaction implements Transaction {
  readonly writes = new Writes();
  /** Whether it has read anything from memory. */
  #hasReadCache = false;

  constructor(readonly options: WritingOptions) {}

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
    const own = this.writes.document(collection.name, space, id);
    const row = own ?? (await attempt.ask(() => this.#find(collection, space, id)));
    return isLive(row, now) ? row.text : undefined;
  }

  #find<T>({ name, cached }: Collection<T>, space: Space, id: string): Promise<Row | undefined> {
    const { footprint, group, cache } = this.options;
    if (cached && footprint.mayReadCache) {
      this.#hasReadCache = true;
      footprint.noteCachedRead(name, space, id);
      return cache.get(name, space, id);
    }
    footprint.read(name, space, id);
    return group.document(name, space, id);
  }

  async list<T>({ name }: Collection<T>, space: Space, options: ListOptions = {}): Promise<Entry<T>[]> {
    const { attempt, group, now } = this.options;
    attempt.enter(space, ...namesIn(options));
    return this.#inRange(documentsLock(name, space), () => group.source.list<T>(name, space, options, now));
  }

  async ids<T>({ name }: Collection<T>, space: Space, options: ListOptions = {}): Promise<string[]> {
    const { attempt, group, now } = this.options;
    attempt.enter(space, ...namesIn(options));
    return this.#inRange(documentsLock(name, space), () => group.source.ids(name, space, options, now));
  }

  async insert<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void> {
    const { attempt, footprint, group, now } = this.options;
    attempt.enter(space, id);
    const write = writeOf(collection, space, id, value, options);
    footprint.insert(collection.name, space, id);
    const found =
      this.writes.document(collection.name, space, id) ??
      (await attempt.ask(async () => {
        this.#assertPossible();
        return group.document(collection.name, space, id);
      }));
    // The work may have continued meanwhile and written it itself.
    if (isLive(this.writes.document(collection.name, space, id) ?? found, now)) {
      footprint.readStaleCache ||= this.#hasReadCache;
      if (this.#hasReadCache) await attempt.again();
      attempt.failure = new Conflict(collection.name, id);
      throw attempt.failure;
    }
    this.writes.write(write);
  }

  async put<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void> {
    this.options.attempt.enter(space, id);
    await this.#overwrite(writeOf(collection, space, id, value, options));
  }

  async delete<T>(collection: Collection<T>, space: Space, id: string): Promise<void> {
    this.options.attempt.enter(space, id);
    await this.#overwrite(deletionOf(collection, space, id, this.options.now));
  }

  async increment(counter: string, space: Space, id: string, by: number): Promise<number> {
    const { attempt, footprint, group } = this.options;
    attempt.enter(counter, space, id);
    const key = counterKey(counter, space, id);
    footprint.count(key);
    const before = group.knownTotal(key) ?? (await attempt.ask(() => group.total(key)));
    const total = before + this.writes.added(key) + by;
    if (!Number.isSafeInteger(total)) throw new RangeError(`a counter cannot hold ${total}`);
    this.writes.add(key, by);
    return total;
  }

  async counts(counter: string, space: Space, range: CountsRange): Promise<{ id: string; count: number }[]> {
    const { attempt, group } = this.options;
    attempt.enter(counter, space, range.from, range.to, range.after ?? "");
    return this.#inRange(countersLock(space), () => group.source.counts(counter, space, range));
  }

  async deleteCounts(counter: string, space: Space, range: CountsRange): Promise<number> {
    const { attempt, footprint, group } = this.options;
    attempt.enter(counter, space, range.from, range.to, range.after ?? "");
    footprint.deleteRange(countersLock(space));
    return this.#inRange(countersLock(space), () => group.deleteCounts(counter, space, range));
  }

  async changes<T>(
    collection: Collection<T>,
    space: Space,
    since?: string,
    { maxBytes }: { maxBytes?: number } = {},
  ): Promise<Changes | "reset"> {
    const { attempt, group, now } = this.options;
    attempt.enter(space);
    if (!collection.changes) throw new Error(`the collection ${collection.name} keeps no changes`);
    return this.#inRange(documentsLock(collection.name, space), () =>
      group.source.changes(collection.name, space, { since, maxBytes }, now),
    );
  }

  async peek<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    if (!collection.cached) return this.get(collection, space, id);
    const { attempt, cache, now } = this.options;
    attempt.enter(space, id);
    const own = this.writes.document(collection.name, space, id);
    const row = own ?? (await attempt.ask(() => cache.get(collection.name, space, id)));
    return isLive(row, now) ? JSON.parse(row.text) : undefined;
  }

  async assertRoom(account: string, most: StorageUse): Promise<void> {
    const { attempt, group, storage } = this.options;
    attempt.enter(account);
    const added = plus(mostAdded(group.sent, account), mostAdded(this.writes, account));
    if (added.bytes === 0) return;
    const after = plus(await attempt.ask(() => storage.of(account)), added);
    if (after.bytes <= most.bytes && after.documents <= most.documents) {
      storage.addPending(account, added);
      return;
    }
    // What it overwrites and deletes may make up for that, which only the database knows.
    const [counted] = await attempt.ask(() => this.#countedBy(sumStorage(account)));
    attempt.failure = NoRoom.of(most, storedIn(counted as StorageRow), grownIn(counted as StorageRow));
    if (attempt.failure) throw attempt.failure;
    storage.addPending(account, added);
  }

  /** Runs a statement that counts all it has written so far. In a shared group it would count other members, too. */
  async #countedBy(statement: Statement): Promise<StorageRow[]> {
    const { footprint, group } = this.options;
    footprint.ranges = true;
    this.#assertPossible();
    await group.send(this.writes);
    return group.options.session.send<StorageRow>(statement);
  }

  async #overwrite(write: DocumentWrite): Promise<void> {
    const { attempt, footprint, group } = this.options;
    footprint.overwrite(write.collection, write.space, write.id);
    await attempt.ask(async () => {
      this.#assertPossible();
      await group.hold(documentsLock(write.collection, write.space));
    });
    this.writes.write(write);
  }

  /** Reads a range. The database evaluates it, so everything written so far is sent first. */
  #inRange<T>(turn: string, question: () => Promise<T>): Promise<T> {
    const { attempt, footprint, group } = this.options;
    footprint.range(turn);
    return attempt.ask(async () => {
      this.#assertPossible();
      await group.hold(turn);
      await group.send(this.writes);
      return question();
    });
  }

  /** Throws `AGAIN` if no earlier run has shown that this would be needed. */
  #assertPossible(): void {
    const { footprint, group } = this.options;
    if (this.#hasReadCache && !footprint.mayReadCache) throw AGAIN;
    if (footprint.ranges && group.shared) throw AGAIN;
  }
}
