/**
 * What an account stores: the documents of all collections and the counters, in its own space and its projects'.
 * Expired documents count until they are swept, within a minute or two.
 */
export interface StorageUse {
  /** UTF-8 bytes of ids and of documents as JSON text. A counter takes its id and `COUNTER_BYTES`. */
  bytes: number;
  documents: number;
}

/** Size of a counter besides its id, whatever its total: mostly the overhead of a row. */
export const COUNTER_BYTES = 64;
