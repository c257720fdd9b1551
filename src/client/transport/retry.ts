import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { retryAfterOf } from "../answer.ts";
import { isAnswered } from "../answered-error.ts";
import { Unreachable } from "../errors.ts";

/** Reported before each wait, so that the terminal is not silent. */
export interface Wait {
  seconds: number;
  reason: "rate_limited" | "unavailable";
  /** Starts at 1. */
  attempt: number;
}

export interface RetryOptions {
  /** 30 by default. A longer wait is left to the caller to decide. */
  maxWaitSeconds?: number;
  clock: Clock;
  random: Random;
  onWait?: (wait: Wait) => void;
}

const MAX_TRIES = 4;
const MAX_WAIT_SECONDS = 30;

/**
 * Runs `attempt` again after 429 and, where a second arrival does no harm (`replayable`), after 503 and lost
 * connections. Throws the last error, with the `delivery` of all tries together.
 */
export async function retrying<T>(
  attempt: () => Promise<T>,
  replayable: boolean,
  { clock, random, onWait, maxWaitSeconds = MAX_WAIT_SECONDS }: RetryOptions,
  signal?: AbortSignal,
): Promise<T> {
  let mayHaveArrived = false;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Unreachable && error.delivery === "unknown") mayHaveArrived = true;
      const reason = reasonToRetry(error, replayable, tries);
      const backoff = reason === "torn" ? 0 : 2 ** (tries - 1) * (0.5 + random.fraction() / 2);
      const seconds = retryAfterOf(error, clock.now()) ?? backoff;
      if (!reason || tries === MAX_TRIES || seconds > maxWaitSeconds) {
        throw mayHaveArrived ? withUnknownDelivery(error) : error;
      }
      if (reason !== "torn") onWait?.({ seconds, reason, attempt: tries });
      if (seconds > 0)
        await clock.sleep(seconds * 1000, signal).catch((stopped) => throwFirst(error, stopped));
    }
  }
}

/** Throws what the server answered, if the time for the whole call is over during the wait. */
function throwFirst(answered: unknown, stopped: unknown): never {
  throw stopped instanceof DOMException && stopped.name === "TimeoutError" ? answered : stopped;
}

function reasonToRetry(
  error: unknown,
  replayable: boolean,
  tries: number,
): Wait["reason"] | "torn" | undefined {
  if (isAnswered(error)) {
    // A limit rejects a request before anything is done, so any request may be repeated.
    if (error.status === 429) return "rate_limited";
    if (error.status === 503 && replayable) return "unavailable";
  }
  if (error instanceof Unreachable && replayable) {
    if (error.torn && tries === 1) return "torn";
    if (error.status !== undefined) return "unavailable";
  }
}

function withUnknownDelivery(error: unknown): unknown {
  if (!(error instanceof Unreachable) || error.delivery === "unknown") return error;
  return new Unreachable(error.baseUrl, error.reason, { delivery: "unknown", cause: error });
}
