import type { IncomingMessage } from "node:http";
import type { Endpoint } from "../../contract/endpoint.ts";
import { invalidRequest } from "../../contract/faults.ts";
import { Problem } from "../../contract/problem.ts";
import type { McpHttp } from "../../mcp/http.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Clock } from "../../system/clock.ts";
import { isObject } from "../../system/is-object.ts";
import { MCP_OPERATION } from "../openapi/mcp-operation.ts";
import { abortOf } from "../operations/request-caller.ts";
import type { Answer } from "../pipeline/answer.ts";
import { isForEndpoint, requireEndpoint } from "../pipeline/bound-tools.ts";
import { isLoopbackHost } from "../pipeline/client-address.ts";
import type { Exchange, Identity } from "../pipeline/exchange.ts";
import { MAX_MAIN_VALUES, onceEach, parseJson } from "../pipeline/json-body.ts";
import { noteRpcId } from "../pipeline/rpc-id.ts";
import type { DescribedRoute } from "../routes/service-routes.ts";
import type { HoldMessage } from "./held-messages.ts";
import { type McpCallPorts, mcpCalls } from "./mcp-calls.ts";

export const MCP_PATH = "/mcp";

/** A message is parsed on the main thread. Larger input has to go to the API, as `tool mcp` sends it. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface McpPorts extends McpCallPorts {
  baseUrl: () => string;
  /** The whole API, of which the tools are a part. */
  endpoints: readonly Endpoint[];
  clock: Clock;
  holdMessage: HoldMessage;
}

/**
 * Creates the route of the Model Context Protocol over streamable HTTP, without sessions: each message is a POST of its
 * own, and the messages before its answer are part of the response. GET and DELETE are 405, as the protocol requires.
 */
export function mcpRoute(ports: McpPorts): DescribedRoute {
  let http: McpHttp | undefined;

  /** Loads the protocol with the first message, so that it does not delay the start of the server. */
  async function load(): Promise<McpHttp> {
    const { createMcpHttp } = await import("../../mcp/http.ts");
    http ??= createMcpHttp({ onError: (err) => ports.log.debug({ err }, "a message of MCP was refused") });
    return http;
  }

  return {
    method: "POST",
    path: MCP_PATH,
    route: {
      name: "mcp",
      errors: "mcp",
      scope: "read",
      resource: MCP_PATH,
      callsTools: true,
      maxBodyBytes: MAX_BYTES,
      screen: (req) => checkOrigin(req, ports.baseUrl(), MCP_PATH),
      async answer(exchange, body) {
        return answerMessage(ports, http ?? (await load()), exchange, body);
      },
    },
    operation: MCP_OPERATION,
  };
}

/**
 * Refuses pages of other origins, which could reach this server by DNS rebinding. Browsers send `Origin` with every
 * POST; other clients send none.
 */
export function checkOrigin({ headers: { origin } }: IncomingMessage, baseUrl: string, path: string): void {
  if (origin === undefined || isOwn(origin, new URL(baseUrl))) return;
  throw new Problem("forbidden", `${path} is not for pages of the origin "${origin}".`);
}

/** Whether an origin is the server's own. All loopback names are, with the same port. */
function isOwn(origin: string, base: URL): boolean {
  if (origin === base.origin) return true;
  if (!isLoopbackHost(base.host) || !URL.canParse(origin)) return false;
  const { protocol, port, host, origin: plain } = new URL(origin);
  return plain === origin && protocol === base.protocol && port === base.port && isLoopbackHost(host);
}

async function answerMessage(
  ports: McpPorts,
  http: McpHttp,
  exchange: Exchange,
  body: Buffer,
): Promise<Answer> {
  const { req, res, identity } = exchange;
  if (!identity) throw new Error("the kernel lets nobody through without a credential");
  const message = messageIn(parseJson(body, req.headers["content-type"], MAX_MAIN_VALUES));
  noteRpcId(exchange, message);
  ports.holdMessage(exchange, body);
  const { allTools } = await import("../../mcp/choice.ts");
  const known = allTools(ports.endpoints);
  requireCalled(identity, message, known);
  const { account, credential } = identity;
  const response = await http.answer({
    url: ports.baseUrl() + MCP_PATH,
    headers: req.headers,
    message,
    signal: abortOf(res),
    ports: {
      tools: await chosenTools(ports, exchange),
      known,
      isListed: ({ endpoint }) => endpoint === undefined || isForEndpoint(identity, endpoint.name),
      scopes: () => credential.scopes,
      call: mcpCalls(ports, exchange, { account, messageBytes: body.length }),
      every: (ms, work) => ports.clock.every(ms, work),
      tasks: ports.tasks.of(identity),
    },
  });
  return answerOf(response);
}

/** Throws `outside_binding` if a message calls a tool that the key is not bound to. */
function requireCalled(identity: Identity, message: object, known: readonly Tool[]): void {
  if (identity.credential.tools === undefined) return;
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null };
  if (method !== "tools/call") return;
  const called = known.find(({ name }) => name === params?.name)?.endpoint;
  if (called) requireEndpoint(identity, called.name);
}

/**
 * Returns the message. Refuses batches: a hundred calls would count as one request, and the protocol dropped them in
 * 2025-06-18.
 */
function messageIn(parsed: unknown): object {
  if (isObject(parsed)) return parsed;
  throw new Problem("invalid_request", "Send one JSON-RPC 2.0 message a request, no batch.");
}

async function chosenTools({ endpoints }: McpPorts, { query }: Exchange): Promise<readonly Tool[]> {
  const { chooseTools, describeUnknown } = await import("../../mcp/choice.ts");
  const { tools: named, ...others } = onceEach(new URLSearchParams(query));
  const stranger = Object.keys(others)[0];
  if (stranger !== undefined) throw invalidRequest([{ path: stranger, message: "is not a known member" }]);
  const choice = chooseTools(named, { endpoints });
  if ("tools" in choice) return choice.tools;
  throw invalidRequest([{ path: "tools", message: describeUnknown(choice.unknown) }]);
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers, body } = response;
  const type = headers.get("content-type");
  if (!body || type === null) return { status, headers: {} };
  if (type !== "text/event-stream") {
    return { status, headers: { "Content-Type": type }, body: Buffer.from(await response.arrayBuffer()) };
  }
  // Without it, nginx would buffer the events.
  return { status, headers: { "Content-Type": type, "X-Accel-Buffering": "no" }, body: piecesOf(body) };
}

/** Yields the pieces of a body, which is cancelled if the reader stops. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of body) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}
