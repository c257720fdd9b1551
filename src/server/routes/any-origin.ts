import type { Route } from "../pipeline/route.ts";
import type { Router } from "../pipeline/router.ts";
import type { DescribedRoute } from "./service-routes.ts";

/**
 * Any page may read these answers: a `*` excludes cookies, and a page gets only what it presented a code, secret or
 * token for (WHATWG Fetch §3.2).
 */
const ALLOW_ALL = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Retry-After, WWW-Authenticate",
};

const PREFLIGHT = {
  "Access-Control-Allow-Headers": "Authorization, Content-Type, DPoP, MCP-Protocol-Version",
  "Access-Control-Max-Age": "86400",
};

/** Opens a route to pages of any origin, for clients that run in a browser, such as the MCP Inspector. */
export function toAnyOrigin(described: DescribedRoute): DescribedRoute {
  return { ...described, anyOrigin: true, route: { ...described.route, headers: () => ALLOW_ALL } };
}

/** Adds the answers to CORS preflights (WHATWG Fetch §4.8). */
export function addPreflights(routes: Router<Route>, described: readonly DescribedRoute[]): void {
  for (const { method, path, route, anyOrigin } of described) {
    if (!anyOrigin) continue;
    routes.add("OPTIONS", path, {
      name: route.name,
      errors: route.errors,
      scope: "public",
      uncounted: true,
      headers: () => ALLOW_ALL,
      answer: async () => ({
        status: 204,
        headers: { ...PREFLIGHT, "Access-Control-Allow-Methods": method },
      }),
    });
  }
}
