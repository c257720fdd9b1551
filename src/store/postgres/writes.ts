import { DAY_MS } from "../../system/durations.ts";
import {
  assertExpiry,
  type Collection,
  isId,
  type ListOptions,
  type Space,
  type WriteOptions,
} from "../store.ts";

export interface DocumentKey {
  collection: string;
  space: Space;
  id: string;
}

export interface DocumentWrite extends DocumentKey {
  /** The JSON text; undefined for a deletion. */
  text: string | undefined;
  /** Milliseconds since the epoch; `Infinity` where it does not expire. */
  expiresAt: number;
}

export interface Counter {
  counter: string;
  space: Space;
  id: string;
}

export interface CounterWrite extends Counter {
  by: number;
}

/** A counter with its key in maps. The key is made once for each operation, since `/track` counts in many. */
export interface CounterKey extends Counter {
  key: string;
}

export function counterKey(counter: string, space: Space, id: string): CounterKey {
  return { counter, space, id, key: keyOf(counter, space, id) };
}

/** Writes that have not been sent: for each key the result of all its writes, in the order of the last one. */
export class Writes {
  readonly documents = new Map<string, DocumentWrite>();
  readonly counters = new Map<string, Readonly<CounterWrite>>();

  get none(): boolean {
    return this.documents.size === 0 && this.counters.size === 0;
  }

  document(collection: string, space: Space, id: string): DocumentWrite | undefined {
    return this.documents.get(keyOf(collection, space, id));
  }

  write(write: DocumentWrite): void {
    this.#write(keyOf(write.collection, write.space, write.id), write);
  }

  added({ key }: CounterKey): number {
    return this.counters.get(key)?.by ?? 0;
  }

  add({ counter, space, id, key }: CounterKey, by: number): void {
    this.#add(key, { counter, space, id, by });
  }

  /** Adds what another transaction wrote later, or what this one has sent. */
  absorb(other: Writes): void {
    for (const [key, write] of other.documents) this.#write(key, write);
    for (const [key, write] of other.counters) this.#add(key, write);
  }

  clear(): void {
    this.documents.clear();
    this.counters.clear();
  }

  #write(key: string, write: DocumentWrite): void {
    this.documents.delete(key);
    this.documents.set(key, write);
  }

  #add(key: string, write: CounterWrite): void {
    const before = this.counters.get(key);
    this.counters.set(key, before ? { ...write, by: before.by + write.by } : write);
  }
}

/** Joins with NUL, which is in no name: PostgreSQL's text cannot hold it, and `assertText` refuses it. */
export function keyOf(table: string, space: Space, id: string): string {
  return `${table}\0${space}\0${id}`;
}

/** @throws TypeError for a string that PostgreSQL could not store unchanged */
export function assertText(name: string): void {
  if (typeof name !== "string" || !isId(name)) {
    throw new TypeError("an id must be a string of whole characters without NUL");
  }
}

/** Returns the names in the options of a listing. */
export function namesIn({ after, prefix }: ListOptions): string[] {
  return [after, prefix].filter((name) => name !== undefined);
}

/** How long the changes of a collection remember a deletion. */
const DELETION_MS = 7 * DAY_MS;

/** @throws TypeError for a value that is not JSON, or an invalid time of expiry */
export function writeOf<T>(
  { name }: Collection<T>,
  space: Space,
  id: string,
  value: T,
  { expiresAt = Number.POSITIVE_INFINITY }: WriteOptions = {},
): DocumentWrite {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("a document must be a JSON value");
  assertExpiry(expiresAt);
  return { collection: name, space, id, text, expiresAt };
}

export function deletionOf<T>(
  { name, changes }: Collection<T>,
  space: Space,
  id: string,
  now: number,
): DocumentWrite {
  return { collection: name, space, id, text: undefined, expiresAt: changes ? now + DELETION_MS : 0 };
}

/** Whether a row, read or to be written, is a document that is neither deleted nor expired. */
export function isLive<T extends { text: string | undefined; expiresAt: number }>(
  row: T | undefined,
  now: number,
): row is T & { text: string } {
  return row?.text !== undefined && row.expiresAt > now;
}
