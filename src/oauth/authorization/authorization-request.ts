import { OAuthError } from "../../contract/problem.ts";
import { defined } from "../../system/defined.ts";
import type { Client } from "../clients/client.ts";
import { isRedirectUriOf } from "../clients/redirect-uris.ts";
import { optional, type Parameters, required } from "../parameters.ts";
import type { Resources } from "../resources.ts";
import { parseAuthorizationScopes } from "../scopes.ts";
import type { AuthorizationRequest } from "./model.ts";

/** The most characters of `state` and of `nonce`, which are returned unchanged. */
const MAX_ECHOED = 2048;
/** A SHA-256 digest: 256 bits in base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Returns the redirect URI. `OAuthError` if it is not one of the client's; no browser may be sent there then. */
export function checkRedirectUri(parameters: Parameters, client: Client): string {
  const redirectUri = required(parameters, "redirect_uri");
  if (isRedirectUriOf(client.redirectUris, redirectUri)) return redirectUri;
  throw new OAuthError(
    "invalid_request",
    `The application asks to be sent back to ${redirectUri.slice(0, 256)}, which is none of its redirect URIs.`,
  );
}

/** Parses a request (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2). Throws the `OAuthError` to send to the client. */
export function parseAuthorizationRequest(
  parameters: Parameters,
  {
    client,
    redirectUri,
    resources,
    now,
  }: { client: Client; redirectUri: string; resources: Pick<Resources, "target">; now: number },
): AuthorizationRequest {
  const responseType = required(parameters, "response_type");
  if (responseType !== "code") {
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  }
  const mode = optional(parameters, "response_mode");
  if (mode !== undefined && mode !== "query") {
    throw new OAuthError("invalid_request", "response_mode must be query.");
  }
  if (optional(parameters, "request") !== undefined) {
    throw new OAuthError(
      "invalid_request",
      "Request objects are not taken; push the request instead (RFC 9126).",
    );
  }
  const challenge = optional(parameters, "code_challenge");
  if (
    challenge === undefined ||
    !CHALLENGE.test(challenge) ||
    optional(parameters, "code_challenge_method") !== "S256"
  ) {
    throw new OAuthError(
      "invalid_request",
      "PKCE is needed, which some libraries have to be told: code_challenge, and code_challenge_method=S256.",
    );
  }
  const prompts = optional(parameters, "prompt")?.split(" ");
  if (prompts?.includes("none")) {
    throw new OAuthError("consent_required", "A person is always asked here: prompt=none cannot be had.");
  }
  const signedInSince = signedInSinceOf(parameters, prompts, now);
  const audience = resources.target(parameters);
  const state = echoed(parameters, "state");
  const nonce = echoed(parameters, "nonce");
  const dpopKey = optional(parameters, "dpop_jkt");
  if (dpopKey !== undefined && !CHALLENGE.test(dpopKey)) {
    throw new OAuthError("invalid_request", "dpop_jkt must be the SHA-256 thumbprint of a key.");
  }
  return {
    clientId: client.id,
    clientName: client.name,
    vouchedBy: client.vouchedBy,
    confidential: client.authentication.method !== "none",
    idTokenAlgorithm: client.idTokenAlgorithm,
    redirectUri,
    ...parseAuthorizationScopes(optional(parameters, "scope")),
    challenge,
    ...defined({ audience, state, nonce, signedInSince, dpopKey }),
  };
}

/** Returns the time that `prompt` or `max_age` requires a sign-in after (OpenID Connect Core §3.1.2.1). */
function signedInSinceOf(
  parameters: Parameters,
  prompts: string[] | undefined,
  now: number,
): number | undefined {
  if (prompts?.includes("login")) return now;
  const maxAge = optional(parameters, "max_age");
  if (maxAge === undefined) return undefined;
  if (/^\d{1,9}$/.test(maxAge)) return now - Number(maxAge) * 1000;
  throw new OAuthError("invalid_request", "max_age must be a number of seconds.");
}

function echoed(parameters: Parameters, name: string): string | undefined {
  const value = optional(parameters, name);
  if (value === undefined || value.length <= MAX_ECHOED) return value;
  throw new OAuthError("invalid_request", `${name} is longer than ${MAX_ECHOED} characters.`);
}
