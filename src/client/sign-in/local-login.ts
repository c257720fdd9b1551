import { isLocalProof, localProof } from "../../contract/local-proof.ts";
import { DEVICE_CODE_GRANT } from "../../contract/oauth-names.ts";
import type { Clock } from "../../system/clock.ts";
import type { ApiClient } from "../api-client.ts";
import { UnexpectedAnswer } from "../errors.ts";
import type { StoredCredential } from "./credential.ts";
import { readAuthorization } from "./device-login.ts";
import { credentialOf, readTokenResponse } from "./token-response.ts";

export interface LocalLoginOptions {
  api: Pick<ApiClient, "form" | "baseUrl">;
  clock: Pick<Clock, "now">;
  clientId: string;
  /** Space-separated. */
  scope: string;
  /** The secret that the server left for this user (`localSecretOf`). It is never sent. */
  secret: string;
  signal?: AbortSignal;
}

/**
 * Signs in as the owner of a server that this user runs on this machine: approves a device code by proving knowledge
 * of the server's secret, and checks the server's proof in turn. Throws `OAuthError`, with status 404 if the server
 * does not support this, and `UnexpectedAnswer` if it is not the server that left the secret. Stores nothing.
 */
export async function localLogin(options: LocalLoginOptions): Promise<StoredCredential> {
  const { api, clock, clientId, scope, secret, signal } = options;
  const call = { signal, retry: false };
  const authorization = readAuthorization(
    await api.form("/auth/device/code", { client_id: clientId, scope }, call),
  );
  const deviceCode = authorization.device_code;
  const signIn = { address: api.baseUrl, deviceCode };
  const proof = localProof(secret, "command", signIn);
  const answer = await api.form("/auth/device/local", { device_code: deviceCode, proof }, call);
  const shown = (answer as { proof?: unknown } | undefined)?.proof;
  if (typeof shown !== "string" || !isLocalProof(shown, secret, "server", signIn)) {
    throw new UnexpectedAnswer(
      200,
      `What answers at ${api.baseUrl} is not the server that you started here.`,
    );
  }
  const fields = { grant_type: DEVICE_CODE_GRANT, device_code: deviceCode, client_id: clientId };
  const body = await api.form("/auth/device/token", fields, call);
  return credentialOf(readTokenResponse(body), { clientId, scope }, clock.now());
}
