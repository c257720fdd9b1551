import { isEndedByMark } from "../../accounts/credentials/ending.ts";
import { hashSecret, secretKind } from "../../accounts/credentials/secrets.ts";
import { openFamily } from "../../accounts/devices/open-family.ts";
import { accounts, credentials, users } from "../../accounts/model.ts";
import { shutOf } from "../../accounts/shut.ts";
import type { Scope } from "../../contract/caller.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { type Parameters, required } from "../parameters.ts";
import { findRefreshToken, works } from "./refresh-token-grant.ts";

/** The introspection response (RFC 7662 §2.2). Times are Unix time in seconds. */
export type Introspection =
  | { active: false }
  | {
      active: true;
      scope: string;
      /** Tokens only: API keys belong to no client. */
      client_id?: string;
      /** The user's e-mail address, or the chosen name of a user without one. */
      username?: string;
      /** Absent for refresh tokens, which no resource accepts. */
      token_type?: "Bearer" | "DPoP";
      exp?: number;
      iat: number;
      /** The user's id. */
      sub: string;
      /** The only resource that it is for (RFC 8707); absent if it is for the whole server. */
      aud?: string;
      /** The key that it is bound to (RFC 9449 §6.2). */
      cnf?: { jkt: string };
      iss: string;
      /** Extension (RFC 7662 §2.2): the account that it belongs to. */
      account_id: string;
    };

/** The restrictions of an API key besides its scopes. */
const BINDINGS = ["tools", "addresses", "projectId"] as const;

/**
 * Introspects a token or an API key. Those of a shut account are inactive. The caller of this function must ensure that
 * the requester holds the scope operator.
 */
export type Introspect = (parameters: Parameters) => Promise<Introspection>;

interface Subject {
  accountId: string;
  userId: string;
  clientId?: string;
  scopes: readonly Scope[];
  issuedAt: number;
  expiresAt?: number;
  audience?: string;
  identity?: readonly string[];
  dpopKey?: string;
  bearer: boolean;
}

export function createIntrospection({
  store,
  clock,
  issuer,
}: {
  store: Store;
  clock: Clock;
  issuer: () => string;
}): Introspect {
  return async (parameters) => {
    const token = required(parameters, "token");
    return store.transact(async (tx) => {
      const subject = await subjectOf(tx, token);
      const account = subject && (await tx.get(accounts, GLOBAL, subject.accountId));
      // The control lane, which a shut account may still use, exists only on this server.
      if (!account || shutOf(account)) return { active: false };
      const {
        accountId,
        userId,
        clientId,
        scopes,
        issuedAt,
        expiresAt,
        audience,
        identity = [],
        dpopKey,
        bearer,
      } = subject;
      const user = await tx.get(users, accountSpace(accountId), userId);
      return {
        active: true,
        scope: [...identity, ...scopes].join(" "),
        ...defined({ client_id: clientId }),
        ...(user && { username: user.email }),
        ...(bearer && { token_type: dpopKey === undefined ? "Bearer" : "DPoP" }),
        ...(expiresAt !== undefined && { exp: Math.floor(expiresAt / 1000) }),
        iat: Math.floor(issuedAt / 1000),
        sub: userId,
        ...defined({ aud: audience }),
        ...(dpopKey !== undefined && { cnf: { jkt: dpopKey } }),
        iss: issuer(),
        account_id: accountId,
      };
    });
  };

  async function subjectOf(tx: Transaction, token: string): Promise<Subject | undefined> {
    const kind = secretKind(token);
    if (kind === "refresh_token") {
      const found = await findRefreshToken(tx, token);
      if (!found || !works(found.token, found.family, clock.now())) return undefined;
      return { ...found.family, ...found.token, bearer: false };
    }
    if (kind !== "access_token" && kind !== "api_key") return undefined;
    const credential = await tx.get(credentials, GLOBAL, hashSecret(token));
    if (!credential) return undefined;
    if (credential.familyId === undefined) {
      const account = await tx.get(accounts, GLOBAL, credential.accountId);
      // The requester cannot enforce a key's bindings, so a bound key counts as inactive.
      const isBound = BINDINGS.some((name) => credential[name] !== undefined);
      return account && !isBound && !isEndedByMark(account, credential)
        ? { ...credential, bearer: true }
        : undefined;
    }
    const family = await openFamily(tx, credential.accountId, credential.familyId);
    return family && { ...credential, clientId: family.clientId, bearer: true };
  }
}
