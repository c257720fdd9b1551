import type { IncomingHttpHeaders } from "node:http";
import { UpstreamFailure } from "../upstreams/upstream-port.ts";

/** Throws for the statuses of an upstream that are not for its clients: refusals of this server, redirects, failures. */
export function checkStatus(
  status: number,
  { location, "retry-after": retryAfter = "" }: IncomingHttpHeaders,
  title: string,
): void {
  if (status === 401 || status === 403) {
    throw new UpstreamFailure("refused", `${title} does not accept this server's requests (${status}).`);
  }
  if (status >= 300 && status < 400) {
    const words = `${title} redirects its requests (${status}), which are not sent elsewhere. Its operator has to give the address that it redirects to.`;
    // Addresses are for the operator's log alone.
    const cause = new Error(`It redirects to ${String(location).slice(0, 512)}`);
    throw new UpstreamFailure("malformed", words, { cause });
  }
  if (status < 500) return;
  const isSoon = /^\d{1,9}$/.test(retryAfter);
  const when = isSoon ? ` It asks to be tried again in ${retryAfter} s.` : "";
  throw new UpstreamFailure("malformed", `${title} failed with the status ${status}.${when}`, {
    ...(isSoon && { retryAfterSeconds: Number(retryAfter) }),
  });
}

/** Whether a proxy before an upstream says that it does not reach it, or the upstream itself that it is not available. */
export function isAway(status: number): boolean {
  return status >= 502 && status <= 504;
}
