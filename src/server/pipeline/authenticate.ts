import type { IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Credentials } from "../../accounts/credentials/credentials.ts";
import { shutOf } from "../../accounts/shut.ts";
import { allows, type Scope } from "../../contract/caller.ts";
import { OAuthError, Problem } from "../../contract/problem.ts";
import { PROOF_ALGORITHMS, type Proof, type Proofs } from "../../oauth/tokens/dpop.ts";
import { isLoopbackHost } from "./client-address.ts";
import type { Exchange, Identity } from "./exchange.ts";

/** The secret that a request presents, or undefined; 400 where its two headers differ. Neither is repeated by now. */
export function presentedSecret(req: IncomingMessage): string | undefined {
  const authorization = req.headers.authorization;
  const key = req.headers["x-api-key"] as string | undefined;
  if (authorization === undefined) return key;
  // Any other scheme is a credential that cannot be valid here, not the lack of one.
  const bearer = /^(?:bearer|dpop) +(\S+) *$/i.exec(authorization)?.[1] ?? "";
  if (key !== undefined && key !== bearer) {
    throw new Problem(
      "invalid_request",
      "Authorization and X-API-Key name different credentials; send one of them.",
    );
  }
  return bearer;
}

/** Where a protected resource is described: the whole service, or what lies at a path (RFC 9728 §3.1). */
export function metadataUrl(baseUrl: string, resource = ""): string {
  return `${baseUrl}/.well-known/oauth-protected-resource${resource}`;
}

/**
 * 401 (RFC 6750 §3.1), with `error` only where a credential came, and where to learn more (RFC 9728 §5.1).
 *
 * @param hint what else the sender should know.
 */
export function unauthenticated(presented: boolean, metadataUrl: string, hint = ""): Problem {
  const metadata = `resource_metadata="${metadataUrl}"`;
  const what = presented
    ? "The credential is malformed, expired or revoked. Sign in again, or make a new key."
    : "This needs a credential: an access token or API key as Authorization: Bearer, or a key as X-API-Key.";
  return new Problem("invalid_token", what + hint, {
    headers: {
      "WWW-Authenticate": presented ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`,
    },
  });
}

/**
 * Clients that sign in by themselves take a resource of another name than they asked for no one's (RFC 9728 §3.3):
 * on one's own machine `localhost` and `127.0.0.1` are easily mistaken for each other.
 */
export function otherNameHint({ headers: { host } }: IncomingMessage, baseUrl: string): string {
  const own = new URL(baseUrl);
  if (host === undefined || host === own.host || !isLoopbackHost(host) || !isLoopbackHost(own.host))
    return "";
  return ` To sign in, use ${baseUrl}, as this server calls itself, or start it with --base-url ${own.protocol}//${host}.`;
}

/** Verifies what comes with an access token that is bound to a key, or presented as such a one (RFC 9449 §7.1). */
export async function proofOf(
  proofs: Proofs,
  { req, path }: Pick<Exchange, "req" | "path">,
  about: { secret: string; identity: Identity; baseUrl: string; metadataUrl: string },
): Promise<Proof | undefined> {
  const { secret, identity, baseUrl, metadataUrl } = about;
  const { dpopKey } = identity.credential;
  const asBound = isAsBound(req);
  if (dpopKey === undefined && !asBound) return undefined;
  const refused = (detail: string) => unproven(detail, metadataUrl);
  if (dpopKey === undefined) throw refused("This credential is bound to no key; send it as Bearer.");
  if (!asBound) throw refused("This token is bound to a key: send it as Authorization: DPoP, with a proof.");
  const request = { method: req.method ?? "", url: baseUrl + path, accessToken: secret };
  const proof = await provenOr(proofs.verify(req.headers.dpop, request), metadataUrl);
  if (proof?.key === dpopKey) return proof;
  throw refused(
    "The DPoP proof is missing, or made with another key than the one that the token is bound to.",
  );
}

function isAsBound({ headers }: IncomingMessage): boolean {
  return /^dpop /i.test(headers.authorization ?? "");
}

/** A challenge in the scheme that its request came by, whatever is wrong with it (RFC 9449 §7.1). */
export function inSchemeOf(req: IncomingMessage, challenge: string): string {
  const parameters = /^Bearer (.+)$/.exec(challenge)?.[1];
  return parameters !== undefined && isAsBound(req) ? boundChallenge(parameters) : challenge;
}

function boundChallenge(parameters: string): string {
  return `DPoP ${parameters}, algs="${PROOF_ALGORITHMS.join(" ")}"`;
}

/**
 * Whether a request bears a credential that is valid now, of an open account, may be used from where it comes, and
 * still is what it was let in as: streams end with what a key was narrowed to exclude.
 */
export function validityOf({ authenticate }: Pick<Credentials, "authenticate">) {
  return async (exchange: Pick<Exchange, "req" | "address" | "requestId" | "identity">): Promise<boolean> => {
    const secret = presentedSecret(exchange.req);
    if (secret === undefined) return false;
    try {
      const found = await authenticate(secret, exchange);
      if (!found || shutOf(found.account)) return false;
      return !exchange.identity || mayTheSame(found, exchange.identity);
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  };
}

function mayTheSame(one: Pick<Identity, "credential">, other: Pick<Identity, "credential">): boolean {
  const [now, then] = [one, other].map(({ credential: { scopes, projectId, tools } }) => [
    scopes,
    projectId,
    tools,
  ]);
  return isDeepStrictEqual(now, then);
}

/** What a proof that does not hold is to a resource: 401, saying what it takes. */
export function provenOr<T>(checking: Promise<T>, metadataUrl: string): Promise<T> {
  return checking.catch((error) => {
    throw error instanceof OAuthError ? unproven(error.description, metadataUrl, error.error) : error;
  });
}

function unproven(detail: string, metadataUrl: string, error = "invalid_token"): Problem {
  const challenge = boundChallenge(`error="${error}", resource_metadata="${metadataUrl}"`);
  return new Problem("invalid_token", detail, { headers: { "WWW-Authenticate": challenge } });
}

/** Whether a credential is for what lies at a resource's path, or for all of this server (RFC 8707). */
export function isFor({ credential: { audience } }: Identity, resource: string): boolean {
  return audience === undefined || audience === resource;
}

/** 401 (RFC 6750 §3.1) for a token that was issued for another resource. */
export function issuedForAnother(identity: Identity, resource: string, metadataUrl: string): Problem {
  return new Problem(
    "invalid_token",
    `This token was issued for ${identity.credential.audience}. Sign in with resource=${resource} to use it here.`,
    { headers: { "WWW-Authenticate": `Bearer error="invalid_token", resource_metadata="${metadataUrl}"` } },
  );
}

/** 403 where the credential lacks the scope. */
export function requireScope(identity: Identity, scope: Scope, metadataUrl: string): void {
  if (allows(identity.credential.scopes, scope)) return;
  const metadata = `resource_metadata="${metadataUrl}"`;
  throw new Problem(
    "insufficient_scope",
    `This needs the scope "${scope}"; the credential has "${identity.credential.scopes.join(" ")}".`,
    {
      headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}", ${metadata}` },
      members: { scope },
    },
  );
}
