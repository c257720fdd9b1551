import { endSignIn } from "../../accounts/account-limits.ts";
import { hashSecret } from "../../accounts/credentials/secrets.ts";
import { openFamily } from "../../accounts/devices/open-family.ts";
import { isForgotten } from "../../accounts/devices/registered-clients.ts";
import { type TokenFamily, tokenFamilies } from "../../accounts/model.ts";
import type { AuditTrail, Note } from "../../audit/trail.ts";
import type { IdentityScope, Scope } from "../../contract/caller.ts";
import { OAuthError } from "../../contract/problem.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { invalidClient, unprovenClient } from "../clients/client.ts";
import { type RefreshToken, refreshTokens } from "../model.ts";
import { optional, required } from "../parameters.ts";
import type { Resources } from "../resources.ts";
import { grantable, parseAuthorizationScopes } from "../scopes.ts";
import { changeOfFamily } from "./family-change.ts";
import type { Grant, TokenAsker } from "./grant.ts";
import type { TokenPairs, TokenResponse } from "./token-pair.ts";

/** How long a refresh token still works after its successor was first used. */
const GRACE_MS = MINUTE_MS;

/**
 * Exchanges a refresh token (RFC 6749 §6) with rotation (RFC 9700 §4.14.2). Each use of a newest token begins a
 * generation. A token of the previous generation works until one of its successors is used, and for the grace period
 * after that, because two processes of one client may refresh at once, and responses may get lost. A later use means
 * that one of the two users stole the token. Nobody can tell which, so the family ends.
 */
export function refreshTokenGrant({
  store,
  audit,
  clock,
  resources,
  issue,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  resources: Pick<Resources, "target">;
  issue: TokenPairs["issue"];
}): Grant {
  return {
    type: "refresh_token",
    async exchange(parameters, asker) {
      const token = required(parameters, "refresh_token");
      if (asker.client.id === undefined) required(parameters, "client_id");
      const scope = optional(parameters, "scope");
      const asked = {
        ...(scope !== undefined && parseAuthorizationScopes(scope)),
        audience: resources.target(parameters),
      };
      // A refusal is returned, not thrown, so that the transaction commits: reuse ends the family.
      const outcome = await audit.transact(asker.from, (tx, note) => rotate(tx, note, token, asker, asked));
      if (outcome instanceof OAuthError) throw outcome;
      return outcome;
    },
    async limitSubject(parameters) {
      const token = optional(parameters, "refresh_token");
      const found = token && (await store.transact((tx) => findRefreshToken(tx, token)));
      if (!found) return undefined;
      const { familyId, accountId } = found.token;
      return { key: `token_family/${familyId}`, accountId };
    },
  };

  async function rotate(
    tx: Transaction,
    note: Note,
    secret: string,
    { client, from, dpopKey }: TokenAsker,
    asked: {
      scopes?: readonly Scope[];
      identity?: readonly IdentityScope[];
      audience: string | undefined;
    },
  ): Promise<TokenResponse | OAuthError> {
    const found = await findRefreshToken(tx, secret);
    if (!found) {
      // Clients then register anew. With any other error they would ask people to sign them in by the id that is gone.
      if (await isForgotten(tx, client.id))
        return invalidClient("This application is not known here any more.");
      return new OAuthError(
        "invalid_grant",
        "The refresh token is unknown, expired or revoked. Sign in again.",
      );
    }
    const { token } = found;
    // A client that proves who it is may change its key (RFC 9449 §5).
    const family = { ...found.family, ...(found.family.confidential && defined({ dpopKey })) };
    if (family.clientId !== client.id) {
      return new OAuthError("invalid_grant", "The refresh token was issued to another client.");
    }
    if (family.confidential && !client.authenticated) {
      return unprovenClient();
    }
    if (family.dpopKey !== undefined && family.dpopKey !== dpopKey) {
      return new OAuthError("invalid_dpop_proof", "This sign-in works with proofs of its own key alone.");
    }
    const now = clock.now();
    if (!works(token, family, now)) {
      await endSignIn(tx, tokenFamilies, token.accountId, family.id);
      note(changeOfFamily("device.ended_by_reuse", token.accountId, family, from));
      return new OAuthError(
        "invalid_grant",
        "The refresh token was replaced and used again, so all tokens of this sign-in are revoked. Sign in again.",
      );
    }
    const scopes = asked.scopes ? grantable(asked.scopes, family.scopes) : family.scopes;
    const { identity = [] } = family;
    const isMore = asked.identity?.some((scope) => !identity.includes(scope));
    if (isMore || (asked.scopes && scopes.length < asked.scopes.length)) {
      const all = [...identity, ...family.scopes].join(" ");
      return new OAuthError("invalid_scope", `This sign-in has no more than: ${all}.`);
    }
    if (asked.audience !== undefined && (family.audience ?? asked.audience) !== asked.audience) {
      return new OAuthError("invalid_target", `This sign-in is for ${family.audience} alone.`);
    }
    const audience = family.audience ?? asked.audience;
    const rights = { scopes, ...defined({ audience }) };
    return issue(tx, token.accountId, advanced(family, token.generation, now), rights);
  }
}

/** Finds a refresh token and its family. Returns undefined if either has expired or ended. */
export async function findRefreshToken(
  tx: Transaction,
  secret: string,
): Promise<{ token: RefreshToken; family: TokenFamily } | undefined> {
  const token = await tx.get(refreshTokens, GLOBAL, hashSecret(secret));
  if (!token) return undefined;
  const family = await openFamily(tx, token.accountId, token.familyId);
  return family && { token, family };
}

/** Whether a refresh token may still be used. If not, its use is evidence of theft. */
export function works({ generation }: RefreshToken, family: TokenFamily, now: number): boolean {
  if (generation >= family.generation - 1) return true;
  const successor = family.firstUses.find((use) => use.generation === generation + 1);
  return successor !== undefined && now < successor.at + GRACE_MS;
}

/** Returns the family after a use of `generation`. The first use of the newest generation begins another. */
function advanced(family: TokenFamily, generation: number, now: number): TokenFamily {
  if (generation < family.generation) return family;
  const recent = family.firstUses.filter((use) => now < use.at + GRACE_MS);
  return {
    ...family,
    generation: generation + 1,
    firstUses: [...recent, { generation, at: now }],
  };
}
