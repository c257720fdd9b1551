import type { IncomingHttpHeaders } from "node:http";

/*
 * Named one by one: whatever else a client sends (its credential, its cookies, what proxies wrote of it) stays
 * here, and whatever else an upstream answers (cookies, its own challenges) does, too.
 */

/** Of a client, beside `Mcp-Param-*`. */
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

/** Of an upstream. */
const FROM_UPSTREAM = ["content-type", "mcp-protocol-version", "retry-after", "allow"];

const PARAMETER = /^mcp-param-[a-z0-9!#$%&'*+.^_`|~-]+$/;

export function headersFromClient(headers: IncomingHttpHeaders): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of FROM_CLIENT) {
    const value = headers[name];
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

/** Where the operator has a credential of their own for the upstream, the identity comes beside it. */
export function identityHeader(
  operators: Readonly<Record<string, string>>,
  token: string,
): Record<string, string> {
  const isTaken = "authorization" in operators;
  return isTaken ? { "x-mcp-identity": token } : { authorization: `Bearer ${token}` };
}
