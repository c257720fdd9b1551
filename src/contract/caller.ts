/** What a credential may do; each includes the ones before it. */
export const SCOPES = ["read", "write", "admin", "operator"] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that decide what a sign-in reveals about the person (OpenID Connect Core §5.4). */
export const IDENTITY_SCOPES = ["openid", "email", "profile"] as const;
export type IdentityScope = (typeof IDENTITY_SCOPES)[number];

/** Whether one of `held` is `needed` or includes it. Nothing includes a scope that is none. */
export function allows(held: readonly Scope[], needed: Scope): boolean {
  const least = SCOPES.indexOf(needed);
  return least >= 0 && held.some((scope) => SCOPES.indexOf(scope) >= least);
}

/** Whether a credential may see and do what concerns the whole server. An operator's key that is bound to a project may not. */
export function runsServer({
  scopes,
  projectId,
}: Pick<Caller["credential"], "scopes" | "projectId">): boolean {
  return projectId === undefined && allows(scopes, "operator");
}

export type CredentialKind = "access_token" | "api_key" | "owner_key" | "session";

/** Who is asking, as an endpoint's handler sees it. */
export interface Caller {
  /** Empty, as is `userId`, where nobody is known: at a public endpoint, without a valid credential. */
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
    /** Of a key: the only tools it works for (`accounts/credentials/binding.ts`). */
    tools?: readonly string[];
    /** Of a key: the only addresses and CIDR ranges it works from. */
    addresses?: readonly string[];
    /** Of an access token: the sign-in that it descends from, shared by all tokens of that sign-in. */
    familyId?: string;
    /** Of an access token: the URI of the one resource it is for (RFC 8707); absent where it is for all of them. */
    audience?: string;
    /** Of an access token: the identity scopes granted, which decide what it reveals about the person. */
    identity?: readonly IdentityScope[];
    /** Of an access token bound to a key by DPoP (RFC 9449): the key's thumbprint. */
    dpopKey?: string;
  };
  /** The project of this request: the header's, the input's `projectId`, the bound key's, or `default`. */
  projectId: string;
  /** Whether the request or a bound key named the project. */
  projectNamed: boolean;
  address: string;
  userAgent: string;
  requestId: string;
  /** The media types that the client accepts (RFC 9110 §12.5.1); absent where it named none. */
  accept?: string;
  /** `Last-Event-ID` of a client that reconnects to an event stream; absent on the first connection. */
  lastEventId?: string;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** The role of the transaction that gives the answer, `store.transact(work, caller.answer)`. Absent if nothing keeps it. */
  answer?: { readonly role: "answer" };
  /** The role of a transaction that comes before the answer. Absent if nothing keeps what it gives. */
  step?: { readonly role: "step" };
}

/**
 * Returns the id of what lasts behind a credential: the key, the browser's session, or the sign-in that an access token
 * descends from. Tokens last an hour; these are what people know and revoke.
 */
export function lastingIdOf({ familyId, id }: Pick<Caller["credential"], "familyId" | "id">): string {
  return familyId ?? id;
}
