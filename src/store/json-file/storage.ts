import { accountOf, COUNTER_BYTES, type StorageUse } from "../store.ts";
import type { Row } from "./table.ts";

/**
 * What a row takes beside the characters of its id and its text: the row itself, its place in the map
 * and in the order of ids, the heads of both strings. Measured: 140 to 165 bytes.
 */
const ROW_BYTES = 200;
/** What a table takes, however empty. Measured: about 460 bytes. */
const TABLE_BYTES = 500;

/** What an account stores, in all its tables together. */
export type Account = StorageUse;

/** Keeps count of what is stored, with every change of a row. */
export class Storage {
  /** About what all rows and tables take of the heap, in bytes. */
  heapBytes = 0;
  readonly #accounts = new Map<string, Account>();

  /** The count of the account that a space belongs to; undefined for what belongs to none. */
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

  /** A row takes the place of another. */
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

/** In bytes, as `StorageUse` counts them: of a document's text or a counter's total. */
export function storedBytes(id: string, content: string | number): number {
  return Buffer.byteLength(id) + (typeof content === "number" ? COUNTER_BYTES : Buffer.byteLength(content));
}

/** As `StorageUse` counts them: a counter is none. */
export function documentsIn(row: Row | undefined): number {
  return typeof row?.content === "string" ? 1 : 0;
}

/** A string with any character that isn't Latin-1 takes two bytes for each: as a rule of all that isn't ASCII. */
export function heapBytesOf(id: string, { content, bytes }: Row): number {
  if (typeof content === "number") return ROW_BYTES + id.length;
  const characters = id.length + content.length;
  return ROW_BYTES + (bytes > characters ? 2 * characters : characters);
}
