import type { IdentityScope, Scope } from "../../contract/caller.ts";

export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the secret, to recognise it by. */
  prefix: string;
  secretHash: string;
  scopes: Scope[];
  /** What it is bound to (`binding.ts`). */
  projectId?: string;
  tools?: string[];
  addresses?: string[];
  /** Who made it, and whom it acts for. */
  userId: string;
  createdAt: number;
  expiresAt?: number;
  /** To a minute. */
  lastUsedAt?: number;
  lastUsedAddress?: string;
  /** Since when it is refused, until it is resumed: then it has no credentials. */
  suspendedAt?: number;
  /** Its secret is of then. */
  rotatedAt?: number;
  /** The secret before, until it ends. */
  previous?: PreviousSecret;
}

export interface PreviousSecret {
  prefix: string;
  secretHash: string;
  issuedAt: number;
  endsAt: number;
}

/** What a secret stands for, found by the hash of the secret. */
export interface Credential {
  kind: "access_token" | "api_key" | "session";
  /** The key, token or session it belongs to; never the secret. */
  id: string;
  accountId: string;
  userId: string;
  scopes: Scope[];
  /** What a key is bound to. */
  projectId?: string;
  tools?: string[];
  addresses?: string[];
  issuedAt: number;
  expiresAt?: number;
  /** Access tokens only: they live as long as their family does. */
  familyId?: string;
  /** The one resource that it is for, by its URI (RFC 8707); for all of this server where absent. */
  audience?: string;
  /** Access tokens only: what it tells of the person. */
  identity?: IdentityScope[];
  /** The thumbprint of the key that it works with alone (RFC 9449). */
  dpopKey?: string;
}

/** One sign-in of a device: the tokens that descend from one approval. Revoked by deletion. */
export interface TokenFamily {
  id: string;
  userId: string;
  clientId: string;
  /** What a client calls itself that the operator has not registered: its id says little to people. */
  clientName?: string;
  scopes: Scope[];
  /** The one resource that its tokens are for, by its URI (RFC 8707); for all of this server where absent. */
  audience?: string;
  /** What its tokens tell of the person. */
  identity?: IdentityScope[];
  /** The thumbprint of the key that its tokens work with alone (RFC 9449). */
  dpopKey?: string;
  /** Its client proves who it is wherever it uses a refresh token. */
  confidential?: boolean;
  /** Of the device that asked. */
  address: string;
  userAgent: string;
  createdAt: number;
  lastUsedAt: number;
  /** When its newest refresh token expires. */
  expiresAt: number;
  /** Of its newest refresh tokens; grows each time one of these is used. */
  generation: number;
  /** When a refresh token of a generation was first used; only what the grace period still needs. */
  firstUses: { generation: number; at: number }[];
}

/** One sign-in of a browser. */
export interface BrowserSession {
  id: string;
  userId: string;
  secretHash: string;
  startedBy: "password" | "link" | "passkey" | "provider";
  address: string;
  userAgent: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  /** Whom its operator looks as, and until when (`sign-in/impersonation.ts`). */
  impersonates?: { accountId: string; userId: string; endsAt: number };
}
