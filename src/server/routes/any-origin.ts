import type { Route } from "../pipeline/route.ts";
import type { Router } from "../pipeline/router.ts";
import type { DescribedRoute } from "./service-routes.ts";

/**
 * No cookie means anything at these, and a browser sends none with a `*`: whatever a page gets there it has shown a
 * code, a secret or a token for (WHATWG Fetch §3.2).
 */
const ALLOW_ALL = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Retry-After, WWW-Authenticate",
};

const PREFLIGHT = {
  "Access-Control-Allow-Headers": "Authorization, Content-Type, DPoP, MCP-Protocol-Version",
  "Access-Control-Max-Age": "86400",
};

/** For clients that are pages and no more, as the MCP Inspector is: they read its answers wherever they come from. */
export function toAnyOrigin(described: DescribedRoute): DescribedRoute {
  return { ...described, anyOrigin: true, route: { ...described.route, headers: () => ALLOW_ALL } };
}

/** What browsers ask before they send what no form could (WHATWG Fetch §4.8). */
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
