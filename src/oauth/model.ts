import type { Scope } from "../contract/caller.ts";
import { collection, GLOBAL, type Transaction } from "../store/store.ts";
import { authorizationCodes, authorizationRequests } from "./authorization/model.ts";
import { registeredClients } from "./clients/registration.ts";
import { usedOnce } from "./first-use.ts";

/** A device that asks to be signed in. Times are milliseconds since the epoch. */
export interface DeviceAuthorization {
  clientId: string;
  /** What was asked for. */
  scopes: Scope[];
  /** The one resource that it asks for, by its URI (RFC 8707). */
  audience?: string;
  /** Of the device. */
  address: string;
  userAgent: string;
  createdAt: number;
  expiresAt: number;
  /** Seconds that the device must leave between two polls. */
  interval: number;
  lastPolledAt?: number;
  decision?: DeviceDecision;
  /** Its tokens were handed out: the code is used up. */
  redeemedAt?: number;
}

export interface DeviceDecision {
  approved: boolean;
  /** Milliseconds since the epoch; absent from decisions of earlier versions. */
  at?: number;
  accountId: string;
  userId: string;
  /** What the approver passes on; empty where denied. */
  scopes: Scope[];
}

/** What a refresh token descends from; found by its hash. */
export interface RefreshToken {
  accountId: string;
  familyId: string;
  /** Tokens of one generation are as good as each other: copies for those whose answer was lost. */
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
  authorizationCodes,
  registeredClients,
  usedOnce,
] as const;

/** How long a device still hears `expired_token` instead of `invalid_grant`. */
const REMEMBERED_MS = 60 * 60_000;

export function keepAuthorization(
  tx: Transaction,
  deviceCodeHash: string,
  authorization: DeviceAuthorization,
): Promise<void> {
  const expiresAt = authorization.expiresAt + REMEMBERED_MS;
  return tx.put(deviceAuthorizations, GLOBAL, deviceCodeHash, authorization, { expiresAt });
}
