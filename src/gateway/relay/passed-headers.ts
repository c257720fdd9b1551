import type { IncomingHttpHeaders } from "node:http";

/** The header of a session, which its clients know by a signed name (`sessions.ts`). */
export const SESSION = "mcp-session-id";

/*
 * Allowlists: any other header of a client (its credential, cookies, proxy headers) is not passed to the upstream,
 * and any other header of an upstream (cookies, challenges) is not passed to the client.
 */

/** From a client, in addition to `Mcp-Param-*`. */
const FROM_CLIENT = [
  "accept",
  "accept-language",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "traceparent",
  "tracestate",
  "user-agent",
];

/** From an upstream. */
const FROM_UPSTREAM = ["content-type", "mcp-protocol-version", "retry-after", "allow"];

const PARAMETER = /^mcp-param-[a-z0-9!#$%&'*+.^_`|~-]+$/;

/** @param stateless whether the revision knows no resumption: an upstream might look for the id among all clients' events. */
export function headersFromClient(headers: IncomingHttpHeaders, stateless: boolean): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of FROM_CLIENT) {
    const value = stateless && name === "last-event-id" ? undefined : headers[name];
    if (value !== undefined) passed[name] = String(value);
  }
  for (const name in headers) {
    if (PARAMETER.test(name)) passed[name] = String(headers[name]);
  }
  return passed;
}

export function headersFromUpstream(headers: IncomingHttpHeaders): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of FROM_UPSTREAM) {
    const value = headers[name];
    if (value !== undefined) passed[name] = String(value);
  }
  return passed;
}

/** Returns the header with the identity. It has its own name if the operator has a credential for the upstream. */
export function identityHeader(
  operators: Readonly<Record<string, string>>,
  token: string,
): Record<string, string> {
  const isTaken = "authorization" in operators;
  return isTaken ? { "x-mcp-identity": token } : { authorization: `Bearer ${token}` };
}
