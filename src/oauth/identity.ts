import { accounts, people, users } from "../accounts/model.ts";
import type { Caller } from "../contract/caller.ts";
import type { IdTokenAlgorithm } from "../contract/oauth-names.ts";
import { OAuthError } from "../contract/problem.ts";
import { accountSpace, GLOBAL, type Store } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import { MINUTE_MS } from "../system/durations.ts";
import type { AuthorizationCode } from "./authorization/model.ts";
import { idTokenAlgorithmFor } from "./clients/client.ts";

/** The claims about a person that a client receives, if the person allowed them (OpenID Connect Core §5.1). */
export interface IdentityClaims {
  /** The user's id. */
  sub: string;
  email?: string;
  /**
   * Whether the person has proven that the address is theirs. Whoever invites an address may see the link and use it, so
   * that clients must not take `email` alone for who somebody is.
   */
  email_verified?: boolean;
  /** The e-mail address, or the chosen name of a person without one. */
  preferred_username?: string;
  /** Extension: the account that the client was signed in to. */
  account_id?: string;
  account_name?: string;
}

/** Signs a payload as a JWS of this type. */
export type SignAs = (algorithm: IdTokenAlgorithm, payload: object, typ: string) => Promise<string>;

/** Issues the ID token for an authorization code (OpenID Connect Core §2). */
export type IdTokenOf = (
  code: Pick<
    AuthorizationCode,
    "accountId" | "userId" | "clientId" | "identity" | "nonce" | "signedInAt" | "idTokenAlgorithm"
  >,
) => Promise<string>;

/** The userinfo endpoint (OpenID Connect Core §5.3). `OAuthError` `insufficient_scope` without the scope openid. */
export type UserInfo = (
  who: { accountId: string; userId: string } & Pick<Caller["credential"], "identity">,
) => Promise<IdentityClaims>;

export const ID_TOKEN_MS = 10 * MINUTE_MS;

export function createIdentity({
  store,
  clock,
  issuer,
  signAs,
}: {
  store: Store;
  clock: Clock;
  issuer: () => string;
  signAs: SignAs;
}): { idTokenOf: IdTokenOf; userInfo: UserInfo } {
  async function claimsOf(
    accountId: string,
    userId: string,
    told: readonly string[],
  ): Promise<IdentityClaims> {
    const [user, account, person] = await store.transact(async (tx) => {
      const user = await tx.get(users, accountSpace(accountId), userId);
      const person = user?.personId === undefined ? undefined : await tx.get(people, GLOBAL, user.personId);
      return [user, await tx.get(accounts, GLOBAL, accountId), person] as const;
    });
    return {
      sub: userId,
      // For a person without an address, `email` holds a name, which contains no "@".
      ...(user?.email.includes("@") &&
        told.includes("email") && {
          email: user.email,
          email_verified: person?.email === user.email && person.emailProvenAt !== undefined,
        }),
      ...(user &&
        account &&
        told.includes("profile") && {
          preferred_username: user.email,
          account_id: account.id,
          account_name: account.name,
        }),
    };
  }

  return {
    async idTokenOf({ accountId, userId, clientId, identity, nonce, signedInAt, idTokenAlgorithm }) {
      const now = clock.now();
      const claims = {
        iss: issuer(),
        aud: clientId,
        iat: Math.floor(now / 1000),
        exp: Math.floor((now + ID_TOKEN_MS) / 1000),
        auth_time: Math.floor(signedInAt / 1000),
        ...defined({ nonce }),
        ...(await claimsOf(accountId, userId, identity)),
      };
      return signAs(idTokenAlgorithmFor(idTokenAlgorithm), claims, "JWT");
    },
    async userInfo({ accountId, userId, identity }) {
      if (identity?.includes("openid")) return claimsOf(accountId, userId, identity);
      throw new OAuthError(
        "insufficient_scope",
        "This needs an access token of a sign-in with the scope openid.",
        {
          headers: { "WWW-Authenticate": 'Bearer error="insufficient_scope", scope="openid"' },
        },
      );
    },
  };
}
