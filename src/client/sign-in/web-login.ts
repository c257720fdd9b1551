import { createHash } from "node:crypto";
import { OAuthError, type OAuthErrorCode } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { inTime } from "../../system/in-time.ts";
import type { Random } from "../../system/random.ts";
import type { ApiClient } from "../api-client.ts";
import { UnexpectedAnswer } from "../errors.ts";
import type { StoredCredential } from "./credential.ts";
import { credentialOf, readTokenResponse } from "./token-response.ts";
import { CALLBACK, listenForAnswer } from "./web-callback.ts";

export interface WebLoginOptions {
  api: Pick<ApiClient, "form" | "request" | "baseUrl">;
  clock: Clock;
  random: Pick<Random, "bytes">;
  clientId: string;
  /** Space-separated. */
  scope: string;
  /**
   * Called with the URL to open in a browser on this computer. It starts with the base URL and contains nothing that
   * the server sent.
   */
  onUrl: (url: string) => void;
  signal?: AbortSignal;
}

/** As long as the server keeps the request. */
const PATIENCE_MS = 10 * MINUTE_MS;

/**
 * Signs in by a redirect to this computer (RFC 8252): authorization code with PKCE, on a loopback port that stays
 * open only during the sign-in. Throws `OAuthError` (`access_denied`, `expired_token`, …), `UnexpectedAnswer` or the
 * signal's reason. Stores nothing.
 */
export async function webLogin(options: WebLoginOptions): Promise<StoredCredential> {
  const { api, clock, random, clientId, scope, onUrl, signal } = options;
  const issuer = await issuerOf(api);
  const [verifier, state] = [32, 16].map((bytes) => random.bytes(bytes).toString("base64url")) as [
    string,
    string,
  ];
  const callback = await listenForAnswer(state);
  try {
    const redirectUri = `http://127.0.0.1:${callback.port}${CALLBACK}`;
    const asked = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    };
    onUrl(`${api.baseUrl}/auth/authorize?${new URLSearchParams(asked)}`);
    const late = () => {
      throw new OAuthError("expired_token", "Nobody decided within ten minutes.");
    };
    const answer = await inTime(callback.answer, { clock, ms: PATIENCE_MS, late, signal });
    // RFC 9207 §2.4: checked before the code is sent anywhere.
    if (answer.get("iss") !== issuer) {
      throw new UnexpectedAnswer(
        200,
        "The browser came back from another server than the one it was sent to.",
      );
    }
    const error = answer.get("error");
    if (error !== null) {
      throw new OAuthError(error as OAuthErrorCode, answer.get("error_description") ?? error);
    }
    const fields = {
      grant_type: "authorization_code",
      code: answer.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirectUri,
      client_id: clientId,
    };
    const body = await api.form("/auth/token", fields, { retry: false, signal });
    return credentialOf(readTokenResponse(body), { clientId, scope }, clock.now());
  } finally {
    callback.close();
  }
}

/** Returns the issuer that the server's answers must name (RFC 8414). */
async function issuerOf(api: WebLoginOptions["api"]): Promise<string> {
  const { body } = await api.request("GET", "/.well-known/oauth-authorization-server", {
    authenticate: false,
  });
  const { issuer, authorization_endpoint: endpoint } = (body ?? {}) as Record<string, unknown>;
  if (typeof issuer === "string" && typeof endpoint === "string") return issuer;
  throw new UnexpectedAnswer(200, "This server signs nobody in through a browser. Leave out --web.");
}
