/** A kind of document. `T` is the shape of its documents. */
export interface Collection<T> {
  readonly name: string;
  /** Whether it keeps a change feed, for projections to catch up with. */
  readonly changes: boolean;
  /**
   * Whether it is read on nearly every request. An adapter over a network may then answer from memory as long as it is
   * sure to learn of every write within a second.
   */
  readonly cached: boolean;
  /**
   * Returns the id of the user whose personal data a document in an account's space is. It then belongs to the export of
   * that person's data.
   */
  userOf?(document: T, id: string): string | undefined;
  /** Whether a document tells of another account than the one it is kept in, whose export leaves it out. */
  isOfAnother?(document: T): boolean;
  /** Phantom: carries `T`. */
  readonly document?: T;
}

/**
 * Declares a kind of document. To be declared once, as a constant: a store identifies collections by name.
 *
 * @param name in snake_case, at most 40 characters, the same over the life of the data.
 */
export function collection<T>(
  name: string,
  options: Partial<Pick<Collection<T>, "changes" | "cached" | "userOf" | "isOfAnother">> = {},
): Collection<T> {
  if (!isStoreName(name)) {
    throw new Error(`"${name}" is no name for a collection: use snake_case, at most 40 characters.`);
  }
  const { changes = false, cached = false, ...more } = options;
  return { name, changes, cached, ...more };
}

/** Whether something may name a collection or a counter: what PostgreSQL accepts, so that all stores accept the same. */
export function isStoreName(name: unknown): name is string {
  return typeof name === "string" && /^[a-z][a-z0-9_]{0,39}$/.test(name);
}
