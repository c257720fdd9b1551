import type { IncomingHttpHeaders } from "node:http";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";

export type HttpAnswer =
  | { status: number; headers: Record<string, string>; body?: string }
  /** Why what came is no message of the protocol. */
  | { refused: string };

/** One message and its answer over streamable HTTP. */
export async function exchangeMessage(
  server: Server,
  message: unknown,
  { url, headers }: { url: string; headers: IncomingHttpHeaders },
): Promise<HttpAnswer> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = new Request(url, { method: "POST", headers: readByTransport(headers) });
    const response = await transport.handleRequest(request, { parsedBody: message });
    const body = await response.text();
    if (!response.ok) return { refused: JSON.parse(body).error.message };
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      ...(body !== "" && { body }),
    };
  } finally {
    await server.close();
  }
}

/** JSON is all that is ever answered, so that nobody is asked to take event streams too. No secret among them. */
function readByTransport(headers: IncomingHttpHeaders): Record<string, string> {
  const version = headers["mcp-protocol-version"];
  return {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    ...(version !== undefined && { "mcp-protocol-version": String(version) }),
  };
}
