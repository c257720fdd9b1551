import type { IncomingMessage } from "node:http";
import { wholeAccount } from "../../accounts/whole-account.ts";
import { allows } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import type { Described } from "../openapi/document.ts";
import { SERVICE_OPERATIONS } from "../openapi/service.ts";
import { type Answer, JSON_TYPE, jsonAnswer } from "../pipeline/answer.ts";
import { presentsSecret } from "../pipeline/authenticate.ts";
import { METRICS, requireEndpoint } from "../pipeline/bound-tools.ts";
import { isFromHere, isLoopbackHost } from "../pipeline/client-address.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import type { Route } from "../pipeline/route.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { Readiness } from "./readiness.ts";

/** A route with its entry in the OpenAPI document. */
export type DescribedRoute = Described & {
  route: Route;
  /** Whether pages of any site may use it (`any-origin.ts`). */
  anyOrigin?: true;
};

/**
 * Creates the routes by which the service describes itself. They are not endpoints of the API, so their operations are
 * written by hand.
 */
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
    plain("health", "/health", "nowhere", async () => jsonAnswer({ status: "ok" })),
    plain("ready", "/ready", "nowhere", async () => {
      const able = await readiness();
      const answer = jsonAnswer(able);
      if (able.read && able.write) return answer;
      return { ...answer, status: 503, headers: { ...answer.headers, "Retry-After": "1" } };
    }),
    plain("metrics", "/metrics", isScraperHere, async (exchange) => {
      if (!mayReadMetrics(exchange)) throw new Problem("not_found", "There is no /metrics here.");
      return { status: 200, headers: { "Content-Type": metrics.contentType }, body: await metrics.text() };
    }),
    plain("openapi", "/openapi.json", "usual", async () => ({
      status: 200,
      headers: { "Content-Type": JSON_TYPE, "Cache-Control": "public, max-age=60" },
      body: openApi(),
    })),
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

/**
 * Whether a local scraper sends the request, without a credential. It is not counted, since metrics matter most while
 * the store, which has keys and counts, is unavailable.
 */
function isScraperHere(req: IncomingMessage): boolean {
  return !presentsSecret(req) && isHere(req);
}

/**
 * Whether the caller is an operator or a scraper on this machine itself. Throws a `Problem` if an operator's key is
 * bound to something else. Requests through a local proxy do not qualify, nor those of a browser by a foreign name,
 * which could be another site's (DNS rebinding).
 */
function mayReadMetrics({ identity, req }: Exchange): boolean {
  if (!identity) return isHere(req);
  if (!allows(identity.credential.scopes, "operator")) return false;
  requireEndpoint(identity, METRICS);
  wholeAccount({ accountId: identity.account.id, credential: identity.credential });
  return true;
}

function isHere(req: IncomingMessage): boolean {
  return isFromHere(req) && isLoopbackHost(req.headers.host);
}
