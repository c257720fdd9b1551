/** What a value is on its way to become: what makes it harmless for one leaves it dangerous for another. */
export const TARGETS = ["markup", "shell", "path", "query", "code", "address"] as const;
export type Target = (typeof TARGETS)[number];
