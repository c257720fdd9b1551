/** Kinds of sinks that a value may flow into. A value that is sanitized for one is still dangerous for another. */
export const TARGETS = ["markup", "shell", "path", "query", "code", "address"] as const;
/** A query that is an object, as of MongoDB: any text is harmless in it, and what serves a query serves it too. */
export type Target = (typeof TARGETS)[number] | "document";
