import { Problem } from "../../contract/problem.ts";
import { Unreachable } from "../errors.ts";
import { shownProxy } from "./proxy.ts";
import type { TransportPath, TransportRequest } from "./transport.ts";

/** How far an exchange progressed. */
export type Stage = "connecting" | "sent" | "answered";

/** Error codes of the transport's own timers, in addition to Node's. */
export const CONNECT_TIMEOUT = "CONNECT_TIMEOUT";
export const HEADERS_TIMEOUT = "HEADERS_TIMEOUT";
export const IDLE_TIMEOUT = "IDLE_TIMEOUT";
/** For an answer that keeps arriving, but at too low a rate to finish. */
export const TOO_SLOW = "TOO_SLOW";

/** Node's codes for a method, path or header that it refuses to send. */
const UNSENDABLE = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_HTTP_INVALID_HEADER_VALUE",
  "ERR_UNESCAPED_CHARACTERS",
  "ERR_INVALID_ARG_VALUE",
  "ERR_INVALID_ARG_TYPE",
]);

/** Returns the error to throw for a failed exchange: `Unreachable`, or a problem with the request itself. */
export function failureOf(
  cause: Error,
  stage: Stage,
  { url, timeoutMs }: TransportRequest,
  { connectMs, proxy }: TransportPath,
): Error {
  const code = codeOf(cause);
  // With a proxy, that is the name that is looked up.
  const { hostname = url.hostname } = cause as { hostname?: string };
  if (code && UNSENDABLE.has(code)) {
    return new Problem("invalid_request", `That cannot be sent over HTTP: ${cause.message}.`);
  }
  const delivery = stage === "connecting" ? "never" : "unknown";
  const through = proxy === undefined ? "" : ` (through ${shownProxy(proxy)}, the environment's proxy)`;
  return new Unreachable(url.origin, reason() + through, {
    delivery,
    torn: isTorn(code),
    next: certificateRemedy(code),
    cause,
  });

  /** Returns a phrase that follows "cannot be reached: ". */
  function reason(): string {
    if (code === CONNECT_TIMEOUT) return `no connection within ${connectMs / 1000} s`;
    if (code === HEADERS_TIMEOUT) return `no answer within ${timeoutMs / 1000} s`;
    if (code === TOO_SLOW) return "its answer comes too slowly";
    if (stage === "answered") return "its answer stopped half way";
    if (code === "ECONNREFUSED") return "nothing listens there";
    if (code === "ENOTFOUND") return `the name ${hostname} is unknown`;
    if (code === "EAI_AGAIN") return `the name ${hostname} could not be looked up`;
    if (isTorn(code)) return "the connection was torn before it answered";
    if (code === "ETIMEDOUT") return "the connection timed out";
    if (code === "EHOSTUNREACH" || code === "ENETUNREACH") return "there is no way to it from this network";
    if (code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER")
      return "it does not speak TLS on that port";
    if (code?.startsWith("ERR_SSL_")) return `it and this machine agree on no TLS (${code})`;
    if (code === "HPE_HEADER_OVERFLOW") return "its answer begins with more headers than are read";
    if (code?.startsWith("HPE_")) return "what listens there does not speak HTTP";
    if (code && /SELF_SIGNED|UNABLE_TO/.test(code))
      return `its certificate is not trusted (${code}); NODE_EXTRA_CA_CERTS=<file> trusts the authorities in a file`;
    if (code && /CERT|ALTNAME/.test(code)) return `its certificate is not trusted (${code})`;
    return code ? `${cause.message} (${code})` : cause.message;
  }
}

/** Returns what to do about a certificate that is not trusted; undefined if the failure is another one. */
function certificateRemedy(code = ""): string | undefined {
  if (code === "CERT_HAS_EXPIRED")
    return "Whoever runs the server renews its certificate, unless this machine's clock is wrong.";
  if (code === "CERT_NOT_YET_VALID") return "See whether this machine's clock is right.";
  if (/ALTNAME/.test(code)) return "Address the server by a name that its certificate is for.";
  if (/CERT|UNABLE_TO/.test(code))
    return "Whoever runs the server says which authority issued its certificate, and whether it sends the whole chain.";
  return undefined;
}

/** Whether an established connection was lost: by a restart, or because a kept connection idled too long. */
function isTorn(code: string | undefined): boolean {
  return code === "ECONNRESET" || code === "EPIPE";
}

/** Returns the error's code. When several addresses of a name fail, Node's `AggregateError` may have none itself. */
function codeOf(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as { code?: unknown };
  if (typeof code === "string") return code;
  if (cause instanceof AggregateError) return codeOf(cause.errors[0]);
  return undefined;
}
