import type { Configuration } from "openid-client";
import { cachedFor } from "../system/caching.ts";
import type { Clock } from "../system/clock.ts";
import { defined } from "../system/defined.ts";
import { HOUR_MS } from "../system/durations.ts";
import { type Attempt, type Provider, ProviderFault, plainName } from "./provider.ts";
import { boundedFetch } from "./request.ts";
import { isSafe } from "./settings.ts";

/** How long provider metadata is cached. */
const KEPT_MS = HOUR_MS;

export interface OpenIdSettings {
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/**
 * Creates an OpenID Connect provider that uses the code flow with PKCE. `openid-client` checks `state` and `iss`
 * (RFC 9207) of the response, and the signature, `iss`, `aud`, `azp`, `exp` and `nonce` of the ID token (OpenID
 * Connect Core §3.1.3.7).
 */
export function createOpenId(settings: OpenIdSettings, clock: Pick<Clock, "now">): Provider {
  const { name, issuer, clientId, clientSecret } = settings;
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const kept = cachedFor<Configuration>(clock, { forMs: KEPT_MS, most: 1 });

  async function discover(): Promise<Configuration> {
    const client = await import("openid-client");
    const configuration = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      [client.customFetch]: boundedFetch as never,
      // The settings allow http only for an issuer on this machine.
      ...(new URL(issuer).protocol === "http:" && { execute: [client.allowInsecureRequests] }),
    });
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  const configured = () => kept(issuer, discover);

  return {
    name,
    title,
    begin: ({ redirectUri, state, nonce, codeVerifier }) =>
      withFaults(title, async () => {
        const client = await import("openid-client");
        const url = client.buildAuthorizationUrl(await configured(), {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
          state,
          nonce,
        });
        if (!isSafe(url))
          throw new ProviderFault(`${title} names an address to sign in at that is not safe.`);
        return url;
      }),
    finish: (callback, attempt) =>
      withFaults(title, async () => {
        const configuration = await configured();
        const tokens = await redeem(configuration, callback, attempt);
        const claims = tokens.claims();
        if (!claims) throw new ProviderFault(`${title} did not say who you are.`);
        const { userinfo_endpoint: more } = configuration.serverMetadata();
        const client = await import("openid-client");
        const info =
          claims.email === undefined && more !== undefined
            ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims;
        const verified = info.email_verified === true && typeof info.email === "string";
        const called = plainName(info.name ?? info.preferred_username);
        return {
          issuer: claims.iss,
          subject: claims.sub,
          ...(verified && { verifiedEmail: info.email as string }),
          ...defined({ name: called }),
          label: String(verified ? info.email : (called ?? claims.sub)).slice(0, 254),
        };
      }),
  };
}

/** Exchanges the code of a response for tokens. */
export async function redeem(
  configuration: Configuration,
  callback: URL,
  { redirectUri, state, nonce, codeVerifier }: Attempt,
  idTokenExpected = true,
) {
  const client = await import("openid-client");
  // The library derives the redirect URI from this URL. A proxy may have changed that of `callback`.
  const answer = new URL(redirectUri);
  answer.search = callback.search;
  return client.authorizationCodeGrant(configuration, answer, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    ...(idTokenExpected && { expectedNonce: nonce, idTokenExpected }),
  });
}

/** Runs `work` and turns every failure of the provider into a `ProviderFault` with one clear sentence. */
export async function withFaults<T>(title: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ProviderFault) throw cause;
    const { name, error } = cause as { name?: string; error?: string };
    if (name === "AuthorizationResponseError") {
      const text =
        error === "access_denied" ? `You did not sign in with ${title}.` : `${title} did not sign you in.`;
      throw new ProviderFault(text, { denied: true, cause });
    }
    throw new ProviderFault(
      `${title} did not answer, or not as it should. Try again, or sign in another way.`,
      {
        cause,
      },
    );
  }
}
