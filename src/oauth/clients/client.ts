import type { JSONWebKeySet } from "jose";
import { OAuthError } from "../../contract/problem.ts";

/** How a client proves at the token endpoint who it is; `none`: it cannot keep a secret (RFC 6749 §2.1). */
export type ClientAuthentication =
  | { method: "none" }
  /** Of the secret, in hex. */
  | { method: "client_secret"; secretSha256: string }
  | { method: "private_key_jwt"; keys: JSONWebKeySet };

/** An application that asks for tokens. */
export interface Client {
  id: string;
  /** As it calls itself, unless the catalogue has it. */
  name: string;
  /**
   * Who says what it is: the operator of this server, the web site that its id names, or only itself, when it
   * registered.
   */
  vouchedBy: "catalogue" | "site" | "nobody";
  redirectUris: readonly string[];
  authentication: ClientAuthentication;
}

/** `invalid_client` (RFC 6749 §5.2): 401, naming the scheme that a client may prove itself by. */
export function invalidClient(description: string): OAuthError {
  return new OAuthError("invalid_client", description, {
    headers: { "WWW-Authenticate": 'Basic realm="token endpoint"' },
  });
}
