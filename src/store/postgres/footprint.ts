import type { Space } from "../store.ts";
import { countersLock, documentsLock } from "./advisory-locks.ts";
import { type CounterKey, type DocumentKey, keyOf } from "./writes.ts";

/** A transaction that touches more would delay those that share a database transaction with it. */
const MAX_SHARED = 250;

/** What a transaction touches, as far as its runs have shown. */
export class Footprint {
  /** The turns that it takes before it writes. */
  readonly turns = new Set<string>();
  /** What it will ask for, so that all of it can be read at once. */
  readonly documents = new Map<string, DocumentKey>();
  readonly counters = new Map<string, CounterKey>();
  writes = false;
  /** Whether it reads ranges. The database evaluates these, so earlier writes have to be sent to it first. */
  ranges = false;
  /** Whether something that it read from memory was out of date. */
  readStaleCache = false;
  /** Whether its reads were made at different moments, so that they may be inconsistent. */
  readInconsistently = false;
  readonly #overwritten = new Set<string>();
  readonly #remembered: DocumentKey[] = [];

  /** Whether it may read from memory, which may be a moment behind: too old to base an overwrite on. */
  get mayReadCache(): boolean {
    return this.#overwritten.size === 0 && !this.readStaleCache;
  }

  /** Number of documents and counters that it touches. */
  get size(): number {
    return this.documents.size + this.counters.size + this.#overwritten.size;
  }

  /** Whether it should not share a database transaction with others. */
  get alone(): boolean {
    return this.ranges || this.size > MAX_SHARED;
  }

  read(collection: string, space: Space, id: string): void {
    this.turns.add(documentsLock(collection, space));
    this.documents.set(keyOf(collection, space, id), { collection, space, id });
  }

  noteCachedRead(collection: string, space: Space, id: string): void {
    this.#remembered.push({ collection, space, id });
  }

  /** Must be called when a run is over. Adds documents that may not come from memory to those to be read. */
  complete(): void {
    if (this.mayReadCache) return;
    for (const { collection, space, id } of this.#remembered.splice(0)) this.read(collection, space, id);
  }

  range(turn: string): void {
    this.turns.add(turn);
    this.ranges = true;
  }

  deleteRange(turn: string): void {
    this.range(turn);
    this.writes = true;
  }

  insert(collection: string, space: Space, id: string): void {
    this.read(collection, space, id);
    this.writes = true;
  }

  overwrite(collection: string, space: Space, id: string): void {
    this.turns.add(documentsLock(collection, space));
    this.#overwritten.add(keyOf(collection, space, id));
    this.writes = true;
  }

  count(counter: CounterKey): void {
    if (this.counters.has(counter.key)) return;
    this.turns.add(countersLock(counter.space));
    this.counters.set(counter.key, counter);
    this.writes = true;
  }
}
