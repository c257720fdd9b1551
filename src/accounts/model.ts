import { hash } from "node:crypto";
import type { Scope } from "../contract/caller.ts";
import { collection } from "../store/store.ts";
import { endedKeysCollections } from "./credentials/ended-keys.ts";
import type { ApiKey, BrowserSession, Credential, TokenFamily } from "./credentials/model.ts";
import type { Role } from "./roles.ts";
import { signInCollections } from "./sign-in/model.ts";

export type { ApiKey, BrowserSession, Credential, PreviousSecret, TokenFamily } from "./credentials/model.ts";

/** Custom limits and bounds of an account; what is absent comes from its plan. */
export interface CustomLimits {
  /** In requests. */
  requestsPerMinute?: number;
  requestsPerHour?: number;
  requestsPerDay?: number;
  burst?: number;
  /** Per minute, by endpoint name. */
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
  limits?: CustomLimits;
  createdAt: number;
  /** Since when the operator has it answered no more. */
  suspendedAt?: number;
  /** Closed by an owner: then it is deleted. */
  deleteAt?: number;
  /** Keys that are over and not all deleted yet (`credentials/ending.ts`). */
  endedKeys?: EndedKeys[];
}

/** The keys of a user that may do more than these scopes do, up to one id: ids follow the time of making. */
export interface EndedKeys {
  userId: string;
  scopes: Scope[];
  upTo: string;
}

/** Whose this instance is. */
export interface Instance {
  accountId: string;
  ownerId: string;
  /** All users have a person: stores of before 0.3 had none (`adopt-people.ts`). */
  people?: true;
}

/** Somebody, in however many accounts. Lives as long as they belong to one. */
export interface Person {
  id: string;
  /** What they sign in with, where they have one: no two have the same. */
  email?: string;
  /** When they last proved that mail to it reaches them. */
  emailProvenAt?: number;
  /** As they call themselves. */
  name?: string;
  /** scrypt, in its own encoded form; absent until a password is set. */
  passwordHash?: string;
  passkeys?: Passkey[];
  identities?: Identity[];
  /** Their user in each of their accounts; where they were last comes first. */
  memberships: UserReference[];
  createdAt: number;
}

/** A WebAuthn credential (Web Authentication Level 3 §4). */
export interface Passkey {
  /** base64url, as authenticators send it. */
  id: string;
  name: string;
  /** COSE, base64url. */
  publicKey: string;
  /** Of signatures, where the authenticator counts. */
  counter: number;
  transports?: string[];
  createdAt: number;
  lastUsedAt?: number;
}

/** Who somebody is at another provider. */
export interface Identity {
  /** As the operator named it. */
  provider: string;
  issuer: string;
  subject: string;
  /** What it called them at their last sign-in. */
  label?: string;
  createdAt: number;
}

/** Somebody in one account. */
export interface User {
  id: string;
  accountId: string;
  /** Absent while they are invited and have not come yet. */
  personId?: string;
  /**
   * What they were invited by, or sign in with; of who has no address the name that they gave, which has no "@" in it
   * and so never passes for one.
   */
  email: string;
  role: Role;
  /** The first owner: may act on all accounts of this instance. */
  operator?: boolean;
  /** Since when they may not come in. */
  suspendedAt?: number;
  /** When last all that acted for them ended: nothing comes of what was approved before (`tokens/token-pair.ts`). */
  allEndedAt?: number;
  /** Until they come. */
  invitation?: Invitation;
  createdAt: number;
}

export interface Invitation {
  /** Whose user invites, where one of the account does. */
  by?: string;
  /** Of the link that lets them in. */
  secretHash: string;
  expiresAt: number;
}

/** A user, wherever they are kept. */
export interface UserReference {
  accountId: string;
  userId: string;
}

/** Whose an e-mail address, a passkey or an identity is. */
export interface PersonReference {
  personId: string;
}

export interface Project {
  id: string;
  name: string;
  learningOptIn: boolean;
  /** Changes the gates of this project, never the account's limits. */
  plan?: string;
  /** Since when nothing is written to it, and lists leave it out. */
  archivedAt?: number;
  /** Being deleted: nothing brings it back. */
  deleting?: true;
  createdAt: number;
}

/** In GLOBAL: one document, `INSTANCE`. */
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
/** In GLOBAL, by the account's id: when something of it was last used, to a minute. */
export const accountUses = collection<{ lastUsedAt: number }>("account_uses");
/** In GLOBAL, by what is counted and the account's id: how many there are, for a minute (`most.ts`). */
export const signInCounts = collection<{ count: number; until: number }>("sign_in_counts");
/** In GLOBAL, by the account's id: those that are closed. */
export const closedAccounts = collection<{ deleteAt: number }>("closed_accounts");
/** In the account's space, by `emailKey`: whom it has or has invited. */
export const userEmails = collection<{ userId: string }>("account_user_emails");
/** In the account's space. */
export const users = collection<User>("users", { cached: true });
export const projects = collection<Project>("projects", { cached: true });
export const apiKeys = collection<ApiKey>("api_keys");
export const tokenFamilies = collection<TokenFamily>("token_families", { cached: true });
export const browserSessions = collection<BrowserSession>("browser_sessions");

export const accountsCollections = [
  instances,
  accounts,
  accountUses,
  signInCounts,
  closedAccounts,
  people,
  personEmails,
  passkeyOwners,
  identityOwners,
  credentials,
  ...signInCollections,
  userEmails,
  users,
  projects,
  apiKeys,
  tokenFamilies,
  browserSessions,
  ...endedKeysCollections,
] as const;

/** Under what a person is found: addresses differ in case only for people. */
export function emailKey(email: string): string {
  return hash("sha256", email.trim().toLowerCase(), "base64url");
}

/** Under what a person is found by who they are elsewhere: a subject is unique at its issuer alone (OpenID Connect Core §2). */
export function identityKey({ issuer, subject }: Pick<Identity, "issuer" | "subject">): string {
  return hash("sha256", JSON.stringify([issuer, subject]), "base64url");
}
