import { SortedStrings } from "../sorted-strings.ts";
import { tableKey } from "./journal/record.ts";
import type { Account, Storage } from "./storage.ts";
import { WriteLog } from "./write-log.ts";

/** What stands under an id. Never changed, only replaced: whoever holds the old one can put it back. */
export interface Row {
  /** The JSON text of a document, or the total of a counter. */
  readonly content: string | number;
  /** Milliseconds since the epoch; `Infinity` where it does not expire. */
  readonly expiresAt: number;
  /** Its place in the order of all writes since the store was opened. */
  readonly version: number;
  /** As `StorageUse` counts them. */
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
  /** Of a collection that keeps a feed of what was written. */
  log: WriteLog | undefined;
  /** Its part of every record. */
  readonly key: string;
  #ids: SortedStrings | undefined;
  readonly #storage: Storage;
  /** Whose count its rows are in; undefined for what belongs to no account. */
  readonly account: Account | undefined;

  constructor(
    readonly kind: "put" | "count",
    readonly name: string,
    readonly space: string,
    storage: Storage,
    followed = false,
  ) {
    this.key = tableKey(name, space);
    this.#storage = storage;
    this.account = storage.accountIn(space);
    storage.addTable();
    if (followed) this.log = new WriteLog(this.rows);
  }

  /** The log of a collection that the store was not told of when it was opened begins with the first look. */
  get writeLog(): WriteLog {
    if (!this.log) {
      this.log = new WriteLog(this.rows);
      const rows = [...this.rows].sort(([, left], [, right]) => left.version - right.version);
      for (const [id, { version }] of rows) this.log.add(id, version, false);
      this.log.horizon = this.deletedAt;
    }
    return this.log;
  }

  /** Most tables are never listed: the order is made when it is first asked for. */
  get ids(): SortedStrings {
    this.#ids ??= new SortedStrings(this.rows.keys());
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
