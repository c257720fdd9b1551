import { tableKey } from "./record.ts";
import { SortedIds } from "./sorted-ids.ts";
import type { Account, Storage } from "./storage.ts";

/** What stands under an id. Never changed, only replaced: whoever holds the old one can put it back. */
export interface Row {
  /** The JSON text of a document, or the total of a counter. */
  readonly content: string | number;
  /** Milliseconds since the epoch; `Infinity` where it does not expire. */
  readonly expiresAt: number;
  /** Its place in the order of all writes since the store was opened. */
  readonly version: number;
  /** Of id and text in UTF-8, as `StorageUse` counts them; 0 of a counter. */
  readonly bytes: number;
  /** Its document, read and frozen once, where it belongs to a cached collection. */
  shared?: unknown;
}

/** The documents of one collection in one space, or the counters of one name in one space. */
export class Table {
  readonly rows = new Map<string, Row>();
  /** Version of the last write … */
  writtenAt = 0;
  /** … and of the last deletion. */
  deletedAt = 0;
  /** Whether it ever held a document that expires. */
  expires = false;
  /** Begun when somebody first asks for changes: only then is there a version to ask from. */
  feed: Feed | undefined;
  /** Its part of every record. */
  readonly key: string;
  #ids: SortedIds | undefined;
  readonly #storage: Storage;
  /** Whose count its documents are in; undefined for counters and for what belongs to no account. */
  readonly account: Account | undefined;

  constructor(
    readonly kind: "put" | "count",
    readonly name: string,
    readonly space: string,
    storage: Storage,
  ) {
    this.key = tableKey(name, space);
    this.#storage = storage;
    this.account = kind === "put" ? storage.accountIn(space) : undefined;
    storage.addTable();
  }

  /** Most tables are never listed: the order is made when it is first asked for. */
  get ids(): SortedIds {
    this.#ids ??= new SortedIds(this.rows.keys());
    return this.#ids;
  }

  /** @param before what stands there now. */
  set(id: string, row: Row | undefined, before: Row | undefined): void {
    // A counter that goes on takes what it took.
    if (this.kind === "put" || !row || !before) this.#storage.replace(this.account, id, before, row);
    if (row) {
      if (!before) this.#ids?.add(id);
      this.rows.set(id, row);
      if (row.expiresAt !== Number.POSITIVE_INFINITY) this.expires = true;
    } else {
      this.rows.delete(id);
      this.#ids?.delete(id);
    }
  }
}

/** A feed keeps between half of this and all of it, or as many writes as there are rows: beyond that, beginning anew costs less. */
const LONGEST_FEED = 20_000;

/** The ids written in a table since its changes were first asked for, as far back as is kept. */
export class Feed {
  #ids: string[] = [];
  #dropped = 0;
  readonly #rows: () => number;

  /** @param rows how many its table has. */
  constructor(rows: () => number) {
    this.#rows = rows;
  }

  /** How many writes there have been. */
  get version(): number {
    return this.#dropped + this.#ids.length;
  }

  add(id: string): void {
    this.#ids.push(id);
    if (this.#ids.length <= Math.max(LONGEST_FEED, this.#rows())) return;
    const half = Math.floor(this.#ids.length / 2);
    this.#dropped += half;
    this.#ids = this.#ids.slice(half);
  }

  /** Takes the last `add` back. */
  undo(): void {
    if (this.#ids.length > 0) this.#ids.pop();
    else this.#dropped--;
  }

  /** Each id once, in the order of its last writing; undefined where `version` is too far back. */
  since(version: number): string[] | undefined {
    if (!(version >= this.#dropped && version <= this.version)) return undefined;
    const newestFirst = new Set(this.#ids.slice(version - this.#dropped).reverse());
    return [...newestFirst].reverse();
  }
}
