import type { IncomingHttpHeaders } from "node:http";
import {
  createMcpHandler,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { createMcpServer, type McpServerPorts } from "./server.ts";
import { isOwnName, ownNameOf } from "./tasks.ts";

/** One client message, with the ports of its caller. */
export interface McpRequest {
  url: string;
  headers: IncomingHttpHeaders;
  /** The parsed body. */
  message: object;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  ports: McpServerPorts;
}

/** Streamable HTTP: each message is a POST of its own, in every revision of the protocol. */
export interface McpHttp {
  /**
   * Answers with JSON, or with server-sent events if there is progress to report before the answer. Invalid messages
   * get the protocol's errors.
   */
  answer(request: McpRequest): Promise<Response>;
}

export function createMcpHttp({ onError }: { onError: (error: Error) => void }): McpHttp {
  const current = createMcpHandler(({ authInfo }) => createMcpServer(portsIn(authInfo?.extra)).server, {
    // Answered below, in JSON where possible.
    legacy: "reject",
    onerror: onError,
    // A client that asks for progress gets an event every two seconds, and no other answer is streamed.
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

/**
 * The SDK treats any version that sorts after its latest as that one, and omits its latest from the supported
 * versions.
 */
const VERSIONS = ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS];

/** Refuses a message with an unknown revision in the header alone. `initialize` negotiates its own. */
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

/** Refuses invalid parameters, which the SDK would report as an internal error (JSON-RPC 2.0 §5.1). */
function refuseInitialize(message: object): Response | undefined {
  const { method, id, params } = message as { method?: unknown; id?: unknown; params?: unknown };
  if (method !== "initialize" || (typeof id !== "string" && typeof id !== "number")) return undefined;
  const issue = InitializeParams.safeParse(params).error?.issues[0];
  if (!issue) return undefined;
  const words = `Invalid params: ${["params", ...issue.path].join(".")}: ${issue.message}`;
  return refusal(200, id, { code: -32602, message: words });
}

/** Renames methods that the SDK would refuse, after checking that the headers match the body. */
function renamedForSdk(message: object, headers: Headers): object | Response {
  const { method, id, params } = message as { method?: unknown; id?: unknown; params?: { taskId?: unknown } };
  // Anything that is not a request is left to the SDK to refuse.
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

/** The SDK passes `extra` through unchanged, so it carries the ports. */
function portsIn(extra: Record<string, unknown> | undefined): McpServerPorts {
  return extra?.ports as McpServerPorts;
}

/** Answers revisions up to 2025-11-25, without their sessions. */
async function answerEarlier(
  request: Request,
  message: object,
  { accept }: IncomingHttpHeaders,
  ports: McpServerPorts,
): Promise<Response> {
  // Tasks exist only in 2026-07-28.
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

/** Copies the protocol's headers, which contain no secret. `Accept` is set for clients that omit event streams. */
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
