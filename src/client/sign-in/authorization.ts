import { OAuthError } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { requestIdOf } from "../answer.ts";
import { SignedOut } from "../errors.ts";
import type { CredentialSource, StoredCredential } from "./credential.ts";
import { credentialOf, type TokenResponse } from "./token-response.ts";

export interface Authorization {
  /** The credential in force, renewed if it is about to expire; undefined where there is none. */
  current(): Promise<StoredCredential | undefined>;
  /**
   * Another credential in place of one that got 401. Where none can be had the refused one is forgotten,
   * and `SignedOut` thrown.
   */
  replace(refused: StoredCredential, cause: unknown): Promise<StoredCredential>;
  /** Forgets what the server refuses for good; the error to throw. */
  abandon(refused: StoredCredential, cause: unknown): Promise<SignedOut>;
}

export interface AuthorizationOptions {
  baseUrl: string;
  credentials: CredentialSource;
  clock: Pick<Clock, "now">;
  /** The refresh grant; throws `OAuthError`. */
  refresh: (fields: { refresh_token: string; client_id?: string }) => Promise<TokenResponse>;
}

/** A request that starts now must not arrive after the end. */
const RENEW_BEFORE_MS = 60_000;

/**
 * Keeps a credential fresh. Processes that renew at once need no lock: a refresh token outlives its
 * successor's first use by a minute, and who comes later than that finds what the
 * other one stored.
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

  /** One renewal at a time in this process; whoever comes meanwhile waits for it. */
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
        // It was early: what still holds is still good.
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

/** The token endpoint's answer that this refresh token is of no use, now or later (RFC 6749 §5.2). */
function isRefusal(error: unknown): boolean {
  return error instanceof OAuthError && (error.status === 400 || error.status === 401);
}
