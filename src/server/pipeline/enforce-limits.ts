import type { RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import { Problem } from "../../contract/problem.ts";
import type { WatchLimits } from "../../metering/limits/limit-alerts.ts";
import { type LimitReport, refusal, report, type WindowSet } from "../../metering/limits/rate-limit.ts";
import type { Refusals } from "../../metering/usage/refusals.ts";
import { type Store, StoreUnavailable, type Verdict } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { inTime } from "../../system/in-time.ts";
import type { Exchange } from "./exchange.ts";

/** Admits a request to all of its windows or refuses it. Either way, it sets the limits of the exchange. */
export interface LimitEnforcer {
  /** Resolves once admitted; rejects with `rate_limited`. */
  admit(exchange: Exchange, set: WindowSet): Promise<void>;
  /**
   * Reports the limits without counting or refusing anything, even if the store is unavailable. For requests that do
   * not count but still have the headers.
   */
  peek(set: WindowSet): Promise<LimitReport>;
  /** Does what `admit` does, as Express middleware for pages. It counts in the windows of the exchange. */
  middleware: RequestHandler;
}

/** Bounds the wait for the store, so that a health check is answered even if the store hangs. */
const MAX_LOOK_MS = 200;

export function createLimitEnforcer({
  store,
  clock,
  noteRefusal,
  watchLimits,
}: {
  store: Store;
  clock: Clock;
  /** Called for each refusal of an authenticated request. */
  noteRefusal: Refusals["note"];
  /** Called with what is left after each authenticated request. */
  watchLimits?: WatchLimits;
}): LimitEnforcer {
  /** Returns the report while the store is unavailable: nothing is admitted, and nothing is known to be left. */
  function unknown(set: WindowSet): LimitReport {
    const resetAt = clock.now() + 1000;
    const states = set.windows.map(() => ({ remaining: 0, resetAt, nextAt: resetAt }));
    return report(set, { admitted: false, windows: states }, clock.now());
  }

  async function admit(exchange: Exchange, set: WindowSet): Promise<void> {
    let verdict: Verdict;
    try {
      // One atomic step for all windows of a request.
      verdict = await store.admit(set.windows);
    } catch (error) {
      exchange.limits = unknown(set);
      throw error;
    }
    const now = clock.now();
    exchange.limits = report(set, verdict, now);
    const { identity, endpoint } = exchange;
    if (identity) watchLimits?.(identity.account.id, set, verdict);
    if (verdict.admitted) return;
    if (identity) noteRefusal({ ...identity, accountId: identity.account.id }, endpoint);
    throw refusal(set, verdict, now);
  }

  return {
    admit,
    async peek(set) {
      try {
        const asked = store.admit(set.windows.map((window) => ({ ...window, cost: 0 })));
        const late = () => {
          throw new StoreUnavailable("the store has not answered in time");
        };
        const verdict = await inTime(asked, { clock, ms: MAX_LOOK_MS, late });
        return report(set, { ...verdict, admitted: true }, clock.now());
      } catch (error) {
        if (error instanceof StoreUnavailable) return unknown(set);
        throw error;
      }
    },
    middleware: expressLimit(admit),
  };
}

/**
 * Uses express-rate-limit with a store keyed by request: the exchange is kept under its request id while the limiter
 * counts it, and its own windows do the counting.
 */
function expressLimit(admit: LimitEnforcer["admit"]): RequestHandler {
  const asked = new Map<string, { exchange: Exchange; refused?: Problem }>();
  const limit = rateLimit({
    limit: 1,
    // They would describe only one of several windows. `commonHeaders` sets the headers of all answers.
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
    keyGenerator: (req) => req.exchange?.requestId ?? "",
    handler: (req, _res, next) => next(asked.get(req.exchange?.requestId ?? "")?.refused),
    store: {
      localKeys: true,
      async increment(requestId) {
        const question = asked.get(requestId);
        if (!question?.exchange.windows) throw new Error(`no windows were asked about for ${requestId}`);
        await admit(question.exchange, question.exchange.windows).catch((error) => {
          if (!(error instanceof Problem)) throw error;
          question.refused = error;
        });
        return { totalHits: question.refused ? 2 : 1, resetTime: undefined };
      },
      decrement() {},
      resetKey() {},
    },
  });
  return (req, res, next) => {
    const { exchange } = req;
    // A request that the kernel has counted, or exempted from counting, already has its limits.
    if (!exchange || exchange.limits) return next();
    asked.set(exchange.requestId, { exchange });
    void limit(req, res, (outcome?: unknown) => {
      asked.delete(exchange.requestId);
      next(outcome);
    });
  };
}
