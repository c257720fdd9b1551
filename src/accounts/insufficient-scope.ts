import type { Scope } from "../contract/caller.ts";
import { Problem } from "../contract/problem.ts";

/** 403 that names the scope which is missing (RFC 6750 §3.1), where that depends on what was asked for. */
export function insufficientScope(scope: Scope, detail: string): Problem {
  return new Problem("insufficient_scope", detail, {
    headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
    members: { scope },
  });
}
