import { type RateLimitRequestHandler, rateLimit } from "express-rate-limit";
import { type LimitReport, type NamedWindow, refusal, report } from "../metering/rate-limit.ts";
import type { Store, Verdict } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Exchange } from "./exchange.ts";

/** Admits a request to all of its windows or refuses it; either way the exchange knows its limits then. */
export interface LimitEnforcer {
  /** Resolves once admitted; rejects with `rate_limited`. */
  admit(exchange: Exchange, windows: readonly NamedWindow[]): Promise<void>;
  /** Takes nothing and refuses nothing: for what counts for nothing and still bears the headers. */
  look(windows: readonly NamedWindow[]): Promise<LimitReport>;
}

/**
 * One express-rate-limit instance counts for everything. Its store is asked once a request, by the
 * request's id, and asks ours for all of that request's windows in one atomic step.
 */
export function createLimitEnforcer({ store, clock }: { store: Store; clock: Clock }): LimitEnforcer {
  const asked = new Map<string, { windows: readonly NamedWindow[]; verdict?: Verdict }>();
  const middleware: RateLimitRequestHandler = rateLimit({
    limit: 1,
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
    keyGenerator: (req) => (req as unknown as Exchange).requestId,
    handler: (_req, _res, next) => next(REFUSED),
    store: {
      localKeys: true,
      async increment(requestId) {
        const question = asked.get(requestId);
        if (!question) throw new Error(`no windows were asked about for ${requestId}`);
        question.verdict = await store.admit(question.windows);
        return { totalHits: question.verdict.admitted ? 1 : 2, resetTime: undefined };
      },
      decrement() {},
      resetKey() {},
    },
  });

  return {
    admit(exchange, windows) {
      const question: { windows: readonly NamedWindow[]; verdict?: Verdict } = { windows };
      asked.set(exchange.requestId, question);
      return new Promise<void>((resolve, reject) => {
        // The limiter reads nothing of Express from a request, so the exchange can stand for it.
        middleware(exchange as never, exchange.res as never, (outcome?: unknown) => {
          asked.delete(exchange.requestId);
          const { verdict } = question;
          if (verdict) exchange.limits = report(windows, verdict, clock.now());
          if (outcome === REFUSED && verdict) reject(refusal(windows, verdict, clock.now()));
          else if (outcome) reject(outcome);
          else resolve();
        });
      });
    },
    async look(windows) {
      const verdict = await store.admit(windows.map((window) => ({ ...window, cost: 0 })));
      return report(windows, { ...verdict, admitted: true }, clock.now());
    },
  };
}

const REFUSED = Symbol("refused");
