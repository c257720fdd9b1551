import type { StorageUse } from "./storage-use.ts";
import type {
  Changes,
  Collection,
  CountsRange,
  Entry,
  ListOptions,
  Space,
  Transaction,
  WriteOptions,
} from "./store.ts";

/**
 * A transaction that passes everything on to another one. A subclass learns of what passes, and refuses it by
 * throwing.
 */
export class DelegatingTransaction implements Transaction {
  constructor(readonly beneath: Transaction) {}

  /** Called before each use of a collection. */
  protected onUse(_collection: Collection<never>): void {}

  /** Called before each use of a counter. */
  protected onCount(_counter: string): void {}

  /** Called before each use of a document. @param id no string if a tool in plain JavaScript gives another value */
  protected onId(_collection: Collection<never>, _id: unknown): void {}

  /** Called before each write. @param mayGrow false for what deletes */
  protected onWrite(_space: Space, _mayGrow: boolean): void {}

  get<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    this.onUse(collection as Collection<never>);
    this.onId(collection as Collection<never>, id);
    return this.beneath.get(collection, space, id);
  }

  has<T>(collection: Collection<T>, space: Space, id: string): Promise<boolean> {
    this.onUse(collection as Collection<never>);
    this.onId(collection as Collection<never>, id);
    return this.beneath.has(collection, space, id);
  }

  peek<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    this.onUse(collection as Collection<never>);
    this.onId(collection as Collection<never>, id);
    return this.beneath.peek(collection, space, id);
  }

  list<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<Entry<T>[]> {
    this.onUse(collection as Collection<never>);
    return this.beneath.list(collection, space, options);
  }

  ids<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<string[]> {
    this.onUse(collection as Collection<never>);
    return this.beneath.ids(collection, space, options);
  }

  changes<T>(
    collection: Collection<T>,
    space: Space,
    since?: string,
    options?: { maxBytes?: number | undefined },
  ): Promise<Changes | "reset"> {
    this.onUse(collection as Collection<never>);
    return this.beneath.changes(collection, space, since, options);
  }

  insert<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void> {
    this.onUse(collection as Collection<never>);
    this.onId(collection as Collection<never>, id);
    this.onWrite(space, true);
    return this.beneath.insert(collection, space, id, value, options);
  }

  put<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void> {
    this.onUse(collection as Collection<never>);
    this.onId(collection as Collection<never>, id);
    this.onWrite(space, true);
    return this.beneath.put(collection, space, id, value, options);
  }

  delete<T>(collection: Collection<T>, space: Space, id: string): Promise<void> {
    this.onUse(collection as Collection<never>);
    this.onId(collection as Collection<never>, id);
    this.onWrite(space, false);
    return this.beneath.delete(collection, space, id);
  }

  increment(counter: string, space: Space, id: string, by: number): Promise<number> {
    this.onCount(counter);
    this.onWrite(space, true);
    return this.beneath.increment(counter, space, id, by);
  }

  counts(counter: string, space: Space, range: CountsRange): Promise<{ id: string; count: number }[]> {
    this.onCount(counter);
    return this.beneath.counts(counter, space, range);
  }

  deleteCounts(counter: string, space: Space, range: CountsRange): Promise<number> {
    this.onCount(counter);
    this.onWrite(space, false);
    return this.beneath.deleteCounts(counter, space, range);
  }

  assertRoom(account: string, most: StorageUse): Promise<void> {
    return this.beneath.assertRoom(account, most);
  }
}
