import { allows } from "../contract/caller.ts";
import { Problem } from "../contract/problem.ts";
import { type Answer, JSON_TYPE } from "./answer.ts";
import { isLoopback, isLoopbackHost } from "./client-address.ts";
import type { Exchange } from "./exchange.ts";
import type { Metrics } from "./metrics.ts";
import type { Described } from "./openapi.ts";
import type { Readiness } from "./readiness.ts";
import type { Route } from "./route.ts";

/** A route with its entry in the OpenAPI document. */
export type DescribedRoute = Described & { route: Route };

/** What the service says of itself (wire.md §7): no endpoint of the API, so described by hand. */
export function serviceRoutes({
  readiness,
  metrics,
  openApi,
}: {
  readiness: () => Promise<Readiness>;
  metrics: Metrics;
  openApi: () => Record<string, unknown>;
}): DescribedRoute[] {
  return [
    plain("service.health", "/health", "Tell whether the process is alive", "nowhere", async () =>
      json({ status: "ok" }),
    ),
    plain("service.ready", "/ready", "Tell what the service can do", "nowhere", async () => {
      const able = await readiness();
      if (able.read && able.write) return json(able);
      const answer = json(able);
      return { ...answer, status: 503, headers: { ...answer.headers, "Retry-After": "1" } };
    }),
    plain(
      "service.metrics",
      "/metrics",
      "Show metrics in Prometheus's text format",
      "control",
      async (exchange) => {
        if (!mayReadMetrics(exchange)) throw new Problem("not_found", "There is no /metrics here.");
        return { status: 200, headers: { "Content-Type": metrics.contentType }, body: await metrics.text() };
      },
    ),
    plain("service.openapi", "/openapi.json", "Show this document", "usual", async () =>
      json(openApi(), "public, max-age=60"),
    ),
  ];
}

function plain(
  name: string,
  path: string,
  summary: string,
  counted: "nowhere" | "control" | "usual",
  answer: (exchange: Exchange) => Promise<Answer>,
): DescribedRoute {
  return {
    method: "GET",
    path,
    route: {
      name,
      errors: "problem",
      scope: "public",
      lane: counted === "control" ? "control" : undefined,
      uncounted: counted === "nowhere",
      answer,
    },
    operation: {
      operationId: name.replace(".", "_"),
      summary,
      tags: ["service"],
      security: [],
      responses: {
        200: { description: "Done." },
        "4XX": { $ref: "#/components/responses/Problem" },
        "5XX": { $ref: "#/components/responses/Problem" },
      },
    },
  };
}

/**
 * An operator, or a scraper on this machine itself. A proxy on this machine vouches for nobody, nor
 * does a browser on it, which a name that leads here would make read it to another site (DNS rebinding).
 */
function mayReadMetrics({ identity, req }: Exchange): boolean {
  if (identity) return allows(identity.credential.scopes, "operator");
  const forwarded = req.headers["x-forwarded-for"] ?? req.headers.forwarded ?? req.headers["x-real-ip"];
  const socket = (req.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  return forwarded === undefined && isLoopback(socket) && isLoopbackHost(req.headers.host);
}

function json(body: unknown, cache = "no-store"): Answer {
  return {
    status: 200,
    headers: { "Content-Type": JSON_TYPE, "Cache-Control": cache },
    body: JSON.stringify(body),
  };
}
