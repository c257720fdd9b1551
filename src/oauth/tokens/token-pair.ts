import { hashSecret, newSecret } from "../../accounts/credentials/secrets.ts";
import { credentials, type TokenFamily, tokenFamilies } from "../../accounts/model.ts";
import type { Scope } from "../../contract/caller.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { refreshTokens } from "../model.ts";

const ACCESS_TOKEN_MS = 60 * 60_000;
const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60_000;

/** RFC 6749 §5.1. */
export interface TokenResponse {
  access_token: string;
  token_type: "Bearer";
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  /** Of the access token. */
  scope: string;
}

/** A family as its next pair finds it; the pair sets when it expires. */
export type OpenFamily = Omit<TokenFamily, "expiresAt" | "lastUsedAt">;

/** Gives a family a new access token and a refresh token of its present generation. */
export type IssueTokenPair = (
  tx: Transaction,
  accountId: string,
  family: OpenFamily,
  scopes: readonly Scope[],
) => Promise<TokenResponse>;

export function createTokenPairs({ clock, random }: { clock: Clock; random: Random }): IssueTokenPair {
  return async (tx, accountId, family, scopes) => {
    const now = clock.now();
    const accessToken = newSecret("access_token", random);
    const refreshToken = newSecret("refresh_token", random);
    const accessExpiry = { expiresAt: now + ACCESS_TOKEN_MS };
    const refreshExpiry = { expiresAt: now + REFRESH_TOKEN_MS };
    await tx.insert(
      credentials,
      GLOBAL,
      hashSecret(accessToken),
      {
        kind: "access_token",
        id: random.id("tok"),
        accountId,
        userId: family.userId,
        scopes: [...scopes],
        familyId: family.id,
        issuedAt: now,
        ...accessExpiry,
      },
      accessExpiry,
    );
    await tx.insert(
      refreshTokens,
      GLOBAL,
      hashSecret(refreshToken),
      { accountId, familyId: family.id, generation: family.generation, issuedAt: now, ...refreshExpiry },
      refreshExpiry,
    );
    const kept = { ...family, lastUsedAt: now, ...refreshExpiry };
    await tx.put(tokenFamilies, accountSpace(accountId), family.id, kept, refreshExpiry);
    return {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: ACCESS_TOKEN_MS / 1000,
      refresh_token: refreshToken,
      scope: scopes.join(" "),
    };
  };
}
