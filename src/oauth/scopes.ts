import { allows, IDENTITY_SCOPES, type IdentityScope, SCOPES, type Scope } from "../contract/caller.ts";
import { OAuthError } from "../contract/problem.ts";

/** The scopes of a request without `scope` (RFC 6749 §3.3). */
export const DEFAULT_SCOPES: Scope[] = ["read", "write"];

/** The description of each scope, for the person who grants it. */
export const SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  read: "See plan, usage and entitlements, and read what the tools have kept",
  write: "Record usage and events, and let the tools keep new things",
  admin: "Manage keys, projects and users, and approve other devices",
  operator: "Manage all accounts, plans and limits of this server",
};

/** The descriptions for a token that is valid only for an upstream, which receives the scopes. */
export const UPSTREAM_SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  read: "Use this server: call its tools, which count on your account, and read what it shows",
  write: "Have its calls counted in a new project; what else it means this server decides",
  admin: "Tell this server that you manage the account here",
  operator: "Tell this server that you operate this service",
};

/** A scope's name as RFC 6749 §3.3 allows it, which an error's description may then repeat (§5.2). */
const SCOPE_NAME = /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/;

/** Parses the scopes of a request: without duplicates, in ascending order of power. */
function parseScopes(text: string | undefined, offered: readonly string[] = SCOPES): Scope[] {
  if (text === undefined) return DEFAULT_SCOPES;
  const named = text.split(" ").filter((name) => name !== "");
  const unknown = named.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined || named.length === 0) {
    const why =
      unknown !== undefined && SCOPE_NAME.test(unknown) ? `There is no scope ${unknown} here. ` : "";
    throw new OAuthError(
      "invalid_scope",
      `${why}Ask for scopes of ${offered.join(", ")}, separated by spaces.`,
    );
  }
  return SCOPES.filter((scope) => named.includes(scope));
}

/** The description of each identity scope, for the person who grants it. */
export const IDENTITY_DESCRIPTIONS: Record<IdentityScope, string> = {
  openid: "Know that it is you, by an id",
  email: "See your e-mail address",
  profile: "See your name here and that of your account",
};

const ALL_SCOPES: readonly string[] = [...SCOPES, ...IDENTITY_SCOPES];

/** The scope that requests a refresh token (OpenID Connect Core §11). Ignored, since every client gets one. */
const OFFLINE_ACCESS = "offline_access";

/** Parses the scopes of an authorization request. Identity scopes alone grant no access to the API. */
export function parseAuthorizationScopes(text: string | undefined): {
  scopes: Scope[];
  identity: IdentityScope[];
} {
  if (text === undefined) return { scopes: DEFAULT_SCOPES, identity: [] };
  const named = text.split(" ").filter((name) => name !== "" && name !== OFFLINE_ACCESS);
  const identity = IDENTITY_SCOPES.filter((scope) => named.includes(scope));
  const others = named.filter((name) => !IDENTITY_SCOPES.some((scope) => scope === name));
  if (identity.length === 0) return { scopes: parseScopes(named.join(" "), ALL_SCOPES), identity };
  const scopes = others.length === 0 ? [] : parseScopes(others.join(" "), ALL_SCOPES);
  if (identity.includes("openid")) return { scopes, identity };
  // Without openid, the other identity scopes have no effect (OpenID Connect Core §3.1.2.1).
  if (scopes.length > 0) return { scopes, identity: [] };
  const names = identity.join(" ");
  throw new OAuthError("invalid_scope", `Alone, ${names} allows nothing. Ask for openid ${names}.`);
}

/** Parses the scopes of a device's request, which grants access to the API alone: its approver sees no identity scopes. */
export function parseDeviceScopes(text: string | undefined): Scope[] {
  const named = text?.split(" ").filter((name) => name !== OFFLINE_ACCESS);
  const identity = IDENTITY_SCOPES.find((scope) => named?.includes(scope));
  if (identity === undefined) return parseScopes(named?.join(" "));
  throw new OAuthError(
    "invalid_scope",
    `A device is not told by ${identity} who signed in. Leave out ${IDENTITY_SCOPES.join(", ")}, and ask GET /api/v1/account with the token; an ID token comes with the authorization code flow.`,
  );
}

/** Returns those of the requested scopes that a holder of `held` may grant. */
export function grantable(asked: readonly Scope[], held: readonly Scope[]): Scope[] {
  return asked.filter((scope) => allows(held, scope));
}
