import {
  type Fault,
  OAUTH_ERRORS,
  OAuthError,
  type OAuthErrorCode,
  PROBLEMS,
  Problem,
  type ProblemCode,
} from "../contract/problem.ts";
import { UnexpectedAnswer, Unreachable } from "./errors.ts";
import type { TransportAnswer } from "./transport/transport.ts";

/** Whether an error is one that a server answered with, of either kind. */
export function isAnswered(error: unknown): error is Problem | OAuthError {
  return error instanceof Problem || error instanceof OAuthError;
}

/** Returns the error that an answer with a status of 400 or more represents. */
export function errorOf(
  url: URL,
  status: number,
  headers: TransportAnswer["headers"],
  content: unknown,
): Problem | OAuthError | Unreachable | UnexpectedAnswer {
  if (typeof content !== "object" || content === null || !("error" in content)) {
    return strangerOf(url, status, headers);
  }
  const kept = present(headers);
  const body = problemWithin(content as Record<string, unknown>);
  if ("title" in body || "status" in body) {
    const { type, title, status: _, detail, instance, error, errors, ...members } = body;
    return new Problem(problemCode(error, status), String(detail ?? title ?? ""), {
      headers: kept,
      ...(Array.isArray(errors) && { errors: errors as Fault[] }),
      members,
    });
  }
  const said = body.error_description ?? body.error;
  if (typeof said !== "string") return strangerOf(url, status, headers);
  return new OAuthError(oauthCode(body.error, status), said, {
    status,
    headers: kept,
  });
}

/** Unwraps a problem: MCP endpoints answer with it in an error of JSON-RPC 2.0 (§5.1). */
function problemWithin(content: Record<string, unknown>): Record<string, unknown> {
  const { error } = content;
  const data = typeof error === "object" && error !== null && "data" in error ? error.data : undefined;
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : content;
}

/**
 * Returns the error for an answer that is not in the API's form, and so comes from something in front of the server.
 */
function strangerOf(url: URL, status: number, headers: TransportAnswer["headers"]) {
  if (status === 502 || status === 503 || status === 504) {
    const reason = `a gateway answered in its place (HTTP ${status})`;
    return new Unreachable(url.origin, reason, { delivery: "unknown", status });
  }
  return new UnexpectedAnswer(
    status,
    `${url.origin}${url.pathname} answered HTTP ${status} in a form that is not this API's: is the base URL right?`,
    headers["x-request-id"],
  );
}

/** Returns the problem code, or one with the same status where a newer server sends a code unknown to this client. */
function problemCode(error: unknown, status: number): ProblemCode {
  if (typeof error === "string" && Object.hasOwn(PROBLEMS, error)) return error as ProblemCode;
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return (
    codes.find((code) => PROBLEMS[code].status === status) ??
    (status < 500 ? "invalid_request" : "internal_error")
  );
}

function oauthCode(error: unknown, status: number): OAuthErrorCode {
  if (typeof error === "string" && Object.hasOwn(OAUTH_ERRORS, error)) return error as OAuthErrorCode;
  if (status === 429) return "slow_down";
  return status < 500 ? "invalid_request" : "server_error";
}

function present(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
