import { UnexpectedAnswer } from "../errors.ts";
import type { StoredCredential } from "./credential.ts";

/** A successful answer of the token endpoint (RFC 6749 §5.1). */
export interface TokenResponse {
  access_token: string;
  expires_in?: number;
  refresh_token?: string;
  scope?: string;
}

export function readTokenResponse(body: unknown): TokenResponse {
  const response = body as Partial<TokenResponse> | undefined;
  if (typeof response?.access_token !== "string") {
    throw new UnexpectedAnswer(200, "The token endpoint answered without an access token.");
  }
  return response as TokenResponse;
}

/** Returns the credential to store after `response`. Members absent from it are taken from `before` (RFC 6749 §6). */
export function credentialOf(
  response: TokenResponse,
  before: Omit<StoredCredential, "accessToken">,
  now: number,
): StoredCredential {
  return {
    ...before,
    accessToken: response.access_token,
    refreshToken: response.refresh_token ?? before.refreshToken,
    expiresAt: response.expires_in === undefined ? undefined : now + response.expires_in * 1000,
    scope: response.scope ?? before.scope,
  };
}
