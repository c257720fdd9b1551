import { collection } from "../../store/store.ts";
import type { UserReference } from "../model.ts";

/** Lets in one user, or whoever an address is of: such a link went there and nowhere else. */
export type SignInLink = { expiresAt: number } & (UserLink | { email: string });

export interface UserLink extends UserReference {
  /** Went to their address, so that whoever opens it has proven that it is theirs. */
  mailed?: true;
  /** Somebody of the account made it for another: dead once that one belongs to other accounts, which it would open, too. */
  onlyHere?: true;
}

/** A browser that went to a provider to sign in there. */
export interface ProviderAttempt {
  provider: string;
  /** The hash of what its cookie held. */
  browser: string;
  /** A local path. */
  next: string;
  /** Of the invitation in hand. */
  linkHash?: string;
  /** The person whom the identity is to be connected with. */
  connects?: string;
}

/** What an authenticator is asked to sign (Web Authentication Level 3 §13.4.3). */
export interface PasskeyChallenge {
  /** The hash of what the browser's cookie held. */
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

/** What lives for minutes or days, until somebody is signed in by it. */
export const signInCollections = [signInLinks, providerAttempts, passkeyChallenges] as const;
