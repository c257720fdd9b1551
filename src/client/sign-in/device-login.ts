import { DEVICE_CODE_GRANT } from "../../contract/oauth-names.ts";
import { OAuthError } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { retryAfterOf } from "../answer.ts";
import { isAnswered } from "../answered-error.ts";
import type { ApiClient } from "../api-client.ts";
import { UnexpectedAnswer, Unreachable } from "../errors.ts";
import type { StoredCredential } from "./credential.ts";
import { credentialOf, readTokenResponse } from "./token-response.ts";

/** What a person needs to approve. Safe to print, because the device code is not part of it. */
export interface DevicePrompt {
  userCode: string;
  verificationUri: string;
  /** With the user code filled in. */
  verificationUriComplete?: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

export type DeviceLoginState =
  /**
   * Before any prompt: the server cannot answer, for the reason in `message`, or limits how many may ask. The next
   * attempt is at `until`.
   */
  | { kind: "held"; until: number; message?: string | undefined }
  | { kind: "prompt"; prompt: DevicePrompt; intervalSeconds: number }
  /** Not approved yet; the next poll comes after `intervalSeconds`. */
  | { kind: "waiting"; intervalSeconds: number }
  /** The server asked for fewer polls. */
  | { kind: "slowed"; intervalSeconds: number }
  /** The last poll got no answer. Polling continues until the code expires. */
  | { kind: "trouble"; intervalSeconds: number; message: string }
  | { kind: "approved"; credential: StoredCredential };

export interface DeviceLoginOptions {
  api: Pick<ApiClient, "form" | "baseUrl">;
  clock: Clock;
  clientId: string;
  /** Space-separated; the server's default if absent. */
  scope?: string;
  signal?: AbortSignal;
  /** How long to wait in total until a code can be requested; 0 by default. */
  maxHeldSeconds?: number;
}

/** RFC 8628 §3.2. */
interface DeviceAuthorizationResponse {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete?: string;
  expires_in: number;
  interval?: number;
}

/** RFC 8628 §3.5: how much each `slow_down` adds to the interval, and the default interval. */
const STEP_SECONDS = 5;
const MAX_TROUBLE_SECONDS = 30;
const POLL_TIMEOUT_MS = 10_000;

/**
 * Runs one sign-in by device code (RFC 8628): yields `prompt` first, unless it is `held`, then a state after each
 * poll, and `approved` last. Throws `OAuthError` (`access_denied`, `expired_token`, …) or the signal's reason. Stores
 * nothing.
 */
export async function* deviceLogin({
  api,
  clock,
  clientId,
  scope,
  signal,
  maxHeldSeconds,
}: DeviceLoginOptions): AsyncGenerator<DeviceLoginState, void, void> {
  const authorization = yield* authorize({ api, clock, clientId, scope, signal, maxHeldSeconds });
  // Monotonic, so that changes of the wall clock do not move the deadline.
  const deadline = clock.monotonic() + authorization.expires_in * 1000;
  let intervalSeconds = authorization.interval ?? STEP_SECONDS;
  let failures = 0;
  yield {
    kind: "prompt",
    intervalSeconds,
    prompt: {
      userCode: authorization.user_code,
      verificationUri: authorization.verification_uri,
      verificationUriComplete: authorization.verification_uri_complete,
      expiresAt: clock.now() + authorization.expires_in * 1000,
    },
  };
  for (let pause = intervalSeconds; ; ) {
    const left = deadline - clock.monotonic();
    if (left <= 0) throw expired();
    await clock.sleep(Math.min(pause * 1000, left), signal);
    try {
      const fields = {
        grant_type: DEVICE_CODE_GRANT,
        device_code: authorization.device_code,
        client_id: clientId,
      };
      const body = await api.form("/auth/device/token", fields, {
        signal,
        retry: false,
        timeoutMs: POLL_TIMEOUT_MS,
      });
      const credential = credentialOf(readTokenResponse(body), { clientId, scope }, clock.now());
      yield { kind: "approved", credential };
      return;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (isTrouble(error)) {
        failures += 1;
        pause = Math.min(intervalSeconds * 2 ** failures, Math.max(intervalSeconds, MAX_TROUBLE_SECONDS));
        yield { kind: "trouble", intervalSeconds: pause, message: error.message };
        continue;
      }
      failures = 0;
      if (!(error instanceof OAuthError)) throw error;
      if (error.error === "slow_down") {
        intervalSeconds = Math.max(intervalSeconds + STEP_SECONDS, retryAfterOf(error, clock.now()) ?? 0);
        yield { kind: "slowed", intervalSeconds };
      } else if (error.error === "authorization_pending") {
        yield { kind: "waiting", intervalSeconds };
      } else throw error;
      pause = intervalSeconds;
    }
  }
}

/** Requests the code, and waits as long as the server asks if it is limited or busy. */
async function* authorize({
  api,
  clock,
  clientId,
  scope,
  signal,
  maxHeldSeconds = 0,
}: DeviceLoginOptions): AsyncGenerator<DeviceLoginState, DeviceAuthorizationResponse, void> {
  const call = { signal, replayable: true, ...(maxHeldSeconds > 0 && { retry: false }) };
  for (let held = 0; ; ) {
    try {
      return readAuthorization(await api.form("/auth/device/code", { client_id: clientId, scope }, call));
    } catch (error) {
      const seconds = Math.max(1, retryAfterOf(error, clock.now()) ?? STEP_SECONDS);
      held += seconds;
      if (!isHeld(error) || held > maxHeldSeconds) throw error;
      yield {
        kind: "held",
        until: clock.now() + seconds * 1000,
        message: isLimited(error) ? undefined : error.message,
      };
      await clock.sleep(seconds * 1000, signal);
    }
  }
}

/** Whether to retry later: the server's limits or load, or a gateway's error. */
function isHeld(error: unknown): error is Error {
  if (error instanceof Unreachable) return error.status !== undefined;
  return isAnswered(error) && [429, 503].includes(error.status);
}

function isLimited(error: Error): boolean {
  return isAnswered(error) && error.status === 429;
}

/** Whether an error may be temporary: a network fault or a server fault. */
function isTrouble(error: unknown): error is Error {
  if (error instanceof Unreachable || error instanceof UnexpectedAnswer) return true;
  return isAnswered(error) && error.status >= 500;
}

function expired(): OAuthError {
  return new OAuthError("expired_token", "The code expired before it was approved.");
}

export function readAuthorization(body: unknown): DeviceAuthorizationResponse {
  const response = body as Partial<DeviceAuthorizationResponse> | undefined;
  if (!response?.device_code || !response.user_code || !response.verification_uri || !response.expires_in) {
    throw new UnexpectedAnswer(200, "The device authorization endpoint answered without a code.");
  }
  const links = [response.verification_uri, response.verification_uri_complete ?? response.verification_uri];
  if (!links.every(isWebAddress)) {
    throw new UnexpectedAnswer(
      200,
      "The device authorization endpoint named an address that is no web page.",
    );
  }
  return response as DeviceAuthorizationResponse;
}

/**
 * Whether a link is http(s). It is opened in a browser and shown as a QR code, so it must not be a file or app link.
 */
function isWebAddress(link: unknown): boolean {
  return typeof link === "string" && URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
}
