import { endSignIn } from "../../accounts/account-limits.ts";
import { hasHash, hashSecret } from "../../accounts/credentials/secrets.ts";
import { tokenFamilies } from "../../accounts/model.ts";
import type { AuditTrail, Note } from "../../audit/trail.ts";
import { OAuthError } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { unprovenClient } from "../clients/client.ts";
import type { IdTokenOf } from "../identity.ts";
import { optional, type Parameters, required } from "../parameters.ts";
import type { Resources } from "../resources.ts";
import { changeOfFamily } from "../tokens/family-change.ts";
import type { Grant, TokenAsker } from "../tokens/grant.ts";
import type { TokenPairs, TokenResponse } from "../tokens/token-pair.ts";
import { CODE_REMEMBERED_MS } from "./authorizations.ts";
import { type AuthorizationCode, authorizationCodes } from "./model.ts";

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Exchanges a code, once, for the client it was issued to (RFC 6749 §4.1.3), with PKCE (RFC 7636 §4.5). */
export function authorizationCodeGrant({
  store,
  audit,
  clock,
  resources,
  begin,
  idTokenOf,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  resources: Pick<Resources, "target">;
  begin: TokenPairs["begin"];
  idTokenOf: IdTokenOf;
}): Grant {
  return {
    type: "authorization_code",
    async exchange(parameters, asker) {
      const id = hashSecret(required(parameters, "code"));
      const asked = {
        verifier: required(parameters, "code_verifier"),
        redirectUri: optional(parameters, "redirect_uri"),
        audience: resources.target(parameters),
      };
      // A refusal is returned, not thrown, so that the transaction commits: reuse ends the family.
      const outcome = await audit.transact(asker.from, (tx, note) => redeem(tx, note, id, asked, asker));
      if (outcome instanceof OAuthError) throw outcome;
      const { code, response } = outcome;
      return code.identity.length === 0 ? response : { ...response, id_token: await idTokenOf(code) };
    },
    async limitSubject(parameters: Parameters) {
      const code = optional(parameters, "code");
      if (code === undefined) return undefined;
      const id = hashSecret(code);
      const known = await store.transact((tx) => tx.has(authorizationCodes, GLOBAL, id));
      return known ? { key: `authorization_code/${id}` } : undefined;
    },
  };

  async function redeem(
    tx: Transaction,
    note: Note,
    id: string,
    asked: { verifier: string; redirectUri: string | undefined; audience: string | undefined },
    asker: TokenAsker,
  ): Promise<{ code: AuthorizationCode; response: TokenResponse } | OAuthError> {
    const code = await tx.get(authorizationCodes, GLOBAL, id);
    if (!code) return refusal("The code is unknown or expired. Begin again.");
    if (code.familyId !== undefined) {
      const space = accountSpace(code.accountId);
      const family = await tx.get(tokenFamilies, space, code.familyId);
      await endSignIn(tx, tokenFamilies, code.accountId, code.familyId);
      if (family) note(changeOfFamily("device.ended_by_reuse", code.accountId, family, asker.from));
      return refusal("The code was used before, so all tokens of this sign-in are revoked. Begin again.");
    }
    if (code.expiresAt <= clock.now()) return refusal("The code is unknown or expired. Begin again.");
    const fault = faultOf(code, asked, asker);
    if (fault) return fault;
    const { accountId, userId, clientId, clientName, scopes, identity, address, userAgent } = code;
    const audience = code.audience ?? asked.audience;
    const dpopKey = asker.dpopKey;
    const signIn = {
      userId,
      clientId,
      ...defined({ clientName }),
      scopes,
      ...defined({ audience }),
      ...(identity.length > 0 && { identity }),
      ...defined({ dpopKey }),
      ...(code.confidential && { confidential: true }),
      address,
      userAgent,
    };
    const begun = await begin(tx, note, {
      accountId,
      signIn,
      approvedAt: code.signedInAt,
      from: asker.from,
    });
    if (!begun) return refusal("The user who allowed it was removed or suspended, or may do less by now.");
    const expiresAt = clock.now() + CODE_REMEMBERED_MS;
    await tx.put(authorizationCodes, GLOBAL, id, { ...code, familyId: begun.familyId }, { expiresAt });
    return { code, response: begun.response };
  }
}

/** Returns the error if a request may not redeem the code. */
function faultOf(
  code: AuthorizationCode,
  asked: { verifier: string; redirectUri: string | undefined; audience: string | undefined },
  { client, dpopKey }: TokenAsker,
): OAuthError | undefined {
  if (client.id !== code.clientId) return refusal("The code was issued to another client.");
  if (code.confidential && !client.authenticated) {
    return unprovenClient();
  }
  // Optional, since OAuth 2.1 dropped it, but it must match if it is sent.
  if (asked.redirectUri !== undefined && asked.redirectUri !== code.redirectUri) {
    return refusal("The code was issued for another redirect URI.");
  }
  if (!VERIFIER.test(asked.verifier) || !hasHash(asked.verifier, Buffer.from(code.challenge, "base64url"))) {
    return refusal("code_verifier does not fit the code_challenge.");
  }
  if (asked.audience !== undefined && (code.audience ?? asked.audience) !== asked.audience) {
    return new OAuthError("invalid_target", `The code was issued for ${code.audience} alone.`);
  }
  if (code.dpopKey !== undefined && code.dpopKey !== dpopKey) {
    return refusal("The code was issued for the proofs of another key.");
  }
  return undefined;
}

function refusal(description: string): OAuthError {
  return new OAuthError("invalid_grant", description);
}
