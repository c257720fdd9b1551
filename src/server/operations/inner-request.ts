import type { IncomingMessage } from "node:http";
import { requireOpen } from "../../accounts/shut.ts";
import type { Method } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { Windows } from "../../metering/limits/windows.ts";
import type { Answer } from "../pipeline/answer.ts";
import { metadataUrl, requireScope } from "../pipeline/authenticate.ts";
import type { LimitEnforcer } from "../pipeline/enforce-limits.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { Failure } from "../pipeline/failure.ts";
import { tooLarge } from "../pipeline/request-body.ts";
import type { Route } from "../pipeline/route.ts";
import type { Router } from "../pipeline/router.ts";

export interface InnerRequest {
  method: Method;
  /** Begins with `/api/v1/`. */
  path: string;
  /** The part after the question mark. */
  query: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export type AskInside = (exchange: Exchange, request: InnerRequest) => Promise<Answer>;

/**
 * Returns a function that sends a request to the API on behalf of the user who is signed in to a page. The request
 * counts towards the same limits, needs the same scope and gets the same answer, problems included, as one of the
 * user's own.
 */
export function innerRequests(ports: {
  routes: Pick<Router<Route>, "find">;
  windows: Windows;
  enforcer: LimitEnforcer;
  failure: Failure;
  baseUrl: () => string;
}): AskInside {
  const { routes, windows, enforcer, failure, baseUrl } = ports;

  return async (exchange, { method, path, query, headers, body }) => {
    const { identity } = exchange;
    const { route, template, parameters } = routes.find(method, path);
    const inner = { ...exchange, req: asking(exchange.req, { method, headers }), path, query };
    try {
      if (!identity) throw new Problem("invalid_token", "Nobody is signed in to this page any more.");
      if (!path.startsWith("/api/v1/") || !route || route.scope === "public") {
        throw new Problem("not_found", `There is no ${method} ${path} here.`);
      }
      inner.endpoint = route.name;
      inner.template = template;
      const isControl = route.lane === "control";
      await enforcer.admit(
        inner,
        isControl ? windows.ofControl(identity, route.name) : windows.ofAccount(identity.account, route.name),
      );
      requireScope(identity, route.scope, metadataUrl(baseUrl()));
      if (!isControl) requireOpen(identity.account);
      const most = route.maxBodyBytes ?? 0;
      if (body.length > most) throw tooLarge(most);
      return await route.answer(inner, body, parameters);
    } catch (error) {
      return failure(inner, error, "problem");
    }
  };
}

/** Returns a view of the page's request with another method and other headers; the rest is the same client's. */
function asking(
  page: IncomingMessage,
  { method, headers }: Pick<InnerRequest, "method" | "headers">,
): IncomingMessage {
  const own = { "user-agent": page.headers["user-agent"] };
  return Object.create(page, { method: { value: method }, headers: { value: { ...own, ...headers } } });
}
