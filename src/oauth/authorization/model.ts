import type { IdentityScope, Scope } from "../../contract/caller.ts";
import type { IdTokenAlgorithm } from "../../contract/oauth-names.ts";
import { collection } from "../../store/store.ts";
import type { Client } from "../clients/client.ts";

/** A validated authorization request. */
export interface AuthorizationRequest {
  clientId: string;
  clientName: string;
  vouchedBy: Client["vouchedBy"];
  /** Whether the client must authenticate to redeem the code. */
  confidential: boolean;
  redirectUri: string;
  scopes: Scope[];
  identity: IdentityScope[];
  /** The only resource that it is for, by its URI (RFC 8707). */
  audience?: string;
  /** The S256 challenge of the code verifier (RFC 7636 §4.2). */
  challenge: string;
  state?: string;
  /** Copied into the ID token (OpenID Connect Core §3.1.2.1). */
  nonce?: string;
  /** How to sign the ID token. Absent in requests that a version before has stored. */
  idTokenAlgorithm?: IdTokenAlgorithm;
  /** The earliest acceptable sign-in (milliseconds since the epoch), from `max_age` or `prompt=login`. */
  signedInSince?: number;
  /** The thumbprint of the key to bind the tokens to (RFC 9449 §10). */
  dpopKey?: string;
}

/** A request that waits for a person's decision. Times are milliseconds since the epoch. */
export interface PendingRequest extends AuthorizationRequest {
  expiresAt: number;
}

/** A decided request. Kept for as long as its code is good, since a double click sends the decision twice. */
export interface DecidedRequest extends Pick<AuthorizationRequest, "clientId" | "redirectUri" | "state"> {
  decision: "approve" | "deny";
  accountId: string;
  userId: string;
  /** Makes the code, together with the random part of the `request_uri`, which is not stored. */
  salt: string;
  expiresAt: number;
}

/** An authorization code. Kept after its use, to detect a second one. */
export interface AuthorizationCode
  extends Omit<AuthorizationRequest, "clientName" | "vouchedBy" | "state" | "signedInSince"> {
  /** The self-chosen name of a client that the operator has not registered. */
  clientName?: string;
  accountId: string;
  userId: string;
  /** The address of the browser in which it was approved. */
  address: string;
  userAgent: string;
  /** When the person signed in in that browser. */
  signedInAt: number;
  expiresAt: number;
  /** The family that the code was redeemed for. A second use of the code ends it. */
  familyId?: string;
}

/** In GLOBAL, by the hash of the random part of the `request_uri`. */
export const authorizationRequests = collection<PendingRequest>("authorization_requests");
/** In GLOBAL, by the hash of the random part of the `request_uri`. */
export const decidedRequests = collection<DecidedRequest>("decided_authorization_requests");
/** In GLOBAL, by the hash of the code. */
export const authorizationCodes = collection<AuthorizationCode>("authorization_codes");
