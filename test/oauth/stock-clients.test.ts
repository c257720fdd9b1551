import {
  auth as authV2,
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { auth as authV1, type OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import * as openid from "openid-client";
import { describe, expect, it } from "vitest";
import { OWNER_KEY, startApp, type TestApp } from "../support/app.ts";
import { calling, counted, LIST, post, startBefore, startUpstream } from "../support/services/upstream.ts";
import { OWNER } from "../web/support/pages.ts";
import { signedInVisitor, type Visitor } from "../web/support/visitor.ts";

const CALLBACK = "http://127.0.0.1:9/callback";
const INSECURE = { execute: [openid.allowInsecureRequests] };

const start = () =>
  startApp({ owner: { email: OWNER.email, password: OWNER.password, apiKey: "o".repeat(40) } });

const pathOf = (url: string | URL) => new URL(url).pathname + new URL(url).search;

/** Opens an authorization URL as the owner and approves it. Returns where the browser is redirected. */
async function allow(app: TestApp, url: string | URL, browser?: Visitor): Promise<URL> {
  const person = browser ?? (await signedInVisitor(app.url, OWNER));
  const begun = await person.get(pathOf(url));
  expect(begun.status, begun.text).toBe(303);
  const page = await person.get(begun.location ?? "");
  expect(page.status, page.text).toBe(200);
  const done = await person.send(page, "/auth/authorize", { decision: "approve" });
  expect(done.status, done.text).toBe(303);
  return new URL(done.location ?? "");
}

/** Keeps an SDK client's state in memory. By `discovery`, v2 binds a callback to its server. */
function provider() {
  const kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string } = {};
  let discovery: unknown;
  const self: OAuthClientProvider & { opened?: URL } = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: "Stock client", redirect_uris: [CALLBACK] },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      self.opened = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
  };
  return Object.assign(self, {
    saveDiscoveryState: (state: unknown) => {
      discovery = state;
    },
    discoveryState: () => discovery,
  }) as typeof self;
}

