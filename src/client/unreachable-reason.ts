/** A connection's failure in words that follow "cannot be reached: ". */
export function reasonOf(cause: unknown, url: URL): string {
  const code = codeOf(cause);
  const message = cause instanceof Error ? cause.message : "the connection failed";
  if (code === "ECONNREFUSED") return "nothing listens there";
  if (code === "ENOTFOUND") return `the name ${url.hostname} is unknown`;
  if (code === "EAI_AGAIN") return `the name ${url.hostname} could not be looked up`;
  if (isTorn(cause)) return "the connection was torn before it answered";
  if (code === "ETIMEDOUT") return "the connection timed out";
  if (code === "EHOSTUNREACH" || code === "ENETUNREACH") return "there is no way to it from this network";
  if (code === "EPROTO") return "it does not speak TLS on that port";
  if (code?.startsWith("HPE_")) return "what listens there does not speak HTTP";
  if (code && /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code))
    return `its certificate is not trusted (${code})`;
  return code ? `${message} (${code})` : message;
}

/** True where a connection that stood was lost: a restart, or a kept connection that idled too long. */
export function isTorn(cause: unknown): boolean {
  const code = codeOf(cause);
  return code === "ECONNRESET" || code === "EPIPE";
}

/** Several addresses of one name fail together as an `AggregateError` that may bear no code itself. */
function codeOf(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null) return undefined;
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  if (cause instanceof AggregateError) return codeOf(cause.errors[0]);
  return undefined;
}
