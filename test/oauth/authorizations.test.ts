import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BASE_URL,
  CLIENTS,
  colleague,
  oauthError,
  problem,
  startServices,
  trailOf,
  VISITOR,
} from "../accounts/fixture.ts";
import { begin, CALLBACK, consenting, decide, redeeming, requestOf } from "./redirect.ts";

const PUSHING = { subject: VISITOR.address, url: `${BASE_URL}/auth/par` };

const told = async (promise: ReturnType<typeof begin>) => {
  const begun = await promise;
  if (!("redirect" in begun)) throw new Error("nobody was told anything");
  expect(begun.redirect.startsWith(`${CALLBACK}?`)).toBe(true);
  return Object.fromEntries(new URL(begun.redirect).searchParams);
};

describe("an authorization request", () => {
  it("redirects with a code, the state and the issuer (RFC 9207)", async () => {
    const services = await startServices();
    const parameters = await decide(services);
    expect(Object.fromEntries(parameters)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: "s1",
      iss: BASE_URL,
    });
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "client.allowed",
      after: { scopes: ["read", "write"] },
    });
  });

  it("redirects with access_denied, state and issuer when it is denied", async () => {
    const services = await startServices();
    const parameters = await decide(services, {}, "deny");
    expect(Object.fromEntries(parameters)).toMatchObject({
      error: "access_denied",
      state: "s1",
      iss: BASE_URL,
    });
    expect(parameters.has("code")).toBe(false);
    expect((await trailOf(services)).at(-1)).toMatchObject({
      action: "client.denied",
      after: { scopes: [] },
    });
  });

  it.each([
    ["an unknown client", { client_id: "somebody" }, "invalid_client"],
    ["no client", { client_id: "" }, "invalid_request"],
    ["no redirect URI", { redirect_uri: "" }, "invalid_request"],
    ["another redirect URI", { redirect_uri: "https://evil.example/callback" }, "invalid_request"],
    ["more of a path", { redirect_uri: `${CALLBACK}/x` }, "invalid_request"],
    ["another query", { redirect_uri: `${CALLBACK}?x=1` }, "invalid_request"],
    [
      "another port where it is no loopback",
      { redirect_uri: "https://acme.example:444/callback" },
      "invalid_request",
    ],
    ["a client that has none", { client_id: "no-redirects" }, "invalid_client"],
  ])("with %s is refused without a redirect", async (_, changed, error) => {
    await expect(begin(await startServices(), changed)).rejects.toMatchObject(oauthError(error));
  });

  it.each([
    ["no PKCE", { code_challenge: "" }, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["PKCE without its method, which is plain", { code_challenge_method: "" }, "invalid_request"],
    ["a challenge that is no SHA-256", { code_challenge: "short" }, "invalid_request"],
    ["an implicit grant", { response_type: "token" }, "unsupported_response_type"],
    ["a fragment", { response_mode: "fragment" }, "invalid_request"],
    ["a scope that there is not", { scope: "read root" }, "invalid_scope"],
    ["a resource that there is not", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["no question", { prompt: "none" }, "consent_required"],
    ["an age that is none", { max_age: "soon" }, "invalid_request"],
    ["a request object", { request: "eyJ" }, "invalid_request"],
  ])("with %s redirects with an error, state and issuer", async (_, changed, error) => {
    expect(await told(begin(await startServices(), changed))).toMatchObject({
      error,
      state: "s1",
      iss: BASE_URL,
    });
  });

  it("returns a state and accepts a nonce of up to 2,048 characters", async () => {
    const services = await startServices();
    const state = "s".repeat(2048);
    expect((await decide(services, { state, nonce: state })).get("state")).toBe(state);
    for (const name of ["state", "nonce"]) {
      expect(await told(begin(services, { [name]: `${state}s` }))).toMatchObject({
        error: "invalid_request",
        error_description: `${name} is longer than 2048 characters.`,
      });
    }
  });

  it("requires a new sign-in if the last one is too old (OpenID Connect Core §3.1.2.1)", async () => {
    const services = await startServices();
    const { authorizations, clock, owner } = services;
    const user = (ago: number) => ({ ...consenting(owner), signedInAt: clock.now() - ago });
    const asked = async (changed: Record<string, string>, ago: number) => {
      const begun = await begin(services, changed);
      if (!("requestUri" in begun)) throw new Error("refused");
      const { signInAgain } = await authorizations.describe(begun.requestUri, "acme-ide", user(ago));
      const allowing = authorizations.decide(begun.requestUri, "acme-ide", "approve", user(ago));
      if (signInAgain) await expect(allowing).rejects.toMatchObject(problem("forbidden"));
      else await expect(allowing).resolves.toHaveProperty("redirect");
      return signInAgain;
    };
    expect(await asked({}, 1e9)).toBe(false);
    expect(await asked({ max_age: "60" }, 60_000)).toBe(false);
    expect(await asked({ max_age: "60" }, 60_001)).toBe(true);
    expect(await asked({ max_age: "0" }, 0)).toBe(false);
    expect(await asked({ max_age: "0" }, 1)).toBe(true);
    expect(await asked({ prompt: "consent login" }, 1)).toBe(true);
    expect(await asked({ prompt: "login", max_age: "999999999" }, 1)).toBe(true);
    expect(await asked({ prompt: "consent" }, 1e9)).toBe(false);
    for (const max_age of ["-1", "1.5", "1234567890", "1 "]) {
      expect(await told(begin(services, { max_age }))).toMatchObject({ error: "invalid_request" });
    }
  });

  it("accepts any loopback port, but no other difference in the redirect URI (RFC 8252 §7.3)", async () => {
    const services = await startServices();
    for (const redirect_uri of [
      "http://127.0.0.1/done",
      "http://127.0.0.1:1/done",
      "http://127.0.0.1:65535/done",
    ]) {
      await expect(begin(services, { redirect_uri })).resolves.toHaveProperty("requestUri");
    }
    for (const redirect_uri of [
      "http://localhost:8000/done",
      "http://[::1]:8000/done",
      "http://127.0.0.2:8000/done",
      "http://127.0.0.1:8000/done2",
      "http://127.0.0.1:8000/done?x",
      "http://127.0.0.1:8000/x/../done",
      "http://127.0.0.1:8000@evil.example/done",
      "http://user@127.0.0.1:8000/done",
      "https://127.0.0.1:8000/done",
    ]) {
      await expect(begin(services, { redirect_uri }), redirect_uri).rejects.toMatchObject(
        oauthError("invalid_request"),
      );
    }
  });

  it("redirects only to redirect URIs of the client, for any text as redirect_uri", async () => {
    const services = await startServices();
    const uris = CLIENTS["acme-ide"].redirectUris;
    const piece = fc.constantFrom(
      "https://",
      "http://",
      "acme.example",
      "/callback",
      "@",
      ":",
      "#",
      "?",
      "\\",
      "..",
      "%2e",
      "127.0.0.1",
      "/done",
      "evil.example",
      "\t",
      "9",
      ".",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const redirect_uri = pieces.join("");
        const begun = await begin(services, { redirect_uri }).catch(() => undefined);
        if (!begun) return;
        const { origin, pathname, hostname } = new URL(redirect_uri);
        expect(
          uris.includes(redirect_uri) ||
            (hostname === "127.0.0.1" && pathname === "/done") ||
            origin === "https://acme.example",
        ).toBe(true);
        expect(redirect_uri).toMatch(
          /^https:\/\/acme\.example\/callback$|^http:\/\/127\.0\.0\.1(:\d+)?\/done$/,
        );
      }),
    );
  });

  it("shows the client, its destination, the resource and which scopes the person can grant", async () => {
    const services = await startServices();
    const { user: member } = await colleague(services, "member");
    const asked = { scope: "openid email read admin", resource: `${BASE_URL}/mcp` };
    const begun = await begin(services, asked);
    if (!("requestUri" in begun)) throw new Error("refused");
    const shown = await services.authorizations.describe(begun.requestUri, "acme-ide", consenting(member));
    expect(shown).toMatchObject({
      client: { id: "acme-ide", name: "Acme IDE", vouchedBy: "catalogue" },
      destination: { kind: "site", name: "acme.example" },
      resource: "The tools",
    });
    expect(shown.scopes.map(({ scope, granted }) => [scope, granted])).toEqual([
      ["openid", true],
      ["email", true],
      ["read", true],
      ["admin", false],
    ]);
  });

  it("describes each scope in different words", async () => {
    const services = await startServices();
    const begun = await begin(services, { scope: "openid email profile read write admin operator" });
    if (!("requestUri" in begun)) throw new Error("refused");
    const user = consenting(services.owner);
    const { scopes } = await services.authorizations.describe(begun.requestUri, "acme-ide", user);
    const words = Object.fromEntries(scopes.map(({ scope, description }) => [scope, description]));
    expect(words).toMatchObject({
      openid: expect.stringContaining("id"),
      email: expect.stringContaining("e-mail address"),
      profile: expect.stringContaining("name"),
      read: expect.stringMatching(/^See/),
      write: expect.stringMatching(/^Record/),
      admin: expect.stringMatching(/^Manage keys/),
      operator: expect.stringMatching(/^Manage all accounts/),
    });
    expect(new Set(Object.values(words)).size).toBe(7);
  });

  it("cannot be approved by a person who holds none of its scopes", async () => {
    const services = await startServices();
    const { user: member } = await colleague(services, "member");
    await expect(decide(services, { scope: "operator" }, "approve", member)).rejects.toMatchObject(
      problem("insufficient_scope"),
    );
  });

  it("is decided once, under its own client's id, within ten minutes", async () => {
    const services = await startServices();
    const { authorizations, owner, clock } = services;
    const waiting = async () => {
      const begun = await begin(services);
      return "requestUri" in begun ? begun.requestUri : "";
    };
    const first = await waiting();
    const allow = (uri: string, clientId = "acme-ide") =>
      authorizations.decide(uri, clientId, "approve", consenting(owner));
    await expect(allow(first, "web-shop")).rejects.toMatchObject(problem("not_found"));
    await expect(allow(first)).resolves.toHaveProperty("redirect");
    await expect(authorizations.describe(first, "acme-ide", consenting(owner))).rejects.toMatchObject(
      problem("not_found"),
    );
    const deny = authorizations.decide(first, "acme-ide", "deny", consenting(owner));
    await expect(deny).rejects.toMatchObject(problem("not_found"));
    const second = await waiting();
    clock.advance(10 * 60_000);
    await expect(allow(second)).rejects.toMatchObject(problem("not_found"));
    await expect(allow("urn:ietf:params:oauth:request_uri:guess")).rejects.toMatchObject(
      problem("not_found"),
    );
  });

  it("returns one code when many approve it at once", async () => {
    const services = await startServices();
    const begun = await begin(services);
    const uri = "requestUri" in begun ? begun.requestUri : "";
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        services.authorizations.decide(uri, "acme-ide", "approve", consenting(services.owner)),
      ),
    );
    const answers = all.map((each) => (each.status === "fulfilled" ? each.value.redirect : each.reason));
    expect(new Set(answers)).toEqual(new Set([expect.stringContaining("code=")]));
    const trail = await trailOf(services);
    expect(trail.filter(({ action }) => action === "client.allowed")).toHaveLength(1);
  });

  it.each(["approve", "deny"] as const)(
    "gives the same answer to a user who sends %s twice, as by a double click, for a minute",
    async (decision) => {
      const services = await startServices();
      const { authorizations, owner, clock } = services;
      const begun = await begin(services);
      const uri = "requestUri" in begun ? begun.requestUri : "";
      const send = (user = owner) => authorizations.decide(uri, "acme-ide", decision, consenting(user));
      const answer = await send();
      expect(await send()).toEqual(answer);
      const { user: member } = await colleague(services, "member");
      await expect(send(member)).rejects.toMatchObject(problem("not_found"));
      clock.advance(60_000);
      await expect(send()).rejects.toMatchObject(problem("not_found"));
    },
  );

  it("gives no answer again whose code the application has used, which would end the sign-in", async () => {
    const services = await startServices();
    const begun = await begin(services);
    const uri = "requestUri" in begun ? begun.requestUri : "";
    const allow = () =>
      services.authorizations.decide(uri, "acme-ide", "approve", consenting(services.owner));
    const code = new URL((await allow()).redirect).searchParams.get("code") ?? "";
    await services.token(redeeming(code));
    await expect(allow()).rejects.toMatchObject(problem("not_found"));
  });
});

describe("a pushed request (RFC 9126)", () => {
  it("waits under its request_uri, and is refused directly to the client if it is invalid", async () => {
    const { authorizations, owner } = await startServices();
    const push = (changed = {}) => authorizations.push(requestOf(changed), PUSHING);
    const { request_uri, expires_in } = await push();
    expect(expires_in).toBe(600);
    await expect(authorizations.describe(request_uri, "acme-ide", consenting(owner))).resolves.toMatchObject({
      client: { id: "acme-ide" },
    });
    await expect(push({ code_challenge: "" })).rejects.toMatchObject(oauthError("invalid_request"));
    await expect(push({ redirect_uri: "https://evil.example" })).rejects.toMatchObject(
      oauthError("invalid_request"),
    );
    await expect(push({ request_uri })).rejects.toMatchObject(oauthError("invalid_request"));
    const shop = { client_id: "web-shop", redirect_uri: "https://shop.example/signed-in" };
    await expect(push(shop)).rejects.toMatchObject(oauthError("invalid_client"));
    await expect(push({ ...shop, client_secret: "secret of the web shop" })).resolves.toBeDefined();
  });
});
