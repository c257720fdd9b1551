import { allows, SCOPES, type Scope } from "../contract/caller.ts";
import { OAuthError } from "../contract/problem.ts";

/** RFC 6749 §3.3: what a request without `scope` asks for. */
export const DEFAULT_SCOPES: Scope[] = ["read", "write"];

/** What each scope lets a device do, for the person who grants it. */
export const SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  read: "See plan, usage and entitlements, and read what the tools have kept",
  write: "Record usage and events, and let the tools keep new things",
  admin: "Manage keys, projects and users, and approve other devices",
  operator: "Manage all accounts, plans and limits of this server",
};

/** The scopes of a request, each once, from the least to the most. */
export function parseScopes(text: string | undefined): Scope[] {
  if (text === undefined) return DEFAULT_SCOPES;
  const named = text.split(" ").filter((name) => name !== "");
  const unknown = named.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined || named.length === 0) {
    throw new OAuthError("invalid_scope", `Ask for scopes of ${SCOPES.join(", ")}, separated by spaces.`);
  }
  return SCOPES.filter((scope) => named.includes(scope));
}

/** What of the scopes that are asked for may be passed on by one who holds `held`. */
export function grantable(asked: readonly Scope[], held: readonly Scope[]): Scope[] {
  return asked.filter((scope) => allows(held, scope));
}
