import { collection } from "../../store/store.ts";
import type { UserReference } from "../model.ts";

/** A one-time link, for a user or for the owner of an address. A link for an address is only ever mailed to it. */
export type SignInLink = { expiresAt: number } & (UserLink | { email: string });

export interface UserLink extends UserReference {
  /** Set if it was only mailed to the user's address, so that opening it proves the address. */
  mailed?: true;
  /** Set if an admin made it for the user. Invalid once the user's person has other accounts, which it would open. */
  onlyHere?: true;
}

/** A sign-in at a provider that a browser has begun. */
export interface ProviderAttempt {
  provider: string;
  /** The hash of the browser's cookie. */
  browser: string;
  /** The local path to continue at. */
  next: string;
  /** The hash of the secret of the invitation that is being accepted, if any. */
  linkHash?: string;
  /** The person to connect the identity with, instead of signing in. */
  connects?: string;
}

/** A challenge for an authenticator to sign (Web Authentication Level 3 §13.4.3). */
export interface PasskeyChallenge {
  /** The hash of the browser's cookie. */
  browser: string;
  purpose:
    | { kind: "sign-in" }
    | { kind: "add"; personId: string }
    | { kind: "sign-up"; personId: string; name: string };
}

/** In GLOBAL, by the hash of the secret. */
export const signInLinks = collection<SignInLink>("sign_in_links");
/** In GLOBAL, by the hash of the state. */
export const providerAttempts = collection<ProviderAttempt>("provider_attempts");
/** In GLOBAL, by the hash of the challenge. */
export const passkeyChallenges = collection<PasskeyChallenge>("passkey_challenges");

/** The collections of short-lived documents that are used up by a sign-in. */
export const signInCollections = [signInLinks, providerAttempts, passkeyChallenges] as const;
