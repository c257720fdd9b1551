import { OperationalError } from "../system/operational-error.ts";
import type { StorageUse } from "./storage-use.ts";

/** The id of a new document is taken. */
export class Conflict extends Error {
  constructor(
    readonly collection: string,
    readonly id: string,
  ) {
    super(`${collection} ${id} exists already`);
    this.name = "Conflict";
  }
}

/** What is to be stored exceeds a bound: one of the account's, or the store's own. */
export class NoRoom extends Error {
  constructor(
    readonly bound: "storageBytes" | "documents" | "server memory",
    readonly limit: number,
    /** Before the transaction. */
    readonly used: number,
    /** After the transaction. */
    readonly wanted: number,
  ) {
    super(`${bound}: ${wanted} would be more than ${limit}`);
    this.name = "NoRoom";
  }

  /**
   * Returns an error where what is stored `after` a transaction exceeds `most` and the transaction has increased it.
   */
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
 * The medium does not respond: the disk is full, or the database is unreachable. The operation did not happen, unless a
 * connection was lost during a commit: then the message says that the outcome is unknown.
 */
export class StoreUnavailable extends OperationalError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreUnavailable";
  }
}

/**
 * Returns the messages of an error and its causes. Only messages: a driver's error carries the whole connection, keys
 * included.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  // The message already includes that of its cause.
  if (!(cause instanceof Error) || message.includes(cause.message)) return message;
  return `${message} (${reasonOf(cause)})`;
}

/** The store is read only at the moment, for the reason in the message. Reads still work. */
export class ReadOnly extends StoreUnavailable {
  constructor(reason: string) {
    super(reason);
    this.name = "ReadOnly";
  }
}

/** There is no store where one is to be read. */
export class NoStore extends OperationalError {}

/** A store may be incomplete: it is being filled from another or from a backup, or that was interrupted. */
export class NotFilled extends OperationalError {
  /** @param back how to get back what was moved aside for it, for the message */
  constructor(where: string, back: string) {
    super(
      `${where} is not whole, or nobody has compared it: what fills it is at it still, or was ended. In that case fill it ` +
        `again, with \`tool restore\`, \`tool data move\` or \`tool data copy\`, or go back to what was there before: ${back}.`,
    );
    this.name = "NotFilled";
  }
}
