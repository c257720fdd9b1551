import type { IdentityScope, Scope } from "../../contract/caller.ts";

export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the secret, to recognise it by. */
  prefix: string;
  secretHash: string;
  scopes: Scope[];
  /** Together with `tools` and `addresses`, its restrictions (`binding.ts`). */
  projectId?: string;
  tools?: string[];
  addresses?: string[];
  /** The user who made it and whom it acts for. */
  userId: string;
  createdAt: number;
  expiresAt?: number;
  /** Accurate to a minute. */
  lastUsedAt?: number;
  lastUsedAddress?: string;
  /** When it was suspended. A suspended key has no credentials. */
  suspendedAt?: number;
  /** When its current secret was issued, if that is not its first. */
  rotatedAt?: number;
  /** The secret before the current one, until it ends. */
  previous?: PreviousSecret;
}

export interface PreviousSecret {
  prefix: string;
  secretHash: string;
  issuedAt: number;
  endsAt: number;
}

/** The authorization that a secret grants, found by the hash of the secret. */
export interface Credential {
  kind: "access_token" | "api_key" | "session";
  /** The id of the key, token or session it belongs to; never the secret. */
  id: string;
  accountId: string;
  userId: string;
  scopes: Scope[];
  /** Together with `tools` and `addresses`, the restrictions of a key. */
  projectId?: string;
  tools?: string[];
  addresses?: string[];
  issuedAt: number;
  expiresAt?: number;
  /** Access tokens only: the family, with which the token ends. */
  familyId?: string;
  /** The only resource that it is valid for, by its URI (RFC 8707). If absent, it is valid for the whole server. */
  audience?: string;
  /** Access tokens only: the identity scopes, which select what the token reveals about the person. */
  identity?: IdentityScope[];
  /** The thumbprint of the DPoP key that the token is bound to (RFC 9449). */
  dpopKey?: string;
}

/** One sign-in of a device: the tokens that descend from one approval. Revoked by deletion. */
export interface TokenFamily {
  id: string;
  userId: string;
  clientId: string;
  /** The self-chosen name of a client that the operator has not registered, since its id says little to people. */
  clientName?: string;
  scopes: Scope[];
  /** The only resource that its tokens are valid for, by its URI (RFC 8707). If absent, the whole server. */
  audience?: string;
  /** The identity scopes, which select what its tokens reveal about the person. */
  identity?: IdentityScope[];
  /** The thumbprint of the DPoP key that its tokens are bound to (RFC 9449). */
  dpopKey?: string;
  /** Set if its client must authenticate to use a refresh token. */
  confidential?: boolean;
  /** The address of the device that requested the sign-in. */
  address: string;
  userAgent: string;
  createdAt: number;
  lastUsedAt: number;
  /** When its newest refresh token expires. */
  expiresAt: number;
  /** The generation of its newest refresh tokens, incremented each time one of these is used. */
  generation: number;
  /** When refresh tokens of recent generations were first used. Holds only what the grace period still needs. */
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
  /** The user that an operator impersonates, and until when (`sign-in/sessions/impersonation.ts`). */
  impersonates?: { accountId: string; userId: string; endsAt: number };
}
