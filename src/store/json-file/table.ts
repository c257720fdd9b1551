import { SortedStrings } from "../sorted-strings.ts";
import { tableKey } from "./journal/record.ts";
import type { Row } from "./row.ts";
import type { Account, Storage } from "./storage.ts";
import { WriteLog } from "./write-log.ts";

/** The documents of one collection in one space, or the counters of one name in one space. */
export class Table {
  readonly rows = new Map<string, Row>();
  /** Version of the last write. */
  writtenAt = 0;
  /** Version of the last deletion. */
  deletedAt = 0;
  /** Whether it ever held a document that expires. */
  expires = false;
  /** Kept for collections with a change feed. */
  log: WriteLog | undefined;
  /** The part of every record that `tableKey` returns. */
  readonly key: string;
  #ids: SortedStrings | undefined;
  readonly #storage: Storage;
  /** The totals that its rows count towards; undefined for a space of no account. */
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

  /** Returns the log. For a collection not named when the store was opened, it begins with the first call. */
  get writeLog(): WriteLog {
    if (!this.log) {
      this.log = new WriteLog(this.rows);
      const rows = [...this.rows].sort(([, left], [, right]) => left.version - right.version);
      for (const [id, { version }] of rows) this.log.add(id, version, false);
      this.log.horizon = this.deletedAt;
    }
    return this.log;
  }

  /** Sorted on first use: most tables are never listed. */
  get ids(): SortedStrings {
    this.#ids ??= new SortedStrings(this.rows.keys());
    return this.#ids;
  }

  /** @param before the current row. */
  set(id: string, row: Row | undefined, before: Row | undefined): void {
    // The size of a counter does not change with its total.
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
