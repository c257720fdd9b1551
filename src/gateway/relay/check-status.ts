import type { IncomingHttpHeaders } from "node:http";
import type { Message } from "../message.ts";
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

/**
 * Throws for a status without what belongs to it in MCP: success without an answer to a request, or no endpoint where the
 * handshake was sent, as with an address that lacks its path, or of a server of HTTP+SSE, the transport of 2024-11-05.
 */
export function checkAnswered(
  message: Message | undefined,
  { status, json }: { status: number; json: Buffer | undefined },
  title: string,
): void {
  if (message?.kind !== "request") return;
  if (status < 400 && !json) {
    throw new UpstreamFailure("malformed", `${title} accepted the request without an answer (${status}).`);
  }
  const isNowhere = message.method === "initialize" && (status === 404 || status === 405);
  // A server of 2026-07-28 alone says in JSON-RPC that it knows no such method.
  if (!isNowhere || json?.includes('"jsonrpc"')) return;
  const words = `${title} has no MCP endpoint at its address (${status}). Its operator has to give the whole address, with a path such as /mcp, of an endpoint over streamable HTTP.`;
  throw new UpstreamFailure("malformed", words);
}

/** Whether a proxy before an upstream says that it does not reach it, or the upstream itself that it is not available. */
export function isAway(status: number): boolean {
  return status >= 502 && status <= 504;
}
