import { onAbort } from "../system/abort.ts";

/** Bounds the memory that requests under way take together, of which each account has its share. */
export interface HeldBytes {
  /** Holds bytes until the signal aborts. Returns false, and holds none, if all hold too much and the account more than its share. */
  hold(holder: { accountId: string; signal: AbortSignal }, bytes: number): boolean;
}

export function createHeldBytes(maxBytes: number): HeldBytes {
  const heldBy = new Map<string, number>();
  let heldBytes = 0;

  function add(accountId: string, bytes: number): number {
    const own = (heldBy.get(accountId) ?? 0) + bytes;
    heldBytes += bytes;
    if (own > 0) heldBy.set(accountId, own);
    else heldBy.delete(accountId);
    return own;
  }

  return {
    hold({ accountId, signal }, bytes) {
      if (bytes === 0) return true;
      const own = add(accountId, bytes);
      if (heldBytes > maxBytes && own > maxBytes / heldBy.size) {
        add(accountId, -bytes);
        return false;
      }
      onAbort(signal, () => add(accountId, -bytes));
      return true;
    },
  };
}
