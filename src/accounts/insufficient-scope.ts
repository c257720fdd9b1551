import type { Scope } from "../contract/caller.ts";
import { Problem } from "../contract/problem.ts";

/** Returns a 403 that names the missing scope (RFC 6750 §3.1), for scopes that depend on the request's content. */
export function insufficientScope(scope: Scope, detail: string): Problem {
  return new Problem("insufficient_scope", detail, {
    headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
    members: { scope },
  });
}
