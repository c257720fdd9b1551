import { GLOBAL, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../system/durations.ts";
import type { Random } from "../../system/random.ts";
import { hashSecret, newSecret, secretKind } from "../credentials/secrets.ts";
import type { UserReference } from "../model.ts";
import { type SignInLink, signInLinks } from "./model.ts";

const SIGN_IN_MS = 15 * MINUTE_MS;
/** Longer than for other links, since an invitation may not be read at once. */
export const INVITATION_MS = 7 * DAY_MS;

export interface IssuedLink {
  /** The URL to open. */
  url: string;
  /** The id of the stored link. */
  secretHash: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** One-time links that sign a browser in: for the first start, for invitations and for forgotten passwords. */
export interface SignInLinks {
  /**
   * Makes a link for a user, as part of a transaction. `mailed`: the caller only mails it to the user's address.
   * `onlyHere`: it is invalid once the user's person belongs to other accounts.
   */
  issue(
    tx: Transaction,
    user: UserReference,
    options?: { lifetimeMs?: number; mailed?: boolean; onlyHere?: boolean },
  ): Promise<IssuedLink>;
  /** Makes a link for the current or future owner of an address. The caller must only mail it to that address. */
  issueTo(tx: Transaction, email: string): Promise<IssuedLink>;
  /** Returns a link without using it up. */
  peek(tx: Transaction, secret: string): Promise<SignInLink | undefined>;
  /** Like `peek`, by the hash of the secret. */
  find(tx: Transaction, secretHash: string): Promise<SignInLink | undefined>;
  /** Returns a link and uses it up. */
  consume(tx: Transaction, secret: string): Promise<SignInLink | undefined>;
  /** Deletes a link, if it was not used yet. */
  withdraw(tx: Transaction, secretHash: string): Promise<void>;
}

/** @param baseUrl the URL of the pages, without a trailing slash. */
export function createSignInLinks({
  clock,
  random,
  baseUrl,
}: {
  clock: Clock;
  random: Random;
  baseUrl: () => string;
}): SignInLinks {
  async function insert(tx: Transaction, link: SignInLink): Promise<IssuedLink> {
    const secret = newSecret("sign_in_link", random);
    const secretHash = hashSecret(secret);
    const { expiresAt } = link;
    await tx.insert(signInLinks, GLOBAL, secretHash, link, { expiresAt });
    return { url: `${baseUrl()}/sign-in?link=${secret}`, secretHash, expiresAt };
  }

  const links: SignInLinks = {
    issue: (tx, { accountId, userId }, { lifetimeMs = SIGN_IN_MS, mailed = false, onlyHere = false } = {}) =>
      insert(tx, {
        ...{ accountId, userId, expiresAt: clock.now() + lifetimeMs },
        ...(mailed && { mailed }),
        ...(onlyHere && { onlyHere }),
      }),
    issueTo: (tx, email) => insert(tx, { email, expiresAt: clock.now() + SIGN_IN_MS }),
    async peek(tx, secret) {
      if (secretKind(secret) !== "sign_in_link") return undefined;
      return links.find(tx, hashSecret(secret));
    },
    find: (tx, secretHash) => tx.get(signInLinks, GLOBAL, secretHash),
    async consume(tx, secret) {
      const link = await links.peek(tx, secret);
      if (link) await links.withdraw(tx, hashSecret(secret));
      return link;
    },
    withdraw: (tx, secretHash) => tx.delete(signInLinks, GLOBAL, secretHash),
  };
  return links;
}
