import { hashSecret } from "../../accounts/credentials/secrets.ts";
import { Conflict, GLOBAL, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Random } from "../../system/random.ts";
import { checkClientId } from "../clients/clients.ts";
import { type DeviceAuthorization, keepAuthorization, userCodes } from "../model.ts";
import { optional, type Parameters, type Requester, required } from "../parameters.ts";
import type { Resources } from "../resources.ts";
import { parseDeviceScopes } from "../scopes.ts";
import { requireStrangersRoom } from "../strangers-room.ts";
import { newUserCode } from "./user-code.ts";

const LIFETIME_MS = 900_000;
const INTERVAL_SECONDS = 5;
const DEVICE_CODE_BYTES = 32;

/** The response that starts the device flow (RFC 8628 §3.2). */
export interface DeviceCodeResponse {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  /** In seconds, like `interval`. */
  expires_in: number;
  interval: number;
}

/** Begins a request (RFC 8628 §3.1) from `client_id`, `scope` and `resource`. `OAuthError`. */
export type IssueDeviceCode = (parameters: Parameters, requester: Requester) => Promise<DeviceCodeResponse>;

export function createDeviceCodeEndpoint({
  store,
  clock,
  random,
  resources,
  verificationUrl,
}: {
  store: Store;
  clock: Clock;
  random: Random;
  resources: Pick<Resources, "target">;
  verificationUrl: () => string;
}): IssueDeviceCode {
  return async (parameters, { address, userAgent }) => {
    const clientId = checkClientId(required(parameters, "client_id"));
    const scopes = parseDeviceScopes(optional(parameters, "scope"));
    const audience = resources.target(parameters);
    requireStrangersRoom(store);
    const createdAt = clock.now();
    const deviceCode = random.bytes(DEVICE_CODE_BYTES).toString("base64url");
    const userCode = await keep(hashSecret(deviceCode), {
      clientId,
      scopes,
      ...defined({ audience }),
      address,
      userAgent: userAgent.slice(0, 256),
      createdAt,
      expiresAt: createdAt + LIFETIME_MS,
      interval: INTERVAL_SECONDS,
    });
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: `${verificationUrl()}/device`,
      verification_uri_complete: `${verificationUrl()}/device?user_code=${userCode}`,
      expires_in: LIFETIME_MS / 1000,
      interval: INTERVAL_SECONDS,
    };
  };

  /** Stores a request under both of its codes. Draws another user code if one is in use. */
  async function keep(deviceCodeHash: string, authorization: DeviceAuthorization): Promise<string> {
    const { expiresAt } = authorization;
    for (;;) {
      const userCode = newUserCode(random);
      try {
        await store.transact(async (tx) => {
          await tx.insert(userCodes, GLOBAL, hashSecret(userCode), { deviceCodeHash }, { expiresAt });
          await keepAuthorization(tx, deviceCodeHash, authorization);
        });
        return userCode;
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
      }
    }
  }
}
