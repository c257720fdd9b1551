import { onAbort } from "../../system/abort.ts";
import { UpstreamFailure, type UpstreamRequest } from "./upstream-port.ts";

/**
 * Bounds the long answers of a program that wait for their clients: it cannot be told to write more slowly, as a server
 * over HTTP is, without all its other clients waiting as well.
 */
export interface HeldAnswers {
  /** Holds bytes until the request is over. Throws if all hold too much, and the account more than its share. */
  hold(request: Pick<UpstreamRequest, "accountId" | "signal">, bytes: number): void;
}

const MAX_HELD_BYTES = 128 * 1024 * 1024;

export function createHeldAnswers(title: string, maxBytes = MAX_HELD_BYTES): HeldAnswers {
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
      const own = add(accountId, bytes);
      if (heldBytes > maxBytes && own > maxBytes / heldBy.size) {
        add(accountId, -bytes);
        const words = `${title} has too many long answers under way. Read those that were begun, and ask again.`;
        throw new UpstreamFailure("paused", words, { retryAfterSeconds: 1 });
      }
      onAbort(signal, () => add(accountId, -bytes));
    },
  };
}
