import { onAbort } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import { createTurns } from "../../system/turns.ts";
import { UpstreamFailure, type UpstreamRequest } from "./upstream-port.ts";

/**
 * Bounds what each account has with a program at once. Most programs work through their requests one after the other, and
 * all accounts wait for what was handed over before: so the rest of an account's requests wait here, in order.
 */
export interface AccountPlaces {
  /** Resolves when it is the request's turn, with a function that gives its place to the account's next. */
  take(request: Pick<UpstreamRequest, "accountId" | "signal">): Promise<() => void>;
}

/** Few enough that others hardly wait, and as many as programs that work on several at once mostly do: they call services. */
const AT_ONCE = 16;
/** How many times a request may take at most a wait may: what an account may have under way takes no longer, by default. */
const MAX_ROUNDS = 16;

export function createAccountPlaces({
  title,
  timeoutMs,
  clock,
  most = AT_ONCE,
}: {
  title: string;
  /** The longest that the program may be silent to a request. */
  timeoutMs: number;
  clock: Pick<Clock, "sleep">;
  most?: number | undefined;
}): AccountPlaces {
  const turns = createTurns({
    maxRunning: Number.POSITIVE_INFINITY,
    maxOfOne: most,
    // Bounded by the concurrency of each account.
    maxWaiting: Number.POSITIVE_INFINITY,
    refusal: tooMany,
  });
  const longestMs = MAX_ROUNDS * timeoutMs;

  function tooMany(): UpstreamFailure {
    const words = `The request has waited ${longestMs / 1000} s for its turn: ${title} has as many of this account as it gets at once (${most}).`;
    return new UpstreamFailure("paused", words, { retryAfterSeconds: 1 });
  }

  return {
    async take({ accountId, signal }) {
      const given = new AbortController();
      onAbort(signal, () => given.abort(signal.reason));
      const taken = turns.take(accountId, given.signal);
      await inTime(taken, { clock, ms: longestMs, late: () => given.abort(tooMany()) });
      return taken;
    },
  };
}
