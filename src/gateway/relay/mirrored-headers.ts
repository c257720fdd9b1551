import type { IncomingHttpHeaders } from "node:http";
import type { Message } from "../message.ts";

/**
 * Returns the conflict between the body and the headers that repeat parts of it (MCP 2026-07-28, Streamable HTTP,
 * Server Validation). A server that trusts the header would otherwise process another request than the one checked
 * here. A missing header is left to the upstream to refuse.
 */
export function headerMismatch(headers: IncomingHttpHeaders, message: Message): string | undefined {
  const method = one(headers["mcp-method"]);
  if (method !== undefined && method !== message.method) {
    return `Header mismatch: Mcp-Method does not match the method "${message.method}" of the body`;
  }
  const name = one(headers["mcp-name"]);
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
