import { allows, IDENTITY_SCOPES, type IdentityScope, SCOPES, type Scope } from "../contract/caller.ts";
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

/** … where it is for a server behind this one alone, which gets to know of it and opens nothing else. */
export const BEHIND_DESCRIPTIONS: Record<Scope, string> = {
  read: "Use this server: call its tools, which count on your account, and read what it shows",
  write: "Have its calls counted in a new project; what else it means this server decides",
  admin: "Tell this server that you manage the account here",
  operator: "Tell this server that you operate this service",
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

/** What each tells a client of the person, for the person who allows it. */
export const IDENTITY_DESCRIPTIONS: Record<IdentityScope, string> = {
  openid: "Know that it is you, by an id",
  email: "See your e-mail address",
  profile: "See your name here and that of your account",
};

/** OpenID Connect Core §11: clients ask by it for refresh tokens, which all get here. */
const OFFLINE_ACCESS = "offline_access";

/** What an authorization request asks for: `openid` alone asks for nothing of the API. */
export function parseAuthorizationScopes(text: string | undefined): {
  scopes: Scope[];
  identity: IdentityScope[];
} {
  if (text === undefined) return { scopes: DEFAULT_SCOPES, identity: [] };
  const named = text.split(" ").filter((name) => name !== "" && name !== OFFLINE_ACCESS);
  const identity = IDENTITY_SCOPES.filter((scope) => named.includes(scope));
  const others = named.filter((name) => !IDENTITY_SCOPES.some((scope) => scope === name));
  if (identity.length === 0) return { scopes: parseScopes(named.join(" ")), identity };
  // OpenID Connect Core §3.1.2.1: without openid the others mean nothing.
  return {
    scopes: others.length === 0 ? [] : parseScopes(others.join(" ")),
    identity: identity.includes("openid") ? identity : [],
  };
}

/** What of the scopes that are asked for may be passed on by one who holds `held`. */
export function grantable(asked: readonly Scope[], held: readonly Scope[]): Scope[] {
  return asked.filter((scope) => allows(held, scope));
}
