import type { IncomingMessage } from "node:http";
import type { Endpoint } from "../../contract/endpoint.ts";
import { invalidRequest } from "../../contract/faults.ts";
import { Problem } from "../../contract/problem.ts";
import { MCP_OPERATION } from "../openapi/service.ts";
import type { Answer } from "../pipeline/answer.ts";
import { isLoopbackHost } from "../pipeline/client-address.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { MAX_MAIN_VALUES, onceEach, parseJson } from "../pipeline/json-body.ts";
import type { DescribedRoute } from "../routes/service-routes.ts";
import { type McpCallPorts, mcpCalls } from "./mcp-calls.ts";

export const MCP_PATH = "/mcp";

/** A message is parsed on the main thread. What is larger goes to the API, as `tool mcp` sends it. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface McpPorts extends McpCallPorts {
  baseUrl: () => string;
  /** The whole API, of which the tools are a part. */
  endpoints: readonly Endpoint[];
}

/**
 * The Model Context Protocol over streamable HTTP, without sessions: each message is a POST of its own
 * and answered in JSON. There is nothing to stream, so that GET and DELETE are 405, as the protocol has it.
 */
export function mcpRoute(ports: McpPorts): DescribedRoute {
  return {
    method: "POST",
    path: MCP_PATH,
    route: {
      name: "mcp",
      errors: "problem",
      scope: "read",
      resource: MCP_PATH,
      maxBodyBytes: MAX_BYTES,
      screen: (req) => checkOrigin(req, ports.baseUrl()),
      answer: (exchange, body) => answerMessage(ports, exchange, body),
    },
    operation: MCP_OPERATION,
  };
}

/**
 * Of a page of another origin, which a browser sends with every POST: a name that leads here would make
 * this server read it (DNS rebinding). What is no browser names no origin.
 */
function checkOrigin({ headers: { origin } }: IncomingMessage, baseUrl: string): void {
  if (origin === undefined || isOwn(origin, new URL(baseUrl))) return;
  throw new Problem("forbidden", `${MCP_PATH} is not for pages of the origin "${origin}".`);
}

/** A machine has several names for itself. Another port is another site on it. */
function isOwn(origin: string, base: URL): boolean {
  if (origin === base.origin) return true;
  if (!isLoopbackHost(base.host) || !URL.canParse(origin)) return false;
  const { protocol, port, host, origin: plain } = new URL(origin);
  return plain === origin && protocol === base.protocol && port === base.port && isLoopbackHost(host);
}

async function answerMessage(ports: McpPorts, exchange: Exchange, body: Buffer): Promise<Answer> {
  const { req, identity } = exchange;
  if (!identity) throw new Error("the kernel lets nobody through without a credential");
  // Loaded with the first message: no server starts later for it.
  const [{ allTools, chooseTools, describeUnknown }, { createMcpServer }, { exchangeMessage }] =
    await Promise.all([
      import("../../mcp/choice.ts"),
      import("../../mcp/server.ts"),
      import("../../mcp/http-exchange.ts"),
    ]);
  const { tools: named, ...others } = onceEach(new URLSearchParams(exchange.query));
  const stranger = Object.keys(others)[0];
  if (stranger !== undefined) throw invalidRequest([{ path: stranger, message: "is not a known member" }]);
  const choice = chooseTools(named, { endpoints: ports.endpoints });
  if ("unknown" in choice) {
    throw invalidRequest([{ path: "tools", message: describeUnknown(choice.unknown) }]);
  }
  const message = parseJson(body, req.headers["content-type"], MAX_MAIN_VALUES);
  // One request would stand for a hundred calls. The protocol knows none since 2025-06-18.
  if (Array.isArray(message)) throw new Problem("invalid_request", "Send one message a request, no batch.");
  const { account, credential } = identity;
  const { server } = createMcpServer({
    tools: choice.tools,
    known: allTools(ports.endpoints),
    scopes: () => credential.scopes,
    call: mcpCalls(ports, exchange, { account, messageBytes: body.length }),
  });
  const url = ports.baseUrl() + MCP_PATH;
  const answer = await exchangeMessage(server, message, { url, headers: req.headers });
  if ("refused" in answer) throw new Problem("invalid_request", answer.refused);
  return answer;
}
