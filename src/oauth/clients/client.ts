import type { JSONWebKeySet } from "jose";
import { ID_TOKEN_ALGORITHMS, type IdTokenAlgorithm } from "../../contract/oauth-names.ts";
import { OAuthError } from "../../contract/problem.ts";

/** How a client authenticates at the token endpoint. `none`: it cannot keep a secret (RFC 6749 §2.1). */
export type ClientAuthentication =
  /** One that has `keys` may also sign an assertion. */
  | { method: "none"; keys?: JSONWebKeySet }
  /** `secretSha256` is in hex. */
  | { method: "client_secret"; secretSha256: string }
  | { method: "private_key_jwt"; keys: JSONWebKeySet };

/** An application that asks for tokens. */
export interface Client {
  id: string;
  /** The catalogue's name for it, or else its own. */
  name: string;
  /**
   * Who vouches for its identity: the operator of this server, the web site that its id names, or nobody, if it
   * registered itself.
   */
  vouchedBy: "catalogue" | "site" | "nobody";
  redirectUris: readonly string[];
  authentication: ClientAuthentication;
  /** How the ID tokens for it are signed. */
  idTokenAlgorithm: IdTokenAlgorithm;
}

/**
 * Returns how to sign ID tokens for a client that asks for this algorithm (OpenID Connect Registration §2). One that asks
 * for none, or for another than is known here, gets what all got before there was a choice.
 */
export function idTokenAlgorithmFor(asked: string | undefined): IdTokenAlgorithm {
  return ID_TOKEN_ALGORITHMS.find((algorithm) => algorithm === asked) ?? "EdDSA";
}

/** Returns the error for a client that has to authenticate and has not. */
export function unprovenClient(): OAuthError {
  return invalidClient("This client has to prove who it is.");
}

/** Returns `invalid_client` (RFC 6749 §5.2): a 401 that names the authentication scheme. */
export function invalidClient(description: string): OAuthError {
  return new OAuthError("invalid_client", description, {
    headers: { "WWW-Authenticate": 'Basic realm="token endpoint"' },
  });
}
