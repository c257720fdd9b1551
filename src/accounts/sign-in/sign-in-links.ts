import { GLOBAL, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { hashSecret, newSecret, secretKind } from "../credentials/secrets.ts";
import { type SignInLink, signInLinks, type UserReference } from "../model.ts";

const LIFETIME_MS = 15 * 60_000;

/** One-time links that sign a user's browser in: for the first start, and for who is invited. */
export interface SignInLinks {
  /** The address of a new link, as part of a transaction. */
  issue(tx: Transaction, user: UserReference): Promise<string>;
  /** Where a link leads, without using it up. */
  peek(tx: Transaction, secret: string): Promise<SignInLink | undefined>;
  /** Where a link leads, for the one transaction that uses it up. */
  consume(tx: Transaction, secret: string): Promise<SignInLink | undefined>;
}

/** @param baseUrl of the pages, without a trailing slash. */
export function createSignInLinks({
  clock,
  random,
  baseUrl,
}: {
  clock: Clock;
  random: Random;
  baseUrl: () => string;
}): SignInLinks {
  const links: SignInLinks = {
    async issue(tx, { accountId, userId }) {
      const secret = newSecret("sign_in_link", random);
      const expiresAt = clock.now() + LIFETIME_MS;
      const link = { accountId, userId, expiresAt };
      await tx.insert(signInLinks, GLOBAL, hashSecret(secret), link, { expiresAt });
      return `${baseUrl()}/sign-in?link=${secret}`;
    },
    async peek(tx, secret) {
      if (secretKind(secret) !== "sign_in_link") return undefined;
      return tx.get(signInLinks, GLOBAL, hashSecret(secret));
    },
    async consume(tx, secret) {
      const link = await links.peek(tx, secret);
      if (link) await tx.delete(signInLinks, GLOBAL, hashSecret(secret));
      return link;
    },
  };
  return links;
}