describe("the official MCP client", () => {
  it("v1 signs in with only the server's URL, lists tools and refreshes", async () => {
    const app = await start();
    const serverUrl = `${app.url}/mcp`;
    const keeps = provider();
    expect(await authV1(keeps, { serverUrl })).toBe("REDIRECT");
    const answer = await allow(app, keeps.opened as URL);
    const authorizationCode = answer.searchParams.get("code") as string;
    expect(await authV1(keeps, { serverUrl, authorizationCode })).toBe("AUTHORIZED");
    const first = (await keeps.tokens())?.access_token;
    const client = new ClientV1({ name: "v1", version: "1" });
    await client.connect(new TransportV1(new URL(serverUrl), { authProvider: keeps }) as never);
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await client.close();
    expect(await authV1(keeps, { serverUrl })).toBe("AUTHORIZED");
    expect((await keeps.tokens())?.access_token).not.toBe(first);
    expect((await app.request("GET", "/api/v1/account", { key: first ?? "" })).status).toBe(401);
  });

  it("v2 signs in with only the server's URL, checks the issuer and lists tools", async () => {
    const app = await start();
    const serverUrl = `${app.url}/mcp`;
    const keeps = provider();
    expect(await authV2(keeps as never, { serverUrl })).toBe("REDIRECT");
    const { searchParams } = await allow(app, keeps.opened as URL);
    const authorizationCode = searchParams.get("code") as string;
    const iss = searchParams.get("iss") as string;
    await expect(
      authV2(keeps as never, { serverUrl, authorizationCode, iss: "https://evil.example" }),
    ).rejects.toThrow();
    expect(await authV2(keeps as never, { serverUrl, authorizationCode, iss })).toBe("AUTHORIZED");
    const client = new ClientV2({ name: "v2", version: "1" });
    await client.connect(new TransportV2(new URL(serverUrl), { authProvider: keeps as never }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(10);
    await client.close();
  });
});

describe("the official MCP client with the URL of an upstream", () => {
  it("signs in for that upstream only, lists tools, and its calls are counted", async () => {
    const upstream = await startUpstream();
    const app = await startBefore(
      upstream.url,
      { title: "The library" },
      {
        owner: { email: OWNER.email, password: OWNER.password, apiKey: OWNER_KEY },
      },
    );
    const serverUrl = `${app.url}/mcp/up`;
    const keeps = provider();
    expect(await authV2(keeps as never, { serverUrl })).toBe("REDIRECT");
    expect(keeps.opened?.searchParams.get("resource")).toBe(serverUrl);
    const person = await signedInVisitor(app.url, OWNER);
    const { searchParams } = await allow(app, keeps.opened as URL, person);
    const authorizationCode = searchParams.get("code") as string;
    const iss = searchParams.get("iss") as string;
    expect(await authV2(keeps as never, { serverUrl, authorizationCode, iss })).toBe("AUTHORIZED");
    const key = (await keeps.tokens())?.access_token as string;
    expect((await post(app, LIST, { key })).body.result.tools).toHaveLength(1);
    expect((await post(app, calling("echo"), { key })).status).toBe(200);
    expect(await counted(app)).toBe(1);
    for (const elsewhere of ["/api/v1/account", "/api/v1/upstreams"]) {
      expect((await app.request("GET", elsewhere, { key })).status, elsewhere).toBe(401);
    }
    expect((await app.request("POST", "/mcp", { key, body: LIST })).status).toBe(401);
    expect(JSON.stringify(upstream.received)).not.toContain(key);
  });
});

describe("openid-client", () => {
  it("registers, runs the code flow with PKCE, reads ID token and userinfo, refreshes and revokes", async () => {
    const app = await start();
    const config = await openid.dynamicClientRegistration(
      new URL(app.url),
      { client_name: "Web app", redirect_uris: [CALLBACK] },
      openid.None(),
      INSECURE,
    );
    const verifier = openid.randomPKCECodeVerifier();
    const [state, nonce] = [openid.randomState(), openid.randomNonce()];
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: "openid email read",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
    const tokens = await openid.authorizationCodeGrant(config, await allow(app, url), checks);
    const { sub, iat, exp, email } = tokens.claims() as openid.IDToken;
    expect([email, exp - iat]).toEqual([OWNER.email, 600]);
    expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      sub,
      email: OWNER.email,
    });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token as string);
    expect((await app.request("GET", "/api/v1/account", { key: refreshed.access_token })).status).toBe(200);
    await openid.tokenRevocation(config, refreshed.access_token);
    expect((await app.request("GET", "/api/v1/account", { key: refreshed.access_token })).status).toBe(401);
  });

  it("pushes its request (RFC 9126)", async () => {
    const app = await start();
    const config = await openid.discovery(new URL(app.url), "tool-cli", undefined, openid.None(), INSECURE);
    const verifier = openid.randomPKCECodeVerifier();
    const url = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: "http://127.0.0.1:7777/callback",
      scope: "read",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const person = await signedInVisitor(app.url, OWNER);
    const page = await person.get(url.pathname + url.search);
    const { location } = await person.send(page, "/auth/authorize", { decision: "approve" });
    const tokens = await openid.authorizationCodeGrant(config, new URL(location ?? ""), {
      pkceCodeVerifier: verifier,
    });
    expect(tokens.scope).toBe("read");
  });

  it("signs in a device", async () => {
    const app = await start();
    const config = await openid.discovery(new URL(app.url), "tool-cli", undefined, openid.None(), INSECURE);
    const begun = await openid.initiateDeviceAuthorization(config, { scope: "read" });
    await app.request("POST", `/api/v1/device-authorizations/${begun.user_code}`, {
      key: "o".repeat(40),
      body: { decision: "approve" },
    });
    const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0 });
    expect(tokens.scope).toBe("read");
  });

  it("binds tokens to a key (DPoP), which are refused without a fresh proof", async () => {
    const app = await start();
    const config = await openid.discovery(new URL(app.url), "tool-cli", undefined, openid.None(), INSECURE);
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair("ES256"));
    const verifier = openid.randomPKCECodeVerifier();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: "http://127.0.0.1:7777/callback",
      scope: "read",
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const answer = await allow(app, url);
    const tokens = await openid.authorizationCodeGrant(
      config,
      answer,
      { pkceCodeVerifier: verifier },
      undefined,
      { DPoP },
    );
    expect(tokens.token_type).toBe("dpop");
    const account = new URL("/api/v1/account", app.url);
    const proven = await openid.fetchProtectedResource(
      config,
      tokens.access_token,
      account,
      "GET",
      null,
      undefined,
      { DPoP },
    );
    expect(proven.status).toBe(200);
    const [proof, token] = await proofThatWasUsed(config, tokens.access_token, account, DPoP);
    const replayed = await fetch(account, { headers: { authorization: `DPoP ${token}`, dpop: proof } });
    const challenge = (error: string, resource = "") =>
      expect.stringMatching(
        `^DPoP error="${error}", resource_metadata="${app.url}/.well-known/oauth-protected-resource${resource}", algs="ES256 `,
      );
    expect([replayed.status, replayed.headers.get("www-authenticate")]).toEqual([
      401,
      challenge("invalid_dpop_proof"),
    ]);
    const bare = await app.request("GET", "/api/v1/account", { key: tokens.access_token });
    expect([bare.status, bare.headers.get("www-authenticate")]).toEqual([401, challenge("invalid_token")]);
    // An expired token: the challenge uses the scheme of the request (RFC 9449 §7.1).
    const expired = await fetch(new URL("/mcp", app.url), {
      method: "POST",
      headers: { authorization: "DPoP tat_expired", dpop: proof },
    });
    expect([expired.status, expired.headers.get("www-authenticate")]).toEqual([
      401,
      challenge("invalid_token", "/mcp"),
    ]);
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token as string, undefined, {
      DPoP,
    });
    expect(refreshed.token_type).toBe("dpop");
    await expect(openid.refreshTokenGrant(config, refreshed.refresh_token as string)).rejects.toMatchObject({
      error: "invalid_dpop_proof",
    });
  });
});

/** Sends a successful request, and returns the proof and token that it carried. */
async function proofThatWasUsed(
  config: openid.Configuration,
  accessToken: string,
  url: URL,
  DPoP: openid.DPoPHandle,
): Promise<[proof: string, token: string]> {
  const sent: Headers[] = [];
  config[openid.customFetch] = (address, init) => {
    sent.push(new Headers(init.headers));
    return fetch(address, init as RequestInit);
  };
  const answer = await openid.fetchProtectedResource(config, accessToken, url, "GET", null, undefined, {
    DPoP,
  });
  expect(answer.status).toBe(200);
  return [sent[0]?.get("dpop") ?? "", accessToken];
}
