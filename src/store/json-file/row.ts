/** The content under an id. Rows are replaced, never changed, so that undoing a write can restore the old one. */
export interface Row {
  /** The JSON text of a document, or the total of a counter. */
  readonly content: string | number;
  /** Milliseconds since the epoch; `Infinity` where it does not expire. */
  readonly expiresAt: number;
  /** Its place in the order of all writes since the store was opened. */
  readonly version: number;
  /** Size as `StorageUse` counts it. */
  readonly bytes: number;
  /** The document, parsed and frozen once, where its collection is cached. */
  shared?: unknown;
}
