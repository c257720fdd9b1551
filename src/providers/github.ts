import type { Configuration } from "openid-client";
import * as z from "zod";
import { defined } from "../system/defined.ts";
import { redeem, withFaults } from "./openid.ts";
import { type Provider, ProviderFault, plainName } from "./provider.ts";
import { boundedFetch } from "./request.ts";

export interface GithubSettings {
  /** `https://github.com`, or a GitHub Enterprise Server. */
  github: string;
  clientId: string;
  clientSecret: string;
}

const User = z.object({ id: z.number().int().positive(), login: z.string(), name: z.string().nullish() });
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** Creates the GitHub provider. GitHub has no OpenID Connect, so its access token is used once, to read the user. */
export function createGithub({ github, clientId, clientSecret }: GithubSettings): Provider {
  const base = github.replace(/\/+$/, "");
  const api = base === "https://github.com" ? "https://api.github.com" : `${base}/api/v3`;
  const title = "GitHub";

  async function configured(): Promise<Configuration> {
    const client = await import("openid-client");
    const configuration = new client.Configuration(
      {
        issuer: base,
        authorization_endpoint: `${base}/login/oauth/authorize`,
        token_endpoint: `${base}/login/oauth/access_token`,
      },
      clientId,
      clientSecret,
    );
    configuration[client.customFetch] = boundedFetch as never;
    if (base.startsWith("http:")) client.allowInsecureRequests(configuration);
    return configuration;
  }

  async function ask<T>(path: string, token: string, shape: z.ZodType<T>): Promise<T> {
    const response = await boundedFetch(api + path, {
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: "application/vnd.github+json",
        "User-Agent": "toolplane",
      },
    });
    if (!response.ok) throw new ProviderFault(`${title} did not say who you are.`);
    return shape.parse(await response.json());
  }

  return {
    name: "github",
    title,
    begin: ({ redirectUri, state, codeVerifier }) =>
      withFaults(title, async () => {
        const client = await import("openid-client");
        return client.buildAuthorizationUrl(await configured(), {
          redirect_uri: redirectUri,
          scope: "read:user user:email",
          code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
          state,
        });
      }),
    finish: (callback, attempt) =>
      withFaults(title, async () => {
        const { access_token: token } = await redeem(await configured(), callback, attempt, false);
        const user = await ask("/user", token, User);
        const emails = await ask("/user/emails", token, Emails);
        const email = emails.find(({ primary, verified }) => primary && verified)?.email;
        const name = plainName(user.name ?? user.login);
        return {
          issuer: base,
          subject: String(user.id),
          ...defined({ verifiedEmail: email, name }),
          label: user.login.slice(0, 254),
        };
      }),
  };
}
