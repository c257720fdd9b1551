import type { IdentityScope, Scope } from "../../contract/caller.ts";
import { collection } from "../../store/store.ts";
import type { Client } from "../clients/client.ts";

/** What a client asks a person for, checked. */
export interface AuthorizationRequest {
  clientId: string;
  clientName: string;
  vouchedBy: Client["vouchedBy"];
  /** The client has to prove who it is where it redeems the code. */
  confidential: boolean;
  redirectUri: string;
  scopes: Scope[];
  identity: IdentityScope[];
  /** The one resource that it is for, by its URI (RFC 8707). */
  audience?: string;
  /** Of the code verifier, S256 (RFC 7636 §4.2). */
  challenge: string;
  state?: string;
  /** OpenID Connect Core §3.1.2.1. */
  nonce?: string;
  /** The person must have signed in since then: `max_age` or `prompt=login` (milliseconds since the epoch). */
  signedInSince?: number;
  /** The thumbprint of the key that the tokens are to be bound to (RFC 9449 §10). */
  dpopKey?: string;
}

/** One that waits for a person. Times are milliseconds since the epoch. */
export interface PendingRequest extends AuthorizationRequest {
  expiresAt: number;
}

/** What a person has allowed, until the client has fetched its tokens. */
export interface AuthorizationCode
  extends Omit<AuthorizationRequest, "clientName" | "vouchedBy" | "state" | "signedInSince"> {
  /** What a client calls itself that the operator has not registered. */
  clientName?: string;
  accountId: string;
  userId: string;
  /** Of the browser in which it was allowed. */
  address: string;
  userAgent: string;
  /** When the person signed in, in that browser. */
  signedInAt: number;
  expiresAt: number;
  /** It was redeemed: the family that began so. A second use ends that. */
  familyId?: string;
}

/** In GLOBAL, by the hash of what its `request_uri` ends in. */
export const authorizationRequests = collection<PendingRequest>("authorization_requests");
/** In GLOBAL, by the hash of the code. */
export const authorizationCodes = collection<AuthorizationCode>("authorization_codes");
