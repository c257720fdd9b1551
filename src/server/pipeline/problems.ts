import { OAuthError, Problem, type ProblemCode } from "../../contract/problem.ts";
import { ReadOnly, StoreUnavailable } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { headersGiven } from "./answer.ts";

/** An error answer, ready to be sent. */
export interface ErrorAnswer {
  status: number;
  contentType: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Returns anything that was thrown as a `Problem`. Internal errors reveal no details. */
export function asProblem(error: unknown, onInternal: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ReadOnly) {
    return new Problem("store_unavailable", `Nothing is written at the moment: ${error.message}`, {
      headers: { "Retry-After": "10" },
      cause: error,
    });
  }
  if (error instanceof StoreUnavailable) {
    return new Problem("store_unavailable", "The store does not answer at the moment. Try again shortly.", {
      headers: { "Retry-After": "1" },
      cause: error,
    });
  }
  onInternal(error);
  return new Problem(
    "internal_error",
    "The request failed for a reason that is recorded on the server. Quote the request id when asking about it.",
    { cause: error },
  );
}

/** Returns a problem as RFC 9457 JSON; `error` is the member to branch on. */
export function problemAnswer(problem: Problem, requestId: string, baseUrl: string): ErrorAnswer {
  return {
    status: problem.status,
    contentType: "application/problem+json",
    headers: headersGiven(problem.extras.headers ?? {}),
    body: {
      type: `${baseUrl}/docs/problems#${problem.error}`,
      title: problem.title,
      status: problem.status,
      detail: problem.detail,
      instance: requestId,
      error: problem.error,
      ...(problem.extras.errors && { errors: problem.extras.errors }),
      ...problem.extras.members,
    },
  };
}

/**
 * Returns a problem as a JSON-RPC error (2.0 §5.1) for MCP clients, with the problem in `data`. Its code is the HTTP
 * status if JSON-RPC defines none, since the codes from -32768 to -32000 are reserved. MCP omits an unknown id.
 */
export function rpcAnswer(
  problem: Problem,
  requestId: string,
  baseUrl: string,
  rpcId: string | number | undefined,
): ErrorAnswer {
  const { status, headers, body } = problemAnswer(problem, requestId, baseUrl);
  const code = RPC_CODES[problem.error] ?? status;
  return {
    status,
    contentType: "application/json",
    headers,
    body: {
      jsonrpc: "2.0",
      ...defined({ id: rpcId }),
      error: { code, message: problem.detail, data: body },
    },
  };
}

const RPC_CODES: Partial<Record<ProblemCode, number>> = {
  invalid_json: -32700,
  invalid_request: -32600,
  internal_error: -32603,
};

/**
 * Returns an error in the form of RFC 6749 §5.2. A Problem of the pipeline (limits, sizes, media types) becomes the
 * nearest OAuth error.
 */
export function oauthAnswer(error: OAuthError | Problem): ErrorAnswer {
  const oauth = error instanceof OAuthError ? error : translate(error);
  return {
    status: oauth.status,
    contentType: "application/json",
    headers: oauth.extras.headers ?? {},
    body: oauth.members,
  };
}

function translate(problem: Problem): OAuthError {
  const extras = { status: problem.status, headers: problem.extras.headers ?? {} };
  switch (problem.error) {
    case "rate_limited":
      // RFC 8628 §3.5: the only throttling signal that device clients handle.
      return new OAuthError("slow_down", problem.detail, extras);
    case "invalid_token":
    case "insufficient_scope":
      return new OAuthError(problem.error, problem.detail, extras);
    case "internal_error":
      return new OAuthError("server_error", problem.detail, extras);
    case "store_unavailable":
    case "overloaded":
    case "quota_exceeded":
      return new OAuthError("temporarily_unavailable", problem.detail, extras);
    default:
      return new OAuthError("invalid_request", problem.detail, extras);
  }
}
