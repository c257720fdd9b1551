import type { Scope } from "../contract/caller.ts";
import { collection } from "../store/store.ts";

/** Custom limits of an account, in requests; what is absent comes from its plan (wire.md §6). */
export interface CustomLimits {
  requestsPerMinute?: number;
  requestsPerHour?: number;
  requestsPerDay?: number;
  burst?: number;
  /** Per minute, by endpoint name. */
  endpoints?: Record<string, number>;
}

/** Times in these documents are milliseconds since the epoch. */
export interface Account {
  id: string;
  name: string;
  plan: string;
  limits?: CustomLimits;
  createdAt: number;
}

export interface User {
  id: string;
  accountId: string;
  email: string;
  role: "admin" | "member";
  /** The first owner: may act on all accounts of this instance. */
  operator?: boolean;
  /** scrypt, in its own encoded form; absent until a password is set. */
  passwordHash?: string;
  createdAt: number;
}

export interface Project {
  id: string;
  name: string;
  learningOptIn: boolean;
  /** Changes the gates of this project, never the account's limits. */
  plan?: string;
  createdAt: number;
}

export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the secret, to recognise it by. */
  prefix: string;
  secretHash: string;
  scopes: Scope[];
  projectId?: string;
  userId: string;
  createdAt: number;
  expiresAt?: number;
  lastUsedAt?: number;
}

/** What a secret stands for, found by the hash of the secret. */
export interface Credential {
  kind: "access_token" | "refresh_token" | "api_key" | "session";
  /** The key, token or session it belongs to; never the secret. */
  id: string;
  accountId: string;
  userId: string;
  scopes: Scope[];
  projectId?: string;
  expiresAt?: number;
  /** Tokens only: they live as long as their family does. */
  familyId?: string;
}

/** One sign-in of a device: the tokens that descend from one approval. Revoked by deletion. */
export interface TokenFamily {
  id: string;
  userId: string;
  clientId: string;
  scopes: Scope[];
  /** Of the device that asked. */
  address: string;
  userAgent: string;
  createdAt: number;
  lastUsedAt: number;
}

/** In GLOBAL. */
export const accounts = collection<Account>("accounts", { cached: true });
/** In GLOBAL, by the SHA-256 of the lower-case address. */
export const userEmails = collection<{ accountId: string; userId: string }>("user_emails");
/** In GLOBAL, by the SHA-256 of the secret. */
export const credentials = collection<Credential>("credentials", { cached: true });
/** In the account's space. */
export const users = collection<User>("users", { cached: true });
export const projects = collection<Project>("projects", { cached: true });
export const apiKeys = collection<ApiKey>("api_keys");
export const tokenFamilies = collection<TokenFamily>("token_families", { cached: true });
