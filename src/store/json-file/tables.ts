import type { StorageUse } from "../store.ts";
import { documentsIn, heapBytesOf, Storage, storedBytes } from "./storage.ts";
import { type Row, Table } from "./table.ts";

/** One change of a table, with what it takes to undo it. */
export interface Write {
  readonly table: Table;
  readonly id: string;
  /** Absent: a deletion. */
  readonly row: Row | undefined;
  readonly before: Row | undefined;
  readonly version: number;
}

/** Everything the store holds, in memory: the `data` of lowdb. */
export class Tables {
  /** Of the last write. */
  version = 0;
  /** Of the last write that is safe on the disk. */
  durable = 0;
  readonly storage = new Storage();
  /** Names of collections. */
  readonly #followed: ReadonlySet<string>;
  readonly #documents = new Map<string, Map<string, Table>>();
  readonly #counters = new Map<string, Map<string, Table>>();
  /** On their way to the disk, in groups, the first first … */
  #saving: Write[][] = [];
  /** … and not even that, in order … */
  #unsaved: Write[] = [];
  /** … and of these the rows that stand no more. */
  readonly #overwritten = new Set<Row>();
  /** Of the last write that is on its way. */
  #taken = 0;

  /** @param followed names of the collections that keep a feed of what was written. */
  constructor(followed: ReadonlySet<string> = new Set()) {
    this.#followed = followed;
  }

  /** For reading: undefined where nothing was ever written. */
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

  /** Where no `content` is given, deletes. */
  write(table: Table, id: string, content: string | number | undefined, expiresAt?: number): void {
    this.replace(table, id, table.rows.get(id), content, expiresAt);
  }

  /** The same where it is known what stands there: to look it up in a large table costs more than the rest. */
  replace(
    table: Table,
    id: string,
    before: Row | undefined,
    content: string | number | undefined,
    expiresAt?: number,
  ): void {
    if (typeof id !== "string" || Number.isNaN(expiresAt)) throw new TypeError("no id, or no time of expiry");
    const row = this.#place(table, id, content, expiresAt, before);
    table.log?.add(id, this.version, !row);
    if (before && before.version > this.#taken) this.#overwritten.add(before);
    this.#unsaved.push({ table, id, row, before, version: this.version });
  }

  /** As `write`, for what comes from the disk: an arbitrary number of these, then `loaded`. */
  load(table: Table, id: string, content: string | number | undefined, expiresAt?: number): void {
    const row = this.#place(table, id, content, expiresAt, table.rows.get(id));
    if (row) table.log?.add(id, row.version, false);
  }

  loaded(): void {
    this.durable = this.version;
    this.#taken = this.version;
  }

  /** How many writes a rollback would undo. */
  get unsaved(): number {
    return this.#unsaved.length;
  }

  /** What all unsaved writes but the first `keep` add to an account, and to the heap in bytes. */
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

  /** The unsaved writes whose rows still stand: of several to one id the last, in the order of writing. */
  save(): Write[] {
    const group = this.#unsaved;
    this.#saving.push(group);
    this.#unsaved = [];
    this.#taken = this.version;
    const standing = this.#overwritten.size === 0 ? group : group.filter((write) => this.#stands(write));
    this.#overwritten.clear();
    return standing;
  }

  /** A deletion of what is there again is told, too: what follows it comes behind. */
  #stands({ row }: Write): boolean {
    return !row || !this.#overwritten.has(row);
  }

  /** The first group that was being saved is on the disk: all up to a version. */
  saved(version: number): void {
    this.#saving.shift();
    this.durable = version;
  }

  /** What was being saved could not be: undoes that and all that came after it. */
  forsake(): void {
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

  /** Takes writes back, the last one first. */
  #undo(writes: readonly Write[]): void {
    for (let index = writes.length - 1; index >= 0; index--) {
      const { table, id, row, before, version } = writes[index] as Write;
      table.set(id, before, row);
      table.log?.undo(id, version, before);
      if (before) this.#overwritten.delete(before);
    }
  }
}
