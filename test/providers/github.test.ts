import { hash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGithub } from "../../src/providers/github.ts";
import { ProviderFault } from "../../src/providers/provider.ts";

const ATTEMPT = {
  redirectUri: "https://plane.example/sign-in/with/github",
  state: "the state",
  nonce: "unused",
  codeVerifier: "a-verifier-of-forty-three-characters-or-more-",
};
const CALLBACK = new URL(`${ATTEMPT.redirectUri}?code=one&state=the+state`);

/** Starts the sign-in endpoints of a GitHub Enterprise Server, which record their requests. */
async function startGithub(answers: Record<string, unknown> = {}) {
  const asked: { url: string | undefined; body: URLSearchParams; authorization: string | undefined }[] = [];
  const all: Record<string, unknown> = {
    "/login/oauth/access_token": { access_token: "gho_token", token_type: "bearer", scope: "user:email" },
    "/api/v3/user": { id: 42, login: "ada", name: "Ada\u202e <ada@evil.example>" },
    "/api/v3/user/emails": [
      { email: "old@example.com", primary: false, verified: true },
      { email: "ada@example.com", primary: true, verified: true },
    ],
    ...answers,
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = new URLSearchParams(Buffer.concat(chunks).toString());
    asked.push({ url: request.url, body, authorization: request.headers.authorization });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(all[request.url ?? ""] ?? {}));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { base, asked, github: createGithub({ github: base, clientId: "id", clientSecret: "secret" }) };
}

describe("GitHub as a provider", () => {
  it("gets a request with a PKCE challenge (S256), state and the scopes read:user and user:email", async () => {
    const { base, github } = await startGithub();
    const url = await github.begin(ATTEMPT);
    expect(url.origin + url.pathname).toBe(`${base}/login/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: "id",
      redirect_uri: ATTEMPT.redirectUri,
      state: ATTEMPT.state,
      code_challenge: hash("sha256", ATTEMPT.codeVerifier, "base64url"),
      code_challenge_method: "S256",
      scope: "read:user user:email",
    });
  });

  it("identifies a person by number, with the verified primary address and a sanitized name", async () => {
    const { base, asked, github } = await startGithub();
    expect(await github.finish(CALLBACK, ATTEMPT)).toEqual({
      issuer: base,
      subject: "42",
      verifiedEmail: "ada@example.com",
      name: "Ada <ada evil.example>",
      label: "ada",
    });
    expect(asked[0]?.body.get("code_verifier")).toBe(ATTEMPT.codeVerifier);
    expect(asked[1]?.authorization).toBe("Bearer gho_token");
  });

  it("returns no address that is unverified or not the primary one", async () => {
    const emails = [
      { email: "ada@example.com", primary: true, verified: false },
      { email: "other@example.com", primary: false, verified: true },
    ];
    const { github } = await startGithub({ "/api/v3/user/emails": emails });
    expect(await github.finish(CALLBACK, ATTEMPT)).not.toHaveProperty("verifiedEmail");
  });

  it.each([
    ["another state", new URL(`${ATTEMPT.redirectUri}?code=one&state=another`), {}],
    ["no code", new URL(`${ATTEMPT.redirectUri}?state=the+state`), {}],
    ["an error for a token", CALLBACK, { "/login/oauth/access_token": { error: "bad_verification_code" } }],
    ["a user without a number", CALLBACK, { "/api/v3/user": { login: "ada" } }],
    ["addresses that are none", CALLBACK, { "/api/v3/user/emails": { message: "Not Found" } }],
  ])("throws a ProviderFault for %s", async (_what, callback, answers) => {
    const { github } = await startGithub(answers);
    await expect(github.finish(callback, ATTEMPT)).rejects.toBeInstanceOf(ProviderFault);
  });
});
