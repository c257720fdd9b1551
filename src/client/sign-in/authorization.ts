import { OAuthError } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { requestIdOf } from "../answer.ts";
import { SignedOut } from "../errors.ts";
import type { CredentialSource, StoredCredential } from "./credential.ts";
import { credentialOf, type TokenResponse } from "./token-response.ts";

export interface Authorization {
  /** Returns the current credential, renewed if it is about to expire; undefined if there is none. */
  current(): Promise<StoredCredential | undefined>;
  /**
   * Returns a replacement for a credential that got 401. If there is none, the refused one is deleted and `SignedOut`
   * is thrown.
   */
  replace(refused: StoredCredential, cause: unknown): Promise<StoredCredential>;
  /** Deletes a credential that the server permanently refuses, and returns the error to throw. */
  abandon(refused: StoredCredential, cause: unknown): Promise<SignedOut>;
}

export interface AuthorizationOptions {
  baseUrl: string;
  credentials: CredentialSource;
  clock: Pick<Clock, "now">;
  /** Performs the refresh grant; throws `OAuthError`. */
  refresh: (fields: { refresh_token: string; client_id?: string }) => Promise<TokenResponse>;
}

/** Margin that keeps a request from arriving after the token expires. */
const RENEW_BEFORE_MS = MINUTE_MS;

/**
 * Keeps a credential fresh. Concurrent processes need no lock: a refresh token stays valid for a minute after its
 * successor's first use, and a process that renews later than that finds the credential that the other one stored.
 */
export function createAuthorization({
  baseUrl,
  credentials,
  clock,
  refresh,
}: AuthorizationOptions): Authorization {
  let known: StoredCredential | undefined;
  let renewing: Promise<StoredCredential> | undefined;

  function expiresWithin(credential: StoredCredential, ms: number): boolean {
    return credential.expiresAt !== undefined && credential.expiresAt - clock.now() < ms;
  }

  /** Renews once at a time in this process. Concurrent callers share the result. */
  function renew(credential: StoredCredential, cause?: unknown): Promise<StoredCredential> {
    renewing ??= exchange(credential, cause).finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function exchange(credential: StoredCredential, cause: unknown): Promise<StoredCredential> {
    const { refreshToken, clientId } = credential;
    if (refreshToken === undefined || credentials.fixed) throw await abandon(credential, cause);
    try {
      const response = await refresh({ refresh_token: refreshToken, client_id: clientId });
      known = credentialOf(response, credential, clock.now());
      await credentials.write(known);
      return known;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const stored = await credentials.read();
      if (stored && stored.refreshToken !== refreshToken) {
        known = stored;
        return stored;
      }
      throw await abandon(credential, error);
    }
  }

  async function abandon(credential: StoredCredential, cause?: unknown): Promise<SignedOut> {
    known = undefined;
    if (credentials.fixed) {
      const message = `${baseUrl} does not accept the token in TOOL_TOKEN.`;
      return new SignedOut(baseUrl, "environment", message, requestIdOf(cause));
    }
    await credentials.forget(credential.accessToken);
    const message = `${baseUrl} no longer accepts this sign-in, so it was forgotten.`;
    return new SignedOut(baseUrl, "refused", message, requestIdOf(cause));
  }

  return {
    abandon,

    async current() {
      if (!known || expiresWithin(known, RENEW_BEFORE_MS)) known = await credentials.read();
      if (!known || !expiresWithin(known, RENEW_BEFORE_MS) || credentials.fixed) return known;
      if (known.refreshToken === undefined) return known;
      const early = known;
      try {
        return await renew(known);
      } catch (error) {
        // The renewal was early, so the old credential is still valid.
        if (error instanceof SignedOut || expiresWithin(early, 0)) throw error;
        return early;
      }
    },

    async replace(refused, cause) {
      if (known && known.accessToken !== refused.accessToken) return known;
      const stored = credentials.fixed ? refused : await credentials.read();
      if (stored && stored.accessToken !== refused.accessToken) {
        known = stored;
        return stored;
      }
      if (!stored) throw await abandon(refused, cause);
      return renew(stored, cause);
    },
  };
}

/** Whether the token endpoint permanently refuses this refresh token (RFC 6749 §5.2). */
function isRefusal(error: unknown): boolean {
  return error instanceof OAuthError && (error.status === 400 || error.status === 401);
}
