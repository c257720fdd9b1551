import { countSignIn } from "../../accounts/account-limits.ts";
import { hashSecret, newSecret } from "../../accounts/credentials/secrets.ts";
import { credentials, type TokenFamily, tokenFamilies } from "../../accounts/model.ts";
import { activeUser } from "../../accounts/people.ts";
import { scopesOf } from "../../accounts/roles.ts";
import type { Actor } from "../../audit/model.ts";
import type { Note } from "../../audit/trail.ts";
import { allows } from "../../contract/caller.ts";
import { accountSpace, GLOBAL, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { DAY_MS, HOUR_MS } from "../../system/durations.ts";
import type { Random } from "../../system/random.ts";
import { noteUseOfClient } from "../clients/registration.ts";
import { refreshTokens } from "../model.ts";
import { changeOfFamily } from "./family-change.ts";

const ACCESS_TOKEN_MS = HOUR_MS;
const REFRESH_TOKEN_MS = 30 * DAY_MS;

/** The token response (RFC 6749 §5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: "Bearer" | "DPoP";
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  /** The scopes of the access token. */
  scope: string;
  /** Present for sign-ins with identity scopes (OpenID Connect Core §3.1.3.3). */
  id_token?: string;
}

/** A family before its next token pair is issued, which sets when it expires. */
export type OpenFamily = Omit<TokenFamily, "expiresAt" | "lastUsedAt">;

/** A sign-in that a user has approved. */
export type ApprovedSignIn = Omit<OpenFamily, "id" | "createdAt" | "generation" | "firstUses">;

/** An approved sign-in with its account, and the requester of the tokens (`from`). */
interface Approved {
  accountId: string;
  signIn: ApprovedSignIn;
  /** Milliseconds since the epoch. */
  approvedAt: number;
  from: Actor;
}

/** The rights of an access token, which never exceed its family's. */
export type AccessRights = Pick<TokenFamily, "scopes" | "audience">;

export interface TokenPairs {
  /**
   * Begins a family and issues its first pair. Returns undefined if the approver was removed or suspended meanwhile,
   * has lost one of the scopes, or has had all credentials ended since the approval.
   */
  begin(
    tx: Transaction,
    note: Note,
    approved: Approved,
  ): Promise<{ familyId: string; response: TokenResponse } | undefined>;
  /** Issues an access token, and a refresh token of the family's current generation. */
  issue(tx: Transaction, accountId: string, family: OpenFamily, rights: AccessRights): Promise<TokenResponse>;
}

export function createTokenPairs({ clock, random }: { clock: Clock; random: Random }): TokenPairs {
  return {
    async begin(tx, note, { accountId, signIn, approvedAt, from }) {
      const user = await activeUser(tx, accountId, signIn.userId);
      if (!user || !signIn.scopes.every((scope) => allows(scopesOf(user), scope))) return undefined;
      if (user.allEndedAt !== undefined && approvedAt < user.allEndedAt) return undefined;
      const who = { accountId, userId: signIn.userId };
      const before = await countSignIn(tx, tokenFamilies, who, clock.now());
      if (before) await tx.delete(tokenFamilies, accountSpace(accountId), before.id);
      const id = random.id("fam");
      const family = { ...signIn, id, createdAt: clock.now(), generation: 0, firstUses: [] };
      note({
        ...changeOfFamily("device.signed_in", accountId, family, from),
        after: { scopes: signIn.scopes, audience: signIn.audience, ...defined({ ended: before?.id }) },
      });
      return { familyId: id, response: await issue(tx, accountId, family, signIn) };
    },
    issue,
  };

  async function issue(
    tx: Transaction,
    accountId: string,
    family: OpenFamily,
    { scopes, audience }: AccessRights,
  ): Promise<TokenResponse> {
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
        ...defined({ audience }),
        ...(family.identity && { identity: family.identity }),
        ...defined({ dpopKey: family.dpopKey }),
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
    await noteUseOfClient(tx, family.clientId, now);
    const kept = { ...family, lastUsedAt: now, ...refreshExpiry };
    await tx.put(tokenFamilies, accountSpace(accountId), family.id, kept, refreshExpiry);
    return {
      access_token: accessToken,
      token_type: family.dpopKey === undefined ? "Bearer" : "DPoP",
      expires_in: ACCESS_TOKEN_MS / 1000,
      refresh_token: refreshToken,
      scope: [...(family.identity ?? []), ...scopes].join(" "),
    };
  }
}
