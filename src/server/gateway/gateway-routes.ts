import type { Method } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import { type Message, readMessage } from "../../gateway/message.ts";
import type { Upstream } from "../../metering/upstreams.ts";
import { protectedResourceMetadata } from "../../oauth/metadata.ts";
import { excessOf } from "../../system/json-values.ts";
import type { HoldMessage } from "../mcp/held-messages.ts";
import { checkOrigin } from "../mcp/mcp-route.ts";
import { UPSTREAM_METADATA, UPSTREAM_OPERATIONS } from "../openapi/upstreams.ts";
import { abortOf, callerOf } from "../operations/request-caller.ts";
import { CACHEABLE, jsonAnswer } from "../pipeline/answer.ts";
import { isForUpstream, outsideTools } from "../pipeline/bound-tools.ts";
import type { Exchange, Identity } from "../pipeline/exchange.ts";
import { MAX_MAIN_VALUES, parseJson } from "../pipeline/json-body.ts";
import type { Route } from "../pipeline/route.ts";
import type { Router } from "../pipeline/router.ts";
import { noteRpcId } from "../pipeline/rpc-id.ts";
import { toAnyOrigin } from "../routes/any-origin.ts";
import type { DescribedRoute } from "../routes/service-routes.ts";
import type { Gateways } from "./gateways.ts";
import { upstreamPath } from "./upstream-path.ts";

/** The bound of a message, since it is parsed on the main thread and serialised again. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_LEVELS = 64;
const METHODS = ["POST", "GET", "DELETE"] as const;

export interface GatewayRoutesPorts {
  gateways: Gateways;
  baseUrl: () => string;
  /** Whether the credential of a request is still valid. */
  isValid: (exchange: Exchange) => Promise<boolean>;
  holdMessage: HoldMessage;
}

/** Creates `/mcp/<name>` for each upstream: streamable HTTP of the 2025 revisions, with sessions, and of 2026-07-28. */
export function gatewayRoutes({ gateways, baseUrl, isValid, holdMessage }: GatewayRoutesPorts): {
  described: DescribedRoute[];
  /** Adds the routes of each upstream, which are not described one by one. */
  addUpstreams(routes: Router<Route>): void;
  /** The names by which a plan can limit the upstreams. */
  names: readonly { name: string }[];
} {
  function routeOf(method: (typeof METHODS)[number], { name }: Upstream, gateway: Gateway): Route {
    const path = upstreamPath(name);
    return {
      name: `mcp.${name}`,
      errors: "mcp",
      scope: "read",
      resource: path,
      callsTools: true,
      screen: (req) => checkOrigin(req, baseUrl(), path),
      ...(method === "POST" && { maxBodyBytes: MAX_BYTES }),
      async answer(exchange, body) {
        const message = method === "POST" ? messageIn(body, exchange) : undefined;
        holdMessage(exchange, body);
        const bound = boundToolsOf(exchange.identity, name, message);
        const asked = gateway.answer({
          method,
          headers: exchange.req.headers,
          caller: callerOf(exchange, undefined),
          signal: abortOf(exchange.res),
          isValid: () => isValid(exchange),
          isFor: bound,
          ...(message && { message }),
        });
        return { ...(await withoutIdleTimeout(exchange, asked)), headersFirst: true };
      },
    };
  }

  const described = METHODS.map(
    (method): DescribedRoute => ({
      method,
      path: "/mcp/{upstream}",
      operation: UPSTREAM_OPERATIONS[method],
      route: {
        name: "mcp.upstream",
        errors: "mcp",
        scope: "public",
        answer: async (_exchange, _body, { upstream = "" }) => {
          throw unknown(upstream);
        },
      },
    }),
  );

  const metadata = toAnyOrigin({
    method: "GET",
    path: `/.well-known/oauth-protected-resource${upstreamPath("{upstream}")}`,
    operation: UPSTREAM_METADATA,
    route: {
      name: "well-known.protected-resource.upstream",
      errors: "problem",
      scope: "public",
      lane: "control",
      async answer(_exchange, _body, { upstream: name = "" }) {
        const found = gateways.get(name);
        if (!found) throw unknown(name);
        const title = found.upstream.title ?? name;
        const described = protectedResourceMetadata(baseUrl(), title, upstreamPath(name));
        return jsonAnswer(described, { cacheControl: CACHEABLE });
      },
    },
  });

  return {
    described: [...described, metadata],
    names: [...gateways.keys()].map((name) => ({ name: `mcp.${name}` })),
    addUpstreams(routes) {
      for (const { upstream, gateway } of gateways.values()) {
        for (const method of METHODS) {
          routes.add(method as Method, upstreamPath(upstream.name), routeOf(method, upstream, gateway));
        }
      }
    },
  };
}

/** Methods that concern no particular tool and nothing else that belongs to the upstream. */
const TOOL_INDEPENDENT_METHODS =
  /^(initialize|ping|server\/discover|logging\/setLevel|tools\/list|tasks\/(get|result|update|cancel))$/;

/**
 * Returns a predicate of the upstream's tools that a key is bound to; undefined for a key that may use all of the
 * upstream. Throws `outside_binding` if a message asks for anything else.
 */
function boundToolsOf(
  identity: Identity | undefined,
  upstream: string,
  message: Message | undefined,
): ((tool: string) => boolean) | undefined {
  if (!identity || isForUpstream(identity, upstream)) return undefined;
  const { kind, method = "", subject } = message ?? {};
  const isAny = identity.credential.tools?.some((each) => each.startsWith(`${upstream}/`));
  const isAllowed =
    method === "tools/call"
      ? subject !== undefined && isForUpstream(identity, upstream, subject)
      : kind !== "request" || TOOL_INDEPENDENT_METHODS.test(method);
  if (isAny && isAllowed) return (tool) => isForUpstream(identity, upstream, tool);
  throw outsideTools(
    identity,
    subject === undefined ? `${upstream} (${method})` : `${upstream}/${subject.slice(0, 128)}`,
  );
}

function unknown(name: string): Problem {
  return new Problem("not_found", `There is no MCP server "${name.slice(0, 64)}" behind this one.`);
}

function messageIn(body: Buffer, exchange: Exchange) {
  if (excessOf(body, { values: MAX_MAIN_VALUES, levels: MAX_LEVELS }) === "levels") {
    throw new Problem("invalid_request", `A message is nested at most ${MAX_LEVELS} levels deep.`);
  }
  const value = parseJson(body, exchange.req.headers["content-type"], MAX_MAIN_VALUES);
  noteRpcId(exchange, value);
  return readMessage(value, body.toString("utf8"));
}

/** Suspends the connection's idle timeout while an upstream is awaited: the upstream has a timeout of its own. */
async function withoutIdleTimeout<T>({ res }: Exchange, asked: Promise<T>): Promise<T> {
  const goOn = () => {};
  res.on("timeout", goOn);
  try {
    return await asked;
  } finally {
    res.off("timeout", goOn);
  }
}
