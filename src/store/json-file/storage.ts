import { COUNTER_BYTES, type StorageUse } from "../storage-use.ts";
import { accountOf } from "../store.ts";
import type { Row } from "./row.ts";

/**
 * Heap bytes of a row besides the characters of its id and text: the row itself, its entries in the map and in the
 * order of ids, the headers of both strings. Measured: 140 to 165 bytes.
 */
const ROW_BYTES = 200;
/** Heap bytes of an empty table. Measured: about 460 bytes. */
const TABLE_BYTES = 500;

/** What an account stores, in all its tables together. */
export type Account = StorageUse;

/** Tracks how much is stored, updated with every change of a row. */
export class Storage {
  /** Approximate heap size of all rows and tables, in bytes. */
  heapBytes = 0;
  readonly #accounts = new Map<string, Account>();

  /** Returns the totals of the account that a space belongs to; undefined for a space of no account. */
  accountIn(space: string): Account | undefined {
    const id = accountOf(space);
    if (id === undefined) return undefined;
    let account = this.#accounts.get(id);
    if (!account) {
      account = { bytes: 0, documents: 0 };
      this.#accounts.set(id, account);
    }
    return account;
  }

  of(account: string): StorageUse {
    const { bytes, documents } = this.#accounts.get(account) ?? NOTHING;
    return { bytes, documents };
  }

  addTable(): void {
    this.heapBytes += TABLE_BYTES;
  }

  removeTable(): void {
    this.heapBytes -= TABLE_BYTES;
  }

  /** Updates the totals for a row that replaces another. */
  replace(account: Account | undefined, id: string, before: Row | undefined, after: Row | undefined): void {
    if (before) {
      this.heapBytes -= heapBytesOf(id, before);
      if (account) {
        account.bytes -= before.bytes;
        account.documents -= documentsIn(before);
      }
    }
    if (after) {
      this.heapBytes += heapBytesOf(id, after);
      if (account) {
        account.bytes += after.bytes;
        account.documents += documentsIn(after);
      }
    }
  }
}

const NOTHING: StorageUse = { bytes: 0, documents: 0 };

/** Returns the bytes that `StorageUse` counts for a document's text or a counter's total under an id. */
export function storedBytes(id: string, content: string | number): number {
  return Buffer.byteLength(id) + (typeof content === "number" ? COUNTER_BYTES : Buffer.byteLength(content));
}

/** Returns the number of documents as `StorageUse` counts them: 0 for a counter. */
export function documentsIn(row: Row | undefined): number {
  return typeof row?.content === "string" ? 1 : 0;
}

/**
 * Returns the heap bytes of a row. A string with a character outside Latin-1 takes two bytes for each character. Any
 * text that is not ASCII is taken for one.
 */
export function heapBytesOf(id: string, { content, bytes }: Row): number {
  if (typeof content === "number") return ROW_BYTES + id.length;
  const characters = id.length + content.length;
  return ROW_BYTES + (bytes > characters ? 2 * characters : characters);
}
