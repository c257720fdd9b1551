import { OAuthError } from "../contract/problem.ts";
import type { Store } from "../store/store.ts";

/** Share of a store in memory beyond which no client registers itself, since a registration stays for a day. */
export const REGISTRATIONS_SHARE = 0.8;

/**
 * Refuses what a stranger begins here if a store in memory is that full. Nobody's plan bounds it, and many addresses
 * together would otherwise fill the heap, with which the server ends.
 */
export function requireStrangersRoom({ headroom }: Pick<Store, "headroom">, share = 1): void {
  const memory = headroom.describe();
  if (!memory || memory.usedBytes <= share * memory.limitBytes) return;
  throw new OAuthError(
    "temporarily_unavailable",
    "This server keeps its data in memory and has no room for this at the moment. Try again later, or tell its operator.",
    { status: 507 },
  );
}
