import type { IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import type { Credentials } from "../../accounts/credentials/credentials.ts";
import { shutOf } from "../../accounts/shut.ts";
import { allows, type Scope } from "../../contract/caller.ts";
import { OAuthError, Problem } from "../../contract/problem.ts";
import { PROOF_ALGORITHMS, type Proof, type Proofs } from "../../oauth/tokens/dpop.ts";
import { isLoopbackHost } from "./client-address.ts";
import type { Exchange, Identity } from "./exchange.ts";

/**
 * Returns the secret that a request presents, if any. Throws 400 if its two headers differ. Repeated headers were
 * refused before.
 */
export function presentedSecret(req: IncomingMessage): string | undefined {
  const authorization = req.headers.authorization;
  const key = req.headers["x-api-key"] as string | undefined;
  if (authorization === undefined) return key;
  // Any other scheme is an invalid credential, not a missing one.
  const bearer = /^(?:bearer|dpop) +(\S+) *$/i.exec(authorization)?.[1] ?? "";
  if (key !== undefined && key !== bearer) {
    throw new Problem(
      "invalid_request",
      "Authorization and X-API-Key name different credentials; send one of them.",
    );
  }
  return bearer;
}

/** Whether a request has a credential, or what should be one. */
export function presentsSecret({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || headers["x-api-key"] !== undefined;
}

/** Returns the URL of the metadata of the whole service, or of the resource at a path (RFC 9728 §3.1). */
export function metadataUrl(baseUrl: string, resource = ""): string {
  return `${baseUrl}/.well-known/oauth-protected-resource${resource}`;
}

/**
 * Returns the 401 (RFC 6750 §3.1), with the URL of the metadata (RFC 9728 §5.1) and, if a credential was presented,
 * `error`.
 *
 * @param hint further advice for the client.
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
 * Returns a hint for local clients that use another name than the server's. Clients that sign in automatically reject
 * metadata whose resource has another name than they requested (RFC 9728 §3.3), and `localhost` and `127.0.0.1` are
 * easily confused.
 */
export function otherNameHint({ headers: { host } }: IncomingMessage, baseUrl: string): string {
  const own = new URL(baseUrl);
  if (host === undefined || host === own.host || !isLoopbackHost(host) || !isLoopbackHost(own.host))
    return "";
  return ` To sign in, use ${baseUrl}, as this server calls itself, or start it with --base-url ${own.protocol}//${host}.`;
}

/** Verifies the proof of an access token that is bound to a key, or that is presented as such (RFC 9449 §7.1). */
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

/** Returns a challenge in the scheme that the request used, whatever its error (RFC 9449 §7.1). */
export function inSchemeOf(req: IncomingMessage, challenge: string): string {
  const parameters = /^Bearer (.+)$/.exec(challenge)?.[1];
  return parameters !== undefined && isAsBound(req) ? boundChallenge(parameters) : challenge;
}

function boundChallenge(parameters: string): string {
  return `DPoP ${parameters}, algs="${PROOF_ALGORITHMS.join(" ")}"`;
}

/**
 * Returns a function that checks whether the credential of a request is still valid, usable from its address and of an
 * open account, with unchanged rights: streams end if their key is narrowed.
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

/** Turns the error of an invalid proof into the 401 of a resource, which says what proof it requires. */
export function provenOr<T>(checking: Promise<T>, metadataUrl: string): Promise<T> {
  return checking.catch((error) => {
    throw error instanceof OAuthError ? unproven(error.description, metadataUrl, error.error) : error;
  });
}

function unproven(detail: string, metadataUrl: string, error = "invalid_token"): Problem {
  const challenge = boundChallenge(`error="${error}", resource_metadata="${metadataUrl}"`);
  return new Problem("invalid_token", detail, { headers: { "WWW-Authenticate": challenge } });
}

/** Whether a credential is for the resource at a path, or for the whole server (RFC 8707). */
export function isFor({ credential: { audience } }: Identity, resource: string): boolean {
  return audience === undefined || audience === resource;
}

/** Returns the 401 (RFC 6750 §3.1) for a token that was issued for another resource. */
export function issuedForAnother(identity: Identity, resource: string, metadataUrl: string): Problem {
  return new Problem(
    "invalid_token",
    `This token was issued for ${identity.credential.audience}. Sign in with resource=${resource} to use it here.`,
    { headers: { "WWW-Authenticate": `Bearer error="invalid_token", resource_metadata="${metadataUrl}"` } },
  );
}

/** Throws 403 if the credential lacks the scope. */
export function requireScope(identity: Identity, scope: Scope, metadataUrl: string): void {
  if (allows(identity.credential.scopes, scope)) return;
  const metadata = `resource_metadata="${metadataUrl}"`;
  // A sign-in with identity scopes alone has none.
  const held = identity.credential.scopes.join(" ");
  throw new Problem(
    "insufficient_scope",
    `This needs the scope "${scope}"; the credential has ${held ? `"${held}"` : "none of the API's"}.`,
    {
      headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}", ${metadata}` },
      members: { scope },
    },
  );
}
