import {
  type Fault,
  OAUTH_ERRORS,
  OAuthError,
  type OAuthErrorCode,
  PROBLEMS,
  Problem,
  type ProblemCode,
} from "../contract/problem.ts";
import { secondsToWait } from "../system/network/retry-after.ts";
import { UnexpectedAnswer, Unreachable } from "./errors.ts";
import { excessOf } from "./transport/json-extent.ts";
import type { TransportAnswer } from "./transport/transport.ts";

/** An answer with a status under 400. */
export interface Answer<T = unknown> {
  status: number;
  headers: Record<string, string | undefined>;
  /** Parsed where it is JSON, text otherwise, undefined where there is none. */
  body: T;
  requestId?: string;
}

/** Reads what a server sent, or throws the error that it stands for. */
export function readAnswer(url: URL, { status, headers, body }: TransportAnswer): Answer {
  const requestId = headers["x-request-id"];
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity") {
    const message = `${url.origin} answered in the coding ${coding}, which was not asked for.`;
    throw new UnexpectedAnswer(status, message, requestId);
  }
  const isJson = /[/+]json\b/.test(headers["content-type"] ?? "");
  const excess = isJson ? excessOf(body) : undefined;
  if (excess !== undefined) {
    const message = `${url.origin}${url.pathname} answered with JSON ${excess}, which was not read.`;
    throw new UnexpectedAnswer(status, message, requestId);
  }
  const content = parse(isJson, body);
  if (status >= 400) throw errorOf(url, status, headers, content);
  if (status >= 300 && status !== 304) {
    const target = headers.location ? ` to ${headers.location}` : "";
    throw new UnexpectedAnswer(
      status,
      `${url.origin} redirects${target}: set the base URL to where it leads.`,
      requestId,
    );
  }
  if (content instanceof Malformed) {
    throw new UnexpectedAnswer(status, `${url.origin} answered with malformed JSON.`, requestId);
  }
  return { status, headers, body: content, requestId };
}

/** The id under which the server's log knows what failed. */
export function requestIdOf(error: unknown): string | undefined {
  if (error instanceof Problem || error instanceof OAuthError) return error.extras.headers?.["x-request-id"];
  if (error instanceof Error && "requestId" in error) return error.requestId as string | undefined;
}

/** Seconds to wait by the server's word. */
export function retryAfterOf(error: unknown, now: number): number | undefined {
  if (!(error instanceof Problem || error instanceof OAuthError)) return undefined;
  return secondsToWait(error.extras.headers?.["retry-after"], now);
}

class Malformed {}

function parse(isJson: boolean, body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const text = body.toString("utf8");
  if (!isJson) return text;
  try {
    return JSON.parse(text);
  } catch {
    return new Malformed();
  }
}

function errorOf(
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
  return new OAuthError(oauthCode(body.error, status), String(body.error_description ?? body.error), {
    status,
    headers: kept,
  });
}

/** What speaks MCP answers with the problem in an error of JSON-RPC 2.0 (§5.1). */
function problemWithin(content: Record<string, unknown>): Record<string, unknown> {
  const { error } = content;
  const data = typeof error === "object" && error !== null && "data" in error ? error.data : undefined;
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : content;
}

/** An error that is not in the API's form comes from something in front of it. */
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

/** What a newer server calls by a name that this client does not know is judged by its status. */
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
