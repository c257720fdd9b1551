import { endSignIn } from "../../accounts/account-limits.ts";
import { hashSecret, secretKind } from "../../accounts/credentials/secrets.ts";
import { credentials, tokenFamilies } from "../../accounts/model.ts";
import type { Actor } from "../../audit/model.ts";
import type { AuditTrail } from "../../audit/trail.ts";
import { OAuthError } from "../../contract/problem.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../store/store.ts";
import { optional, type Parameters, required } from "../parameters.ts";
import { changeOfFamily } from "./family-change.ts";
import { findRefreshToken } from "./refresh-token-grant.ts";

/**
 * Ends the family of an access or refresh token (RFC 7009). Resolves for an unknown token, too (§2.2). Ignores
 * `token_type_hint`, since the token's prefix shows its type. `OAuthError` without a token, for an API key, which has
 * an endpoint of its own, and if `client_id` names another client.
 */
export type Revoke = (parameters: Parameters, from: Actor) => Promise<void>;

export function createRevocation({ audit }: { audit: AuditTrail }): Revoke {
  return async (parameters, { address, requestId }) => {
    const token = required(parameters, "token");
    const clientId = optional(parameters, "client_id");
    const from = { address, requestId };
    return audit.transact(from, async (tx, note) => {
      const found = await familyOf(tx, token);
      if (!found) return;
      const space = accountSpace(found.accountId);
      const family = await tx.get(tokenFamilies, space, found.familyId);
      if (!family) return;
      if (clientId !== undefined && clientId !== family.clientId) {
        throw new OAuthError("invalid_grant", "The token was issued to another client.");
      }
      await endSignIn(tx, tokenFamilies, found.accountId, family.id);
      note(changeOfFamily("device.signed_out", found.accountId, family, from));
    });
  };

  async function familyOf(
    tx: Transaction,
    token: string,
  ): Promise<{ accountId: string; familyId: string } | undefined> {
    switch (secretKind(token)) {
      case "refresh_token":
        return (await findRefreshToken(tx, token))?.token;
      case "access_token": {
        const credential = await tx.get(credentials, GLOBAL, hashSecret(token));
        return credential?.familyId
          ? { accountId: credential.accountId, familyId: credential.familyId }
          : undefined;
      }
      case "api_key":
        throw new OAuthError(
          "unsupported_token_type",
          "This is an API key; DELETE /api/v1/keys/{keyId} revokes it.",
        );
    }
  }
}
