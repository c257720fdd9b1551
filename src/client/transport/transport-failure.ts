import { Problem } from "../../contract/problem.ts";
import { Unreachable } from "../errors.ts";
import type { TransportLimits, TransportRequest } from "./transport.ts";

/** How far an exchange got. */
export type Stage = "connecting" | "sent" | "answered";

export const HEADERS_TIMEOUT = "UND_ERR_HEADERS_TIMEOUT";
/** Of an answer that keeps coming, but would not end. */
export const TOO_SLOW = "TOO_SLOW";

/** What undici failed with, in our terms: `Unreachable`, or a problem of the request itself. */
export function failureOf(
  cause: Error,
  stage: Stage,
  { url, timeoutMs }: TransportRequest,
  { connectMs }: TransportLimits,
): Error {
  const code = codeOf(cause);
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED") {
    return new Problem("invalid_request", `That cannot be sent over HTTP: ${cause.message}.`);
  }
  const delivery = stage === "connecting" ? "never" : "unknown";
  return new Unreachable(url.origin, reason(), { delivery, torn: isTorn(code), cause });

  /** In words that follow "cannot be reached: ". */
  function reason(): string {
    if (code === "UND_ERR_CONNECT_TIMEOUT") return `no connection within ${connectMs / 1000} s`;
    if (code === HEADERS_TIMEOUT) return `no answer within ${timeoutMs / 1000} s`;
    if (code === TOO_SLOW) return "its answer comes too slowly";
    if (stage === "answered") return "its answer stopped half way";
    if (code === "ECONNREFUSED") return "nothing listens there";
    if (code === "ENOTFOUND") return `the name ${url.hostname} is unknown`;
    if (code === "EAI_AGAIN") return `the name ${url.hostname} could not be looked up`;
    if (isTorn(code)) return "the connection was torn before it answered";
    if (code === "ETIMEDOUT") return "the connection timed out";
    if (code === "EHOSTUNREACH" || code === "ENETUNREACH") return "there is no way to it from this network";
    if (code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER")
      return "it does not speak TLS on that port";
    if (code?.startsWith("ERR_SSL_")) return `it and this machine agree on no TLS (${code})`;
    if (cause.name === "HTTPParserError") return "what listens there does not speak HTTP";
    if (code && /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code))
      return `its certificate is not trusted (${code})`;
    return code ? `${cause.message} (${code})` : cause.message;
  }
}

/** A connection that stood was lost: a restart, or a kept connection that idled too long. */
function isTorn(code: string | undefined): boolean {
  return code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET";
}

/** Several addresses of one name fail together as an `AggregateError` that may bear no code itself. */
function codeOf(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null) return undefined;
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  if (cause instanceof AggregateError) return codeOf(cause.errors[0]);
  return undefined;
}
