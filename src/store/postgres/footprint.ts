import type { Space } from "../store.ts";
import { countingTurn, documentsTurn } from "./turns.ts";
import { type CounterKey, type DocumentKey, keyOf } from "./writes.ts";

/** Who touches more than this would hold up those who share a database transaction with it. */
const MAX_SHARED = 250;

/** What a transaction touches, as far as its runs have shown. */
export class Footprint {
  /** What it takes its turn at before it writes. */
  readonly turns = new Set<string>();
  /** What it will ask for, to be read all at once. */
  readonly documents = new Map<string, DocumentKey>();
  readonly counters = new Map<string, CounterKey>();
  writes = false;
  /** It reads ranges, which the database looks for itself: then it has to know at once what is written. */
  ranges = false;
  /** What it was told from memory was out of date. */
  misled = false;
  /** What it read it read at different moments, so that may not fit together. */
  torn = false;
  readonly #overwritten = new Set<string>();
  readonly #remembered: DocumentKey[] = [];

  /** Memory may be a moment behind: too old to decide by it what to overwrite. */
  get trustsMemory(): boolean {
    return this.#overwritten.size === 0 && !this.misled;
  }

  /** How many documents and counters it touches. */
  get size(): number {
    return this.documents.size + this.counters.size + this.#overwritten.size;
  }

  /** Others had better not share a database transaction with it. */
  get alone(): boolean {
    return this.ranges || this.size > MAX_SHARED;
  }

  read(collection: string, space: Space, id: string): void {
    this.turns.add(documentsTurn(collection, space));
    this.documents.set(keyOf(collection, space, id), { collection, space, id });
  }

  remember(collection: string, space: Space, id: string): void {
    this.#remembered.push({ collection, space, id });
  }

  /** Once a run is over: what may not come from memory will be asked for, too. */
  complete(): void {
    if (this.trustsMemory) return;
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
    this.turns.add(documentsTurn(collection, space));
    this.#overwritten.add(keyOf(collection, space, id));
    this.writes = true;
  }

  count(counter: CounterKey): void {
    if (this.counters.has(counter.key)) return;
    this.turns.add(countingTurn(counter.space));
    this.counters.set(counter.key, counter);
    this.writes = true;
  }
}
