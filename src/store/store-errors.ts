import { OperationalError } from "../system/operational-error.ts";
import type { StorageUse } from "./store.ts";

/** An id that was to be new is taken. */
export class Conflict extends Error {
  constructor(
    readonly collection: string,
    readonly id: string,
  ) {
    super(`${collection} ${id} exists already`);
    this.name = "Conflict";
  }
}

/** What is to be stored goes beyond a bound: one of the account's, or the store's own. */
export class NoRoom extends Error {
  constructor(
    readonly bound: "storageBytes" | "documents" | "server memory",
    readonly limit: number,
    /** Before the transaction. */
    readonly used: number,
    /** What it would have made of that. */
    readonly wanted: number,
  ) {
    super(`${bound}: ${wanted} would be more than ${limit}`);
    this.name = "NoRoom";
  }

  /** Where what is stored `after` a transaction is more than `most`, and it was that which made it more. */
  static of(most: StorageUse, after: StorageUse, grown: StorageUse): NoRoom | undefined {
    const beyond = (bound: "bytes" | "documents") => grown[bound] > 0 && after[bound] > most[bound];
    if (beyond("bytes"))
      return new NoRoom("storageBytes", most.bytes, after.bytes - grown.bytes, after.bytes);
    if (beyond("documents"))
      return new NoRoom("documents", most.documents, after.documents - grown.documents, after.documents);
    return undefined;
  }
}

/**
 * The medium does not answer now: disk full, database away. What was asked did not happen, unless a
 * connection was lost in the middle of a commit: then the message says that nobody knows.
 */
export class StoreUnavailable extends OperationalError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreUnavailable";
  }
}

/** Why, with what is behind it, in words: a driver's error carries the whole connection, keys included. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  // What the message tells of its cause is not told twice.
  if (!(cause instanceof Error) || message.includes(cause.message)) return message;
  return `${message} (${reasonOf(cause)})`;
}

/** Nothing is to be written at the moment; the message says why, for people. What only reads goes on. */
export class ReadOnly extends StoreUnavailable {
  constructor(reason: string) {
    super(reason);
    this.name = "ReadOnly";
  }
}

/** A store is being filled from another, or from a backup, or was when that ended: not all of it may be there. */
export class NotFilled extends OperationalError {
  /** @param next what to do first in order to fill one anew, for people */
  constructor(where: string, next: string) {
    super(
      `${where} is not whole, or nobody has compared it: what fills it is at it still, or was ended. In that case ${next}, ` +
        "or fill this one from a backup with `tool restore --force`.",
    );
    this.name = "NotFilled";
  }
}
