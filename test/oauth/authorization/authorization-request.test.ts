import { describe, expect, it } from "vitest";
import { parseAuthorizationRequest } from "../../../src/oauth/authorization/authorization-request.ts";
import type { Client } from "../../../src/oauth/clients/client.ts";
import { oauthError } from "../../accounts/fixture.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const client: Client = {
  id: "acme-ide",
  name: "Acme IDE",
  vouchedBy: "catalogue",
  redirectUris: ["https://app.example/callback"],
  authentication: { method: "none" },
  idTokenAlgorithm: "EdDSA",
};
const asked = { response_type: "code", code_challenge: CHALLENGE, code_challenge_method: "S256" };

function parse(more: Record<string, string | undefined> = {}, by: Partial<Client> = {}) {
  const given = Object.entries({ ...asked, ...more }).filter(([, value]) => value !== undefined);
  return parseAuthorizationRequest(Object.fromEntries(given), {
    client: { ...client, ...by },
    redirectUri: "https://app.example/callback",
    resources: { target: ({ resource }) => resource as string | undefined },
    now: NOW,
  });
}

describe("parseAuthorizationRequest()", () => {
  it("defaults to the scopes read and write, and marks clients with a secret as confidential", () => {
    expect(parse()).toEqual({
      clientId: "acme-ide",
      clientName: "Acme IDE",
      vouchedBy: "catalogue",
      confidential: false,
      idTokenAlgorithm: "EdDSA",
      redirectUri: "https://app.example/callback",
      scopes: ["read", "write"],
      identity: [],
      challenge: CHALLENGE,
    });
    expect(parse({}, { authentication: { method: "client_secret", secretSha256: "a" } }).confidential).toBe(
      true,
    );
  });

  it("keeps state, nonce, DPoP key, resource and identity scopes", () => {
    const more = { state: "s", nonce: "n", dpop_jkt: CHALLENGE, resource: "https://plane.example/mcp" };
    expect(parse({ ...more, response_mode: "query", scope: "openid email read" })).toMatchObject({
      state: "s",
      nonce: "n",
      dpopKey: CHALLENGE,
      audience: "https://plane.example/mcp",
      scopes: ["read"],
      identity: ["openid", "email"],
    });
  });

  it.each<[string, string[], string[]]>([
    ["openid email offline_access", [], ["openid", "email"]],
    ["openid offline_access read", ["read"], ["openid"]],
    ["read write offline_access", ["read", "write"], []],
    ["read email", ["read"], []],
  ])("ignores offline_access in the scope %j", (scope, scopes, identity) => {
    expect(parse({ scope })).toMatchObject({ scopes, identity });
  });

  it.each([
    [{}, undefined],
    [{ max_age: "0" }, NOW],
    [{ max_age: "60" }, NOW - 60_000],
    [{ max_age: "999999999" }, NOW - 999_999_999_000],
    [{ prompt: "login" }, NOW],
    [{ prompt: "consent login", max_age: "60" }, NOW],
    [{ prompt: "consent" }, undefined],
    [{ prompt: "logins" }, undefined],
  ])("for %j requires a sign-in since %j", (more, since) => {
    expect(parse(more).signedInSince).toBe(since);
  });

  it.each<[string, Record<string, string | undefined>, Parameters<typeof oauthError>[0]]>([
    ["no response type", { response_type: undefined }, "invalid_request"],
    ["a token", { response_type: "token" }, "unsupported_response_type"],
    ["a form", { response_mode: "form_post" }, "invalid_request"],
    ["a request object", { request: "eyJ" }, "invalid_request"],
    ["no challenge", { code_challenge: undefined }, "invalid_request"],
    ["a challenge that is too short", { code_challenge: CHALLENGE.slice(1) }, "invalid_request"],
    ["a challenge that is too long", { code_challenge: `${CHALLENGE}x` }, "invalid_request"],
    ["a challenge of other characters", { code_challenge: `+${CHALLENGE.slice(1)}` }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["no method", { code_challenge_method: undefined }, "invalid_request"],
    ["an answer without a person", { prompt: "none" }, "consent_required"],
    ["an age that is none", { max_age: "-1" }, "invalid_request"],
    ["an age without end", { max_age: "9".repeat(10) }, "invalid_request"],
    ["an age in words", { max_age: "1h" }, "invalid_request"],
    ["no thumbprint", { dpop_jkt: "key" }, "invalid_request"],
    ["a scope that is none", { scope: "root" }, "invalid_scope"],
    ["a scope that is none, of who says who it is", { scope: "openid root" }, "invalid_scope"],
    ["who it is without openid, and nothing else", { scope: "email offline_access" }, "invalid_scope"],
    ["refresh tokens of nothing", { scope: "offline_access" }, "invalid_scope"],
  ])("refuses %s", (_, more, error) => {
    expect(() => parse(more)).toThrow(expect.objectContaining(oauthError(error)));
  });

  it("names the scope that there is not, and those that there are", () => {
    for (const scope of ["groups read", "openid groups"]) {
      expect(() => parse({ scope })).toThrow(
        "There is no scope groups here. Ask for scopes of read, write, admin, operator, openid, email, profile, separated by spaces.",
      );
    }
    // Of other characters an error's description has none (RFC 6749 §5.2).
    expect(() => parse({ scope: '"gr\u00fcn"' })).toThrow(/^Ask for scopes of/);
  });

  it.each(["state", "nonce"])("accepts a %s of up to 2,048 characters", (name) => {
    expect(parse({ [name]: "x".repeat(2048) })).toMatchObject({ [name]: "x".repeat(2048) });
    expect(() => parse({ [name]: "x".repeat(2049) })).toThrow(`${name} is longer than`);
  });
});
