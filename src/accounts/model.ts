import { hash } from "node:crypto";
import type { Scope } from "../contract/caller.ts";
import { collection } from "../store/store.ts";
import { withAsciiDomain } from "../system/network/ascii-domain.ts";
import type { ApiKey, BrowserSession, Credential, TokenFamily } from "./credentials/model.ts";
import type { Role } from "./roles.ts";

export type { ApiKey, BrowserSession, Credential, PreviousSecret, TokenFamily } from "./credentials/model.ts";

/** Custom limits and bounds of an account. Absent members come from its plan. */
export interface CustomLimits {
  requestsPerMinute?: number;
  requestsPerHour?: number;
  requestsPerDay?: number;
  burst?: number;
  /** Uses in a calendar month, by usage type. */
  usesPerMonth?: Record<string, number>;
  /** Requests per minute, by endpoint name. */
  endpoints?: Record<string, number>;
  storageBytes?: number;
  documents?: number;
  computeSecondsPerMinute?: number;
  jobsInFlight?: number;
  streams?: number;
}

/** Times in these documents are milliseconds since the epoch. */
export interface Account {
  id: string;
  name: string;
  plan: string;
  /** The plan that follows at a time, if one was set (`next-plan.ts`). */
  nextPlan?: NextPlan;
  limits?: CustomLimits;
  createdAt: number;
  /** When the operator suspended it. */
  suspendedAt?: number;
  /** When it will be deleted, if an owner has closed it. */
  deleteAt?: number;
  /** Ended keys that may not all be deleted yet (`credentials/ending.ts`). */
  endedKeys?: EndingMark[];
}

/** A change of plan at a time to come: the end of a trial, or of a period that was paid for. */
export interface NextPlan {
  plan: string;
  at: number;
}

/**
 * Selects ended keys: those of a user whose scopes exceed `scopes` and whose id is at most `upTo`. Ids sort by
 * creation time, so newer keys are not affected.
 */
export interface EndingMark {
  userId: string;
  scopes: Scope[];
  upTo: string;
}

/** The account and the user that own this instance. */
export interface Instance {
  accountId: string;
  ownerId: string;
  /** Set once all users have a person. Stores of 0.1.0 have no people yet (`adopt-people.ts`). */
  people?: true;
}

/** A person, with a user in each of their accounts. Deleted together with the last of these users. */
export interface Person {
  id: string;
  /** The address they sign in with, if any. Unique among people. */
  email?: string;
  /** When they last proved that they receive mail at `email`. */
  emailProvenAt?: number;
  /** The name they chose. */
  name?: string;
  /** The encoded scrypt hash; absent until a password is set. */
  passwordHash?: string;
  passkeys?: Passkey[];
  identities?: Identity[];
  /** Their user in each of their accounts, most recently used account first. */
  memberships: UserReference[];
  createdAt: number;
}

/** A WebAuthn credential (Web Authentication Level 3 §4). */
export interface Passkey {
  /** base64url, as authenticators send it. */
  id: string;
  name: string;
  /** A COSE key, base64url. */
  publicKey: string;
  /** The signature counter; 0 if the authenticator does not count. */
  counter: number;
  transports?: string[];
  createdAt: number;
  lastUsedAt?: number;
}

/** A person's identity at an external provider. */
export interface Identity {
  /** The name that the operator configured the provider under. */
  provider: string;
  issuer: string;
  subject: string;
  /** The provider's name for them at their last sign-in. */
  label?: string;
  createdAt: number;
}

/** A person's membership of one account. */
export interface User {
  id: string;
  accountId: string;
  /** Absent until an invitation is accepted. */
  personId?: string;
  /**
   * The address they were invited at or sign in with. For a person without an address, the name they chose, which
   * contains no "@" and so cannot be taken for an address.
   */
  email: string;
  role: Role;
  /** Set for the instance's first owner, who may act on all accounts. */
  operator?: boolean;
  /** When they were suspended; they cannot sign in since then. */
  suspendedAt?: number;
  /** When all their credentials were last ended. Approvals from before yield no tokens (`tokens/token-pair.ts`). */
  allEndedAt?: number;
  /** Present until the invitation is accepted. */
  invitation?: Invitation;
  createdAt: number;
}

export interface Invitation {
  /** The id of the inviting user, if a user of this account invited them. */
  by?: string;
  /** The hash of the invitation link's secret. */
  secretHash: string;
  expiresAt: number;
}

/** The account and id of a user, which together locate its document. */
export interface UserReference {
  accountId: string;
  userId: string;
}

/** The person that an e-mail address, a passkey or an identity belongs to. */
export interface PersonReference {
  personId: string;
}

export interface Project {
  id: string;
  name: string;
  learningOptIn: boolean;
  /** Determines the gates of this project; the limits stay the account's. */
  plan?: string;
  /** When it was archived. Writes to an archived project are refused, and lists leave it out. */
  archivedAt?: number;
  /** Set while it is being deleted, which cannot be undone. */
  deleting?: true;
  createdAt: number;
}

/** In GLOBAL: a single document, `INSTANCE`. */
export const instances = collection<Instance>("instances", { cached: true });
export const INSTANCE = "instance";
/** In GLOBAL. */
export const accounts = collection<Account>("accounts", { cached: true });
/** In GLOBAL. */
export const people = collection<Person>("people");
/** In GLOBAL, by `emailKey`. */
export const personEmails = collection<PersonReference>("user_emails");
/** In GLOBAL, by the passkey's id. */
export const passkeyOwners = collection<PersonReference>("passkey_owners");
/** In GLOBAL, by `identityKey`. */
export const identityOwners = collection<PersonReference>("identity_owners");
/** In GLOBAL, by the hash of the secret. */
export const credentials = collection<Credential>("credentials", { cached: true });
/** In GLOBAL, by the account's id: when one of its credentials was last used, to a minute. */
export const accountUses = collection<{ lastUsedAt: number }>("account_uses");
/** In GLOBAL, by collection name and account id: the number of sign-ins, cached for a minute (`account-limits.ts`). */
export const signInCounts = collection<{ count: number; until: number }>("sign_in_counts");
/** In GLOBAL, by the account's id: the closed accounts. */
export const closedAccounts = collection<{ deleteAt: number }>("closed_accounts");
/** In GLOBAL, by who exports what: an export that the audit log has lately noted (`export/exports.ts`). */
export const notedExports = collection<true>("noted_exports");
/** In the account's space, by `emailKey`: its users, including invited ones. */
export const userEmails = collection<{ userId: string }>("account_user_emails");
/** In the account's space, as are the collections below. */
export const users = collection<User>("users", { cached: true, userOf: ({ id }) => id });
export const projects = collection<Project>("projects", { cached: true });
export const apiKeys = collection<ApiKey>("api_keys", { userOf: ({ userId }) => userId });
export const tokenFamilies = collection<TokenFamily>("token_families", {
  cached: true,
  userOf: ({ userId }) => userId,
});
export const browserSessions = collection<BrowserSession>("browser_sessions", {
  userOf: ({ userId }) => userId,
});

/** Returns the id under which an e-mail address is indexed. Case is ignored, and whether its domain is in ASCII. */
export function emailKey(email: string): string {
  return hash("sha256", withAsciiDomain(email.trim().toLowerCase()), "base64url");
}

/**
 * Returns the id under which an identity is indexed. It includes the issuer, because a subject is unique only
 * within its issuer (OpenID Connect Core §2).
 */
export function identityKey({ issuer, subject }: Pick<Identity, "issuer" | "subject">): string {
  return hash("sha256", JSON.stringify([issuer, subject]), "base64url");
}
