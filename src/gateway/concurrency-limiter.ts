import { overloaded } from "../contract/retry-later.ts";

/** Bounds the concurrent requests of each account to an upstream, on this instance. */
export interface ConcurrencyLimiter {
  /** Takes a place. Returns an idempotent function that frees it; throws `overloaded` if none is left. */
  take(accountId: string): () => void;
  /** Places taken by all accounts. */
  readonly taken: number;
}

export function createConcurrencyLimiter(most: number, what: string): ConcurrencyLimiter {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    get taken() {
      return all;
    },
    take(accountId) {
      const before = taken.get(accountId) ?? 0;
      if (before >= most) {
        const detail = `This account has ${most} requests to ${what} under way, as many as it may have. Wait for one of them.`;
        throw overloaded(detail, 1);
      }
      taken.set(accountId, before + 1);
      all += 1;
      let isBack = false;
      return () => {
        if (isBack) return;
        isBack = true;
        all -= 1;
        const now = (taken.get(accountId) ?? 1) - 1;
        if (now > 0) taken.set(accountId, now);
        else taken.delete(accountId);
      };
    },
  };
}
