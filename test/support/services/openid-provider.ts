import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { onTestFinished } from "vitest";

export interface Somebody {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** Starts an OpenID provider that signs every visitor in as `somebody`, and stops it after the test. */
export async function startOpenIdProvider(
  redirectUri: string,
): Promise<{ issuer: string; somebody: { current: Somebody | undefined } }> {
  const somebody: { current: Somebody | undefined } = { current: undefined };
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: "toolplane", client_secret: "a secret of the test", redirect_uris: [redirectUri] },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ ...somebody.current, sub }),
    }),
    // Every user has already consented.
    async loadExistingGrant({ oidc: { client, session } }) {
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    cookies: { keys: ["keys of the test"] },
    renderError(context, out) {
      context.body = JSON.stringify(out);
    },
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return void answer(request, response);
    const { current } = somebody;
    void provider.interactionFinished(
      request,
      response,
      current
        ? { login: { accountId: current.sub, remember: false } }
        : { error: "access_denied", error_description: "They said no." },
    );
  });
  return { issuer, somebody };
}
