import { registeredClients } from "../accounts/devices/registered-clients.ts";
import type { Scope } from "../contract/caller.ts";
import { collection, GLOBAL, type Transaction } from "../store/store.ts";
import { HOUR_MS } from "../system/durations.ts";
import { authorizationCodes, authorizationRequests, decidedRequests } from "./authorization/model.ts";
import { usedOnce } from "./first-use.ts";

/** A device's request to be signed in. Times are milliseconds since the epoch. */
export interface DeviceAuthorization {
  clientId: string;
  /** The requested scopes. */
  scopes: Scope[];
  /** The only resource that it requests tokens for, by its URI (RFC 8707). */
  audience?: string;
  /** The device's IP address. */
  address: string;
  userAgent: string;
  createdAt: number;
  expiresAt: number;
  /** Seconds that the device must leave between two polls. */
  interval: number;
  lastPolledAt?: number;
  decision?: DeviceDecision;
  /** When its tokens were issued, which used up the code. */
  redeemedAt?: number;
}

export interface DeviceDecision {
  approved: boolean;
  /** Milliseconds since the epoch; absent from decisions of earlier versions. */
  at?: number;
  accountId: string;
  userId: string;
  /** The scopes that the approver granted; empty if denied. */
  scopes: Scope[];
}

/** A refresh token, found by its hash. */
export interface RefreshToken {
  accountId: string;
  familyId: string;
  /** Several tokens may share a generation and are equivalent: copies for clients that lost a response. */
  generation: number;
  issuedAt: number;
  expiresAt: number;
}

/** In GLOBAL, by the hash of the device code. */
export const deviceAuthorizations = collection<DeviceAuthorization>("device_authorizations");
/** In GLOBAL, by the hash of the user code: the hash of the device code. */
export const userCodes = collection<{ deviceCodeHash: string }>("user_codes");
/** In GLOBAL, by the hash of the token. */
export const refreshTokens = collection<RefreshToken>("refresh_tokens");

export const oauthCollections = [
  deviceAuthorizations,
  userCodes,
  refreshTokens,
  authorizationRequests,
  decidedRequests,
  authorizationCodes,
  registeredClients,
  usedOnce,
] as const;

/** How long an expired device code is still answered with `expired_token` instead of `invalid_grant`. */
const REMEMBERED_MS = HOUR_MS;

export function keepAuthorization(
  tx: Transaction,
  deviceCodeHash: string,
  authorization: DeviceAuthorization,
): Promise<void> {
  const expiresAt = authorization.expiresAt + REMEMBERED_MS;
  return tx.put(deviceAuthorizations, GLOBAL, deviceCodeHash, authorization, { expiresAt });
}
