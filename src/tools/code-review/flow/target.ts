/** Kinds of sinks that a value may flow into. A value that is sanitized for one is still dangerous for another. */
export const TARGETS = ["markup", "shell", "path", "query", "code", "address"] as const;
export type Target = (typeof TARGETS)[number];
