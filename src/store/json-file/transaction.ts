import { type Before, byBytes } from "../sorted-strings.ts";
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
import type { HeapGuard } from "./heap-guard.ts";
import type { Row } from "./row.ts";
import type { Table } from "./table.ts";
import type { Tables } from "./tables.ts";

/**
 * One transaction on the tables. Transactions run one after another, so each writes in place, and the tables record how
 * to undo it.
 */
export class TableTransaction implements Transaction {
  /** The newest version that was read. The result is held back until that version is durable. */
  seen = 0;
  /** Why it may not commit, even if `work` succeeds. */
  failure: Error | undefined;
  /** Whether it has ended, after which any use of it throws. */
  over = false;
  readonly #begin: number;
  /** Number of unsaved writes by earlier transactions. */
  readonly #others: number;

  constructor(
    readonly tables: Tables,
    /** The instant of the transaction. */
    readonly now: number,
    readonly opening: string,
    readonly guard: HeapGuard,
  ) {
    this.#begin = tables.version;
    this.#others = tables.unsaved;
  }

  async get<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    this.#assertOpen();
    const table = this.tables.find("put", collection.name, space);
    const row = table && this.#read(table, id);
    if (!row) return undefined;
    if (!collection.cached) return JSON.parse(row.content as string) as T;
    row.shared ??= frozen(JSON.parse(row.content as string));
    return row.shared as T;
  }

  async has<T>(collection: Collection<T>, space: Space, id: string): Promise<boolean> {
    this.#assertOpen();
    const table = this.tables.find("put", collection.name, space);
    return table !== undefined && this.#read(table, id) !== undefined;
  }

  async list<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<Entry<T>[]> {
    return this.#rows(collection, space, options).map(([id, row]) => ({
      id,
      value: JSON.parse(row.content as string) as T,
    }));
  }

  async ids<T>(collection: Collection<T>, space: Space, options?: ListOptions): Promise<string[]> {
    return this.#rows(collection, space, options).map(([id]) => id);
  }

  #rows(collection: Collection<unknown>, space: Space, options: ListOptions = {}): [string, Row][] {
    this.#assertOpen();
    const table = this.tables.find("put", collection.name, space);
    const rows: [string, Row][] = [];
    if (!table) return rows;
    this.#saw(table.writtenAt);
    const limit = options.limit ?? Number.POSITIVE_INFINITY;
    for (const id of idsOf(table, options)) {
      if (rows.length >= limit) break;
      const row = table.rows.get(id) as Row;
      if (row.expiresAt > this.now) rows.push([id, row]);
    }
    return rows;
  }

  async insert<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void> {
    this.#assertOpen();
    const table = this.tables.obtain("put", collection.name, space);
    const before = this.#seeing(table, id);
    if (before && before.expiresAt > this.now) {
      this.failure = new Conflict(collection.name, id);
      throw this.failure;
    }
    this.tables.replace(table, id, before, jsonOf(value), options?.expiresAt);
  }

  async put<T>(
    collection: Collection<T>,
    space: Space,
    id: string,
    value: T,
    options?: WriteOptions,
  ): Promise<void> {
    this.#assertOpen();
    const table = this.tables.obtain("put", collection.name, space);
    this.tables.write(table, id, jsonOf(value), options?.expiresAt);
  }

  async delete<T>(collection: Collection<T>, space: Space, id: string): Promise<void> {
    this.#assertOpen();
    const table = this.tables.find("put", collection.name, space);
    if (!table) return;
    const before = table.rows.get(id);
    if (before) this.tables.replace(table, id, before, undefined);
    else this.#saw(table.deletedAt);
  }

  async increment(counter: string, space: Space, id: string, by: number): Promise<number> {
    this.#assertOpen();
    const table = this.tables.obtain("count", counter, space);
    const before = table.rows.get(id);
    const total = ((before?.content as number | undefined) ?? 0) + by;
    if (!Number.isSafeInteger(total)) throw new RangeError(`a counter cannot hold ${total}`);
    this.tables.replace(table, id, before, total);
    return total;
  }

  async counts(counter: string, space: Space, range: CountsRange): Promise<{ id: string; count: number }[]> {
    this.#assertOpen();
    const table = this.tables.find("count", counter, space);
    if (!table) return [];
    this.#saw(table.writtenAt);
    return idsIn(table, range).map((id) => ({ id, count: (table.rows.get(id) as Row).content as number }));
  }

  async deleteCounts(counter: string, space: Space, range: CountsRange): Promise<number> {
    this.#assertOpen();
    const table = this.tables.find("count", counter, space);
    if (!table) return 0;
    this.#saw(table.writtenAt);
    const ids = idsIn(table, range);
    for (const id of ids) this.tables.write(table, id, undefined);
    return ids.length;
  }

  async changes<T>(
    collection: Collection<T>,
    space: Space,
    since?: string,
    { maxBytes = Number.POSITIVE_INFINITY }: { maxBytes?: number } = {},
  ): Promise<Changes | "reset"> {
    this.#assertOpen();
    if (!collection.changes) throw new Error(`the collection ${collection.name} keeps no changes`);
    const table = this.tables.find("put", collection.name, space);
    const log = table?.writeLog;
    const newest = log?.version ?? 0;
    const place = since === undefined ? { version: 0, begun: newest } : this.#placeOf(since, newest);
    if (!place) return "reset";
    if (!table || !log) return { version: this.#nameOf(0), entries: [], more: false };
    // A reader that started from scratch after a deletion need not learn of it.
    if (log.horizon > Math.max(place.version, place.begun)) return "reset";
    this.#saw(table.writtenAt);
    const { entries, version, more } = log.page(place.version, maxBytes);
    const changes = entries.flatMap(({ id, row }) => {
      if (row && row.expiresAt > this.now) return [{ id, text: row.content as string }];
      return since === undefined ? [] : [{ id }];
    });
    const name = more ? this.#nameOf(version, place.begun) : this.#nameOf(newest);
    return { version: name, entries: changes, more };
  }

  peek<T>(collection: Collection<T>, space: Space, id: string): Promise<T | undefined> {
    return this.get(collection, space, id);
  }

  async assertRoom(account: string, most: StorageUse): Promise<void> {
    this.#assertOpen();
    const { tables, guard } = this;
    const { heapBytes, ...grown } = tables.grown(this.#others, account);
    this.failure = NoRoom.of(most, tables.storage.of(account), grown) ?? guard.refusal(heapBytes);
    if (this.failure) throw this.failure;
  }

  /** @param begun the version at which the reading began that this is a part of. */
  #nameOf(version: number, begun = version): string {
    return `${this.opening}.${version}.${begun}`;
  }

  /** Returns undefined if `since` is malformed or from another opening of the store. */
  #placeOf(since: string, newest: number): { version: number; begun: number } | undefined {
    const [opening, version, begun] = since.split(".");
    const place = { version: Number(version), begun: Number(begun) };
    return opening === this.opening && place.version <= newest && place.begun <= newest ? place : undefined;
  }

  #assertOpen(): void {
    if (this.failure) throw this.failure;
    if (this.over) throw new Error("the transaction is over: its work did not await it");
  }

  #read(table: Table, id: string): Row | undefined {
    const row = this.#seeing(table, id);
    return row && row.expiresAt > this.now ? row : undefined;
  }

  /** Returns the row even if it has expired. */
  #seeing(table: Table, id: string): Row | undefined {
    const row = table.rows.get(id);
    this.#saw(row ? row.version : table.deletedAt);
    return row;
  }

  #saw(version: number): void {
    if (version > this.seen && version <= this.#begin) this.seen = version;
  }
}

function jsonOf(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("a document must be a JSON value");
  return text;
}

function* idsOf(table: Table, { after, prefix = "", order = "ascending" }: ListOptions): Generator<string> {
  const before: Before =
    order === "ascending"
      ? (id) => byBytes(id, prefix) < 0 || (after !== undefined && byBytes(id, after) <= 0)
      : (id) =>
          (after === undefined || byBytes(id, after) < 0) &&
          (byBytes(id, prefix) < 0 || id.startsWith(prefix));
  for (const id of table.ids[order](before)) {
    if (!id.startsWith(prefix)) return;
    yield id;
  }
}

/** Returns the ids of counters in a range. */
function idsIn(table: Table, { from, to, after, limit = Number.POSITIVE_INFINITY }: CountsRange): string[] {
  const ids: string[] = [];
  const before: Before = (id) => byBytes(id, from) < 0 || (after !== undefined && byBytes(id, after) <= 0);
  for (const id of table.ids.ascending(before)) {
    if (ids.length >= limit || byBytes(id, to) >= 0) break;
    ids.push(id);
  }
  return ids;
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) frozen(member);
    Object.freeze(value);
  }
  return value;
}
