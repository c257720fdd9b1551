import type { IncomingMessage } from "node:http";
import { inspect } from "node:util";
import { OAuthError, Problem } from "../../contract/problem.ts";
import { ReadOnly, reasonOf, StoreUnavailable } from "../../store/store.ts";
import { createThrottle } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { errorPage } from "../../web/error-page.tsx";
import type { Answer } from "./answer.ts";
import { inSchemeOf } from "./authenticate.ts";
import { type Exchange, isApiPath, traceIdOf } from "./exchange.ts";
import { asProblem, type ErrorAnswer, oauthAnswer, problemAnswer, rpcAnswer } from "./problems.ts";
import type { Route } from "./route.ts";

/** For error pages: they have a stylesheet and an icon, but no forms. */
const ERROR_PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/** While the store is away or read-only, requests fail one after another: the log gets at most one line in this time. */
const TOLD_AGAIN_MS = 10_000;

const MAX_THROWN_LENGTH = 2000;

/** Returns the answer to anything that was thrown, in the form that the client expects. */
export type Failure = (exchange: Exchange, error: unknown, form?: Route["errors"]) => Answer;

/**
 * @param onFailed called for each failure of the server itself, unavailability of the store included.
 * @param onRefused called for each answer that is an error, with its code and the limit that was reached, if any.
 */
export function createFailure({
  baseUrl,
  clock,
  log,
  serviceName,
  onFailed,
  onRefused = () => {},
}: {
  baseUrl: () => string;
  clock: Pick<Clock, "now">;
  log: Log;
  /** What people know the service by, for pages. */
  serviceName: string;
  onFailed: (error: unknown, exchange: Exchange) => void;
  onRefused?: (error: string, window: string | undefined) => void;
}): Failure {
  const mayTell = createThrottle(clock, { everyMs: TOLD_AGAIN_MS, most: 2 });

  return (exchange, error, form) => {
    const { req, requestId, path } = exchange;
    const problem =
      error instanceof OAuthError
        ? error
        : asProblem(error, (internal) => {
            const about = { requestId, traceId: traceIdOf(exchange), endpoint: exchange.endpoint };
            logThrown(log, about, internal);
            onFailed(internal, exchange);
          });
    if (error instanceof ReadOnly) {
      if (mayTell("read only"))
        log.warn({ requestId, because: reasonOf(error) }, "the store is read only, until tool data writable");
    } else if (error instanceof StoreUnavailable) {
      if (mayTell("store"))
        log.warn({ requestId, because: reasonOf(error) }, "a request failed for want of the store");
      onFailed(error, exchange);
    }
    onRefused(problem.error, windowOf(problem));
    if (form === "mcp" && problem instanceof Problem) {
      return answerOf(rpcAnswer(problem, requestId, baseUrl(), exchange.rpcId), req);
    }
    if (problem instanceof OAuthError || (form ?? defaultForm(path)) === "oauth") {
      return answerOf(oauthAnswer(problem), req);
    }
    if (!form && !isApiPath(path) && req.headers.accept?.includes("text/html")) {
      return {
        status: problem.status,
        headers: {
          ...problem.extras.headers,
          "Content-Type": "text/html; charset=utf-8",
          "Content-Security-Policy": ERROR_PAGE_POLICY,
        },
        body: errorPage(problem, { serviceName, requestId }),
      };
    }
    return answerOf(problemAnswer(problem, requestId, baseUrl()), req);
  };
}

/** Logs what was thrown. It may be anything, such as a `Response`, whose members cannot be read as those of an error. */
function logThrown(log: Log, about: object, thrown: unknown): void {
  try {
    log.error({ ...about, err: thrown }, "request failed");
  } catch {
    log.error({ ...about, thrown: inspect(thrown).slice(0, MAX_THROWN_LENGTH) }, "request failed");
  }
}

function windowOf(problem: Problem | OAuthError): string | undefined {
  const window = problem instanceof Problem ? problem.extras.members?.window : undefined;
  return typeof window === "string" ? window : undefined;
}

function defaultForm(path: string): Route["errors"] {
  return path.startsWith("/auth/") && isApiPath(path) ? "oauth" : "problem";
}

function answerOf({ status, contentType, headers, body }: ErrorAnswer, req: IncomingMessage): Answer {
  const challenge = headers["WWW-Authenticate"];
  const challenged = challenge !== undefined && { "WWW-Authenticate": inSchemeOf(req, challenge) };
  return {
    status,
    headers: { "Content-Type": contentType, ...headers, ...challenged },
    body: JSON.stringify(body),
  };
}
