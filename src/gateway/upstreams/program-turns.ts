import { onAbort } from "../../system/abort.ts";
import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import { createTurns } from "../../system/turns.ts";
import { UpstreamFailure, type UpstreamRequest } from "./upstream-port.ts";

/**
 * Decides when a program gets which request. Most programs work through their requests one after the other, and read none
 * meanwhile. So each account has few with it at once, and those that it has not read are handed over in turn, account by
 * account: whatever one account sends, others wait for little of it. The rest of its requests wait here, in order.
 */
export interface ProgramTurns {
  /** Resolves when a request may be handed over. */
  take(request: Pick<UpstreamRequest, "accountId" | "signal">, options: TakeOptions): Promise<ProgramTurn>;
}

export interface TakeOptions {
  /** Whether it waits for something to happen, which keeps no program busy, and would keep its account's others waiting. */
  isEndless: boolean;
}

/** Both functions are idempotent. */
export interface ProgramTurn {
  /** The program has read the request, so that the next one can be handed over. */
  read(): void;
  /** The program has done with the request, so that the next one of the account has its turn. */
  end(): void;
}

/** Few enough that others hardly wait, and as many as programs that work on several at once mostly do: they call services. */
const AT_ONCE = 16;
/** How many times a request may take at most a wait may: what an account may have under way takes no longer, by default. */
const MAX_ROUNDS = 16;

export function createProgramTurns({
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
}): ProgramTurns {
  const longestMs = MAX_ROUNDS * timeoutMs;
  // The requests that wait are bounded by the concurrency of each account.
  const waiting = { maxWaiting: Number.POSITIVE_INFINITY, refusal: tooLate };
  const places = createTurns({ ...waiting, maxRunning: Number.POSITIVE_INFINITY, maxOfOne: most });
  const reading = createTurns({ ...waiting, maxRunning: 1, maxOfOne: 1 });

  function tooLate(): UpstreamFailure {
    const words = `The request has waited ${longestMs / 1000} s for its turn: ${title} has as many of this account as it gets at once (${most}), or reads nothing.`;
    return new UpstreamFailure("paused", words, { retryAfterSeconds: 1 });
  }

  async function turnOf(
    accountId: string,
    { isEndless }: TakeOptions,
    signal: AbortSignal,
  ): Promise<ProgramTurn> {
    const end = isEndless ? () => {} : await places.take(accountId, signal);
    try {
      return { end, read: await reading.take(accountId, signal) };
    } catch (error) {
      end();
      throw error;
    }
  }

  return {
    async take({ accountId, signal }, options) {
      const given = new AbortController();
      onAbort(signal, () => given.abort(signal.reason));
      const turn = turnOf(accountId, options, given.signal);
      await inTime(turn, { clock, ms: longestMs, late: () => given.abort(tooLate()) });
      return turn;
    },
  };
}
