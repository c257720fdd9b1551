/** What a credential may do; each includes the ones before it. */
export const SCOPES = ["read", "write", "admin", "operator"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a sign-in tells a client of the person (OpenID Connect Core §5.4). */
export const IDENTITY_SCOPES = ["openid", "email", "profile"] as const;
export type IdentityScope = (typeof IDENTITY_SCOPES)[number];

/** True where one of `held` is `needed` or includes it. */
export function allows(held: readonly Scope[], needed: Scope): boolean {
  return held.some((scope) => SCOPES.indexOf(scope) >= SCOPES.indexOf(needed));
}

export type CredentialKind = "access_token" | "api_key" | "owner_key" | "session";

/** Who is asking, as an endpoint's handler sees it. */
export interface Caller {
  accountId: string;
  userId: string;
  credential: {
    kind: CredentialKind;
    id: string;
    scopes: readonly Scope[];
    /** Milliseconds since the epoch. */
    expiresAt?: number;
    /** The one project that a bound key may name. */
    projectId?: string;
    /** Of a key: the only tools that it works for (`accounts/credentials/binding.ts`). */
    tools?: readonly string[];
    /** Of a key: the only addresses and CIDR ranges that it works from. */
    addresses?: readonly string[];
    /** Of an access token: the sign-in that it descends from, with all others that do. */
    familyId?: string;
    /** Of an access token: the one resource that it is for, by its URI (RFC 8707); for all of them where absent. */
    audience?: string;
    /** Of an access token: what it tells of the person. */
    identity?: readonly IdentityScope[];
    /** Of an access token that works with proofs of a key alone (RFC 9449): the key's thumbprint. */
    dpopKey?: string;
  };
  /** The project of this request: the header's, the bound key's, or `default`. */
  projectId: string;
  /** False where no header named the project. */
  projectNamed: boolean;
  address: string;
  userAgent: string;
  requestId: string;
  /** The media types that the client takes (RFC 9110 §12.5.1); absent where it named none. */
  accept?: string;
  /** The id of the last event that reached a client which comes again for the rest; absent the first time. */
  lastEventId?: string;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}
