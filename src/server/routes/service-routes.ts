import type { IncomingMessage } from "node:http";
import { allows } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import type { Described } from "../openapi/document.ts";
import { SERVICE_OPERATIONS } from "../openapi/service.ts";
import { type Answer, JSON_TYPE } from "../pipeline/answer.ts";
import { presentedSecret } from "../pipeline/authenticate.ts";
import { isFromHere, isLoopbackHost } from "../pipeline/client-address.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { Route } from "../pipeline/route.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Readiness } from "./readiness.ts";

/** A route with its entry in the OpenAPI document. */
export type DescribedRoute = Described & {
  route: Route;
  /** Pages of any site may use it (`any-origin.ts`). */
  anyOrigin?: true;
};

/** What the service says of itself: no endpoint of the API, so described by hand. */
export function serviceRoutes({
  readiness,
  metrics,
  openApi,
}: {
  readiness: () => Promise<Readiness>;
  metrics: Metrics;
  /** The OpenAPI document. */
  openApi: () => string;
}): DescribedRoute[] {
  return [
    plain("health", "/health", "nowhere", async () => json({ status: "ok" })),
    plain("ready", "/ready", "nowhere", async () => {
      const able = await readiness();
      if (able.read && able.write) return json(able);
      const answer = json(able);
      return { ...answer, status: 503, headers: { ...answer.headers, "Retry-After": "1" } };
    }),
    plain("metrics", "/metrics", isScraperHere, async (exchange) => {
      if (!mayReadMetrics(exchange)) throw new Problem("not_found", "There is no /metrics here.");
      return { status: 200, headers: { "Content-Type": metrics.contentType }, body: await metrics.text() };
    }),
    plain("openapi", "/openapi.json", "usual", async () => jsonText(openApi(), "public, max-age=60")),
  ];
}

function plain(
  name: keyof typeof SERVICE_OPERATIONS,
  path: string,
  counted: "nowhere" | "usual" | ((req: IncomingMessage) => boolean),
  answer: (exchange: Exchange) => Promise<Answer>,
): DescribedRoute {
  return {
    method: "GET",
    path,
    route: {
      name: `service.${name}`,
      errors: "problem",
      scope: "public",
      ...(typeof counted === "function"
        ? { lane: "control", uncounted: counted }
        : { uncounted: counted === "nowhere" }),
      answer,
    },
    operation: SERVICE_OPERATIONS[name],
  };
}

/** What watches this server from its machine learns most where the store is away, which knows keys and counts. */
function isScraperHere(req: IncomingMessage): boolean {
  return presentedSecret(req) === undefined && isHere(req);
}

/**
 * An operator, or a scraper on this machine itself. A proxy on this machine vouches for nobody, nor
 * does a browser on it, which a name that leads here would make read it to another site (DNS rebinding).
 */
function mayReadMetrics({ identity, req }: Exchange): boolean {
  if (identity) return allows(identity.credential.scopes, "operator");
  return isHere(req);
}

function isHere(req: IncomingMessage): boolean {
  return isFromHere(req) && isLoopbackHost(req.headers.host);
}

function json(body: unknown): Answer {
  return jsonText(JSON.stringify(body), "no-store");
}

function jsonText(body: string, cache: string): Answer {
  return { status: 200, headers: { "Content-Type": JSON_TYPE, "Cache-Control": cache }, body };
}
