import type { StorageUse } from "../storage-use.ts";
import { assertExpiry } from "../store.ts";
import type { Row } from "./row.ts";
import { documentsIn, heapBytesOf, Storage, storedBytes } from "./storage.ts";
import { Table } from "./table.ts";

/** One change of a table, with what it takes to undo it. */
export interface Write {
  readonly table: Table;
  readonly id: string;
  /** Undefined for a deletion. */
  readonly row: Row | undefined;
  readonly before: Row | undefined;
  readonly version: number;
}

/** All data of the store, in memory: the `data` of lowdb. */
export class Tables {
  /** Version of the last write. */
  version = 0;
  /** Version of the last durable write. */
  durable = 0;
  readonly storage = new Storage();
  /** Names of the collections that keep a change feed. */
  readonly #followed: ReadonlySet<string>;
  readonly #documents = new Map<string, Map<string, Table>>();
  readonly #counters = new Map<string, Map<string, Table>>();
  /** Writes on their way to the disk, in groups, the oldest first. */
  #saving: Write[][] = [];
  /** Writes that are not yet on their way to the disk, in order. */
  #unsaved: Write[] = [];
  /** Rows of unsaved writes that were overwritten since. */
  #overwritten: Row[] = [];
  /** Version of the last write that is on its way to the disk. */
  #taken = 0;

  /** @param followed names of the collections that keep a change feed. */
  constructor(followed: ReadonlySet<string> = new Set()) {
    this.#followed = followed;
  }

  /** Returns a table for reading; undefined if nothing was ever written to it. */
  find(kind: Table["kind"], name: string, space: string): Table | undefined {
    return (kind === "put" ? this.#documents : this.#counters).get(name)?.get(space);
  }

  obtain(kind: Table["kind"], name: string, space: string): Table {
    const byName = kind === "put" ? this.#documents : this.#counters;
    let bySpace = byName.get(name);
    if (!bySpace) {
      bySpace = new Map();
      byName.set(name, bySpace);
    }
    let table = bySpace.get(space);
    if (!table) {
      table = new Table(kind, name, space, this.storage, kind === "put" && this.#followed.has(name));
      bySpace.set(space, table);
    }
    return table;
  }

  *all(): Generator<Table> {
    for (const byName of [this.#documents, this.#counters]) {
      for (const bySpace of byName.values()) yield* bySpace.values();
    }
  }

  /** Gives back memory that a table does not need any more, unless one of its writes may still be undone. */
  tidy(table: Table): void {
    const { kind, name, space, rows, log } = table;
    if (table.writtenAt > this.durable) return;
    if (log) log.trim();
    else if (rows.size === 0) {
      (kind === "put" ? this.#documents : this.#counters).get(name)?.delete(space);
      this.storage.removeTable();
    }
  }

  /** Writes a row, or deletes it if `content` is undefined. */
  write(table: Table, id: string, content: string | number | undefined, expiresAt?: number): void {
    this.replace(table, id, table.rows.get(id), content, expiresAt);
  }

  /** Writes a row whose predecessor is known: a lookup in a large table costs more than the rest. */
  replace(
    table: Table,
    id: string,
    before: Row | undefined,
    content: string | number | undefined,
    expiresAt?: number,
  ): void {
    if (typeof id !== "string") throw new TypeError("an id must be a string");
    // A line with anything else could not be read again, and the store not be opened.
    if (expiresAt !== undefined) assertExpiry(expiresAt);
    const row = this.#place(table, id, content, expiresAt, before);
    table.log?.add(id, this.version, !row);
    if (before && before.version > this.#taken) this.#overwritten.push(before);
    this.#unsaved.push({ table, id, row, before, version: this.version });
  }

  /** Writes a row read from the disk. `loaded` must follow the last one. */
  load(table: Table, id: string, content: string | number | undefined, expiresAt?: number): void {
    const row = this.#place(table, id, content, expiresAt, table.rows.get(id));
    if (row) table.log?.add(id, row.version, false);
  }

  loaded(): void {
    this.durable = this.version;
    this.#taken = this.version;
  }

  /** Number of writes that a rollback would undo. */
  get unsaved(): number {
    return this.#unsaved.length;
  }

  /** Returns what all unsaved writes but the first `keep` add to an account, and to the heap in bytes. */
  grown(keep: number, account: string): StorageUse & { heapBytes: number } {
    const counted = this.storage.accountIn(account);
    const grown = { bytes: 0, documents: 0, heapBytes: 0 };
    for (let index = keep; index < this.#unsaved.length; index++) {
      const { table, id, row, before } = this.#unsaved[index] as Write;
      grown.heapBytes += (row ? heapBytesOf(id, row) : 0) - (before ? heapBytesOf(id, before) : 0);
      if (table.account !== counted) continue;
      grown.bytes += (row?.bytes ?? 0) - (before?.bytes ?? 0);
      grown.documents += documentsIn(row) - documentsIn(before);
    }
    return grown;
  }

  /** Undoes all unsaved writes but the first `keep`. */
  rollBack(keep: number): void {
    this.#undo(this.#unsaved.splice(keep));
    if (this.#unsaved.length + this.#saving.length === 0) this.durable = this.version;
  }

  /**
   * Takes the unsaved writes for saving. Returns those that were not overwritten: of several to one id the last, in the
   * order of writing.
   */
  save(): Write[] {
    const group = this.#unsaved;
    this.#saving.push(group);
    this.#unsaved = [];
    this.#taken = this.version;
    if (this.#overwritten.length === 0) return group;
    const overwritten = new Set(this.#overwritten);
    this.#overwritten = [];
    // A deletion is saved even if the id was written again: the later record follows it.
    return group.filter(({ row }) => !row || !overwritten.has(row));
  }

  /** Marks the oldest group on its way to the disk as durable, up to a version. */
  saved(version: number): void {
    this.#saving.shift();
    this.durable = version;
  }

  /** Undoes the writes that could not be saved, and all that came after them. */
  undoAllUnsaved(): void {
    this.#undo(this.#unsaved);
    for (const group of this.#saving.reverse()) this.#undo(group);
    this.#unsaved = [];
    this.#saving = [];
    this.durable = this.version;
  }

  #place(
    table: Table,
    id: string,
    content: string | number | undefined,
    expiresAt = Number.POSITIVE_INFINITY,
    before: Row | undefined,
  ): Row | undefined {
    const version = ++this.version;
    const row =
      content === undefined ? undefined : { content, expiresAt, version, bytes: storedBytes(id, content) };
    table.set(id, row, before);
    table.writtenAt = version;
    if (!row) table.deletedAt = version;
    return row;
  }

  /** Undoes writes, the last one first. */
  #undo(writes: readonly Write[]): void {
    for (let index = writes.length - 1; index >= 0; index--) {
      const { table, id, row, before, version } = writes[index] as Write;
      table.set(id, before, row);
      table.log?.undo(id, version, before);
      if (before && before === this.#overwritten.at(-1)) this.#overwritten.pop();
    }
  }
}
