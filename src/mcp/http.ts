import type { IncomingHttpHeaders } from "node:http";
import {
  createMcpHandler,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { createMcpServer, type McpServerPorts } from "./server.ts";
import { isOwnName, ownNameOf } from "./tasks.ts";

/** One message of a client, and for whom it is answered. */
export interface McpRequest {
  url: string;
  headers: IncomingHttpHeaders;
  /** The body, parsed. */
  message: object;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  ports: McpServerPorts;
}

/** Streamable HTTP: each message is a POST of its own, whichever revision of the protocol it is of. */
export interface McpHttp {
  /**
   * JSON, or server-sent events where there is something to say before the answer. What is no message of the
   * protocol is refused as the protocol has it.
   */
  answer(request: McpRequest): Promise<Response>;
}

export function createMcpHttp({ onError }: { onError: (error: Error) => void }): McpHttp {
  const current = createMcpHandler(({ authInfo }) => createMcpServer(portsIn(authInfo?.extra)).server, {
    // Answered below, in JSON wherever that will do.
    legacy: "reject",
    onerror: onError,
    // Whoever asks for progress hears something every two seconds; nobody else is streamed to.
    keepAliveMs: 0,
  });
  return {
    async answer({ url, headers, message, signal, ports }) {
      const request = new Request(url, { method: "POST", headers: ofProtocol(headers), signal });
      const refused = refuseUnknownVersion(message, request.headers);
      if (refused) return refused;
      if (await isLegacyRequest(request, message)) {
        return refuseInitialize(message) ?? answerEarlier(request, message, headers, ports);
      }
      const authInfo = { token: "", clientId: "", scopes: [], extra: { ports } };
      const renamed = renamedForSdk(message, request.headers);
      return renamed instanceof Response
        ? renamed
        : current.fetch(request, { parsedBody: renamed, authInfo });
    },
  };
}

/** The SDK takes what sorts behind its latest revision for that one, and leaves it out of what it names as served. */
const VERSIONS = ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS];

/** Of a message that says its revision in the header alone; `initialize` agrees on one itself. */
function refuseUnknownVersion(message: object, headers: Headers): Response | undefined {
  const { method, id, params } = message as { method?: unknown; id?: unknown; params?: { _meta?: object } };
  const named = headers.get("mcp-protocol-version");
  const isSaidTwice = Object.hasOwn(params?._meta ?? {}, PROTOCOL_VERSION_META_KEY);
  if (named === null || VERSIONS.includes(named) || method === "initialize" || isSaidTwice) return undefined;
  const requested = named.slice(0, 64);
  const words = `Unsupported protocol version: ${requested} (supported versions: ${VERSIONS.join(", ")})`;
  const data = { supported: VERSIONS, requested };
  const known = typeof id === "string" || typeof id === "number" ? id : null;
  return refusal(400, known, { code: -32022, message: words, data });
}

const InitializeParams = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
});

/** Where its parameters are wrong, which the SDK takes for a failure of its own (JSON-RPC 2.0 §5.1). */
function refuseInitialize(message: object): Response | undefined {
  const { method, id, params } = message as { method?: unknown; id?: unknown; params?: unknown };
  if (method !== "initialize" || (typeof id !== "string" && typeof id !== "number")) return undefined;
  const issue = InitializeParams.safeParse(params).error?.issues[0];
  if (!issue) return undefined;
  const words = `Invalid params: ${["params", ...issue.path].join(".")}: ${issue.message}`;
  return refusal(200, id, { code: -32602, message: words });
}

/** Methods that the SDK would refuse go by another name, once their headers say what their body does. */
function renamedForSdk(message: object, headers: Headers): object | Response {
  const { method, id, params } = message as { method?: unknown; id?: unknown; params?: { taskId?: unknown } };
  // What is no request is for the SDK to refuse.
  if (typeof method !== "string" || (typeof id !== "string" && typeof id !== "number")) return message;
  if (isOwnName(method)) return refusal(404, id, { code: -32601, message: "Method not found" });
  const name = ownNameOf(method);
  if (name === undefined) return message;
  if (headers.get("mcp-name") !== params?.taskId) {
    return refusal(400, id, { code: -32020, message: "Header mismatch: Mcp-Name is not the body's taskId" });
  }
  if (headers.get("mcp-method") === method) headers.set("mcp-method", name);
  return { ...message, method: name };
}

function refusal(
  status: number,
  id: string | number | null,
  error: { code: number; message: string; data?: object },
): Response {
  return Response.json({ jsonrpc: "2.0", id, error }, { status });
}

/** The SDK passes on what it is told of the caller, which is all that it needs to know of ours. */
function portsIn(extra: Record<string, unknown> | undefined): McpServerPorts {
  return extra?.ports as McpServerPorts;
}

/** Revisions up to 2025-11-25, without their sessions. */
async function answerEarlier(
  request: Request,
  message: object,
  { accept }: IncomingHttpHeaders,
  ports: McpServerPorts,
): Promise<Response> {
  // Of 2026-07-28 alone.
  const { tasks: _, ...others } = ports;
  const { server } = createMcpServer(others);
  const streams = asksForProgress(message) && accept?.includes("text/event-stream") === true;
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !streams,
    keepAliveMs: 0,
  });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: message });
  if (streams && response.body) {
    const body = response.body.pipeThrough(new TransformStream({ flush: () => server.close() }));
    return new Response(body, response);
  }
  await server.close();
  return response;
}

function asksForProgress(message: object): boolean {
  const { params } = message as { params?: { _meta?: { progressToken?: unknown } } };
  return params?._meta?.progressToken !== undefined;
}

/** No secret among them; nobody is asked to say that they would take event streams. */
function ofProtocol(headers: IncomingHttpHeaders): Headers {
  const read = new Headers({
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  });
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith("mcp-") && value !== undefined) read.set(name, String(value));
  }
  return read;
}
