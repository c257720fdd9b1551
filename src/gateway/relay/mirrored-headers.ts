import type { IncomingHttpHeaders } from "node:http";
import type { Message } from "../message.ts";

/** The requests that must have Mcp-Name. */
const NAMED: ReadonlySet<string> = new Set(["tools/call", "resources/read", "prompts/get"]);

/**
 * Returns the conflict between the body and the headers that repeat parts of it (MCP 2026-07-28, Streamable HTTP,
 * Server Validation). A server that trusts the header would otherwise process another request than the one checked
 * here. A missing one is refused as well, since a program over stdio gets no headers and could not refuse it.
 *
 * @param stateless whether the client speaks a version in which it has to send them.
 */
export function headerMismatch(
  headers: IncomingHttpHeaders,
  message: Message,
  stateless: boolean,
): string | undefined {
  const method = one(headers["mcp-method"]);
  if (method !== undefined && method !== message.method) {
    return `Header mismatch: Mcp-Method does not match the method "${message.method}" of the body`;
  }
  if (stateless && method === undefined && message.kind === "request")
    return `Header mismatch: Mcp-Method is missing; send the method "${message.method}" of the body in it`;
  const name = one(headers["mcp-name"]);
  if (stateless && name === undefined && message.kind === "request" && NAMED.has(message.method))
    return "Header mismatch: Mcp-Name is missing; send the name or uri of the body in it";
  if (name !== undefined && message.subject !== undefined && decoded(name) !== message.subject) {
    return "Header mismatch: Mcp-Name does not match the name or uri of the body";
  }
  return undefined;
}

/** Returns a header's value. Node joins the values of a repeated one, which matches no body. */
function one(value: string | string[] | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function decoded(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}
