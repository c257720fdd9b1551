import { createHash } from "node:crypto";
import fc from "fast-check";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createClientAuthentication } from "../../../src/oauth/clients/client-authentication.ts";
import { createClients } from "../../../src/oauth/clients/clients.ts";
import { oauthError } from "../../accounts/fixture.ts";
import { fakeClock } from "../../support/clock.ts";
import { codePoint } from "../../support/code-point.ts";

const REDIRECTS = ["https://app.example/callback"];
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const AUDIENCES = ["https://plane.example", "https://plane.example/auth/token"];
const documents = {
  isDocumentId: () => false,
  find: () => Promise.reject(new Error("there are no documents")),
};
const sha256 = (secret: string) => createHash("sha256").update(secret).digest("hex");

const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
const KEYS = { keys: [await exportJWK(publicKey)] };

function authentication(secret = "s3cret") {
  const clock = fakeClock(Date.UTC(2026, 0, 15, 12));
  const clients = createClients({
    catalogue: {
      secretive: { name: "Secretive", redirectUris: REDIRECTS, secretSha256: sha256(secret) },
      signing: { name: "Signing", redirectUris: REDIRECTS, jwks: KEYS },
      open: { name: "Open", redirectUris: REDIRECTS },
    },
    documents,
  });
  const used: [string, string, number][] = [];
  const authenticate = createClientAuthentication({
    clock,
    clients,
    isFirstUse: async (maker, id, expiresAt) => {
      const isFirst = !used.some(([other, otherId]) => other === maker && otherId === id);
      used.push([maker, id, expiresAt]);
      return isFirst;
    },
    audiences: () => AUDIENCES,
  });
  return {
    clock,
    used,
    ask: (parameters: Record<string, string>, authorization?: string) =>
      authenticate(parameters, authorization, "address/test"),
    assertion: (claims: object = {}) =>
      new SignJWT({
        iss: "signing",
        sub: "signing",
        aud: AUDIENCES[0],
        jti: "a-1",
        exp: clock.now() / 1000 + 60,
        ...claims,
      })
        .setProtectedHeader({ alg: "ES256" })
        .sign(privateKey),
  };
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const encoded = (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
const asserting = (client_assertion: string) => ({ client_assertion, client_assertion_type: ASSERTION_TYPE });

describe("a client at the token endpoint", () => {
  it("is identified by client_id alone only if it has no secret or keys", async () => {
    const { ask } = authentication();
    expect(await ask({})).toEqual({ authenticated: false });
    expect(await ask({ client_id: "" })).toEqual({ authenticated: false });
    expect(await ask({ client_id: "open" })).toEqual({ id: "open", authenticated: false });
    expect(await ask({ client_id: "anybody" })).toEqual({ id: "anybody", authenticated: false });
    // Other schemes do not authenticate a client.
    expect(await ask({ client_id: "open" }, "Bearer x")).toEqual({ id: "open", authenticated: false });
    for (const client_id of ["secretive", "signing"]) {
      await expect(ask({ client_id })).rejects.toMatchObject({
        ...oauthError("invalid_client"),
        status: 401,
        extras: { headers: { "WWW-Authenticate": 'Basic realm="token endpoint"' } },
        description: "This client has to prove who it is.",
      });
    }
  });

  it("may be named in the header, with an empty secret, if it has none", async () => {
    const { ask } = authentication();
    const open = { id: "open", authenticated: false };
    expect(await ask({}, basic("open:"))).toEqual(open);
    expect(await ask({ client_id: "open", client_secret: "" }, basic("open:"))).toEqual(open);
    for (const id of ["secretive", "signing"])
      await expect(ask({}, basic(`${id}:`))).rejects.toMatchObject(oauthError("invalid_client"));
    await expect(ask({ client_id: "other" }, basic("open:"))).rejects.toMatchObject(
      oauthError("invalid_client"),
    );
  });

  it("authenticates by its secret in the header or the body, by one method at a time", async () => {
    const { ask, assertion } = authentication();
    const proven = { id: "secretive", authenticated: true };
    const secret = { client_id: "secretive", client_secret: "s3cret" };
    const header = basic("secretive:s3cret");
    expect(await ask(secret)).toEqual(proven);
    expect(await ask({}, header)).toEqual(proven);
    expect(await ask({ client_id: "secretive" }, header)).toEqual(proven);
    expect(await ask({}, header.replace("Basic ", "bASIC   ").concat("  "))).toEqual(proven);
    await expect(ask({ client_id: "open" }, header)).rejects.toMatchObject({
      ...oauthError("invalid_client"),
      description: "client_id names another client than the one that proved who it is.",
    });
    const signed = asserting(await assertion());
    for (const both of [
      () => ask(secret, header),
      () => ask({ ...secret, ...signed }),
      () => ask(signed, header),
    ]) {
      await expect(both()).rejects.toMatchObject(oauthError("invalid_request"));
    }
  });

  it.each([
    ["a wrong secret", { client_id: "secretive", client_secret: "S3cret" }],
    ["half of it", { client_id: "secretive", client_secret: "s3cre" }],
    ["a secret of a client that has keys", { client_id: "signing", client_secret: "s3cret" }],
    ["a secret of a client that has none", { client_id: "open", client_secret: "s3cret" }],
    ["a secret of nobody", { client_id: "anybody", client_secret: "s3cret" }],
  ])("is refused with %s, always in the same words", async (_, parameters) => {
    await expect(authentication().ask(parameters)).rejects.toMatchObject({
      ...oauthError("invalid_client"),
      description: "The client or its secret is wrong.",
    });
  });

  it("is not authenticated by a header with several credentials", async () => {
    const { ask } = authentication();
    for (const more of [" x", ", Basic AAAA", ","])
      expect(await ask({}, `${basic("secretive:s3cret")}${more}`)).toEqual({ authenticated: false });
  });

  it.each(["", ":", "secretive", ":s3cret"])("is not authenticated by the header %j", async (text) => {
    const { ask } = authentication();
    if (text === "") {
      expect(await ask({}, "Basic ")).toEqual({ authenticated: false });
      return;
    }
    await expect(ask({}, basic(text))).rejects.toMatchObject({
      ...oauthError("invalid_client"),
      description: "The Authorization header holds no client and secret.",
    });
  });

  it("may have any secret, form-encoded in the header (RFC 6749 §2.3.1)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: codePoint }), async (secret) => {
        const text = secret.toWellFormed();
        const { ask } = authentication(text);
        const header = basic(`${encoded("secretive")}:${encoded(text)}`);
        expect(await ask({}, header)).toEqual({ id: "secretive", authenticated: true });
      }),
      { numRuns: 25 },
    );
  });

  it.each(["a+b/c==", "100%", "a%2Bb"])(
    "may have the secret %s as it is in the header, as libraries send it",
    async (secret) => {
      const { ask } = authentication(secret);
      expect(await ask({}, basic(`secretive:${secret}`))).toEqual({ id: "secretive", authenticated: true });
      for (const other of [`${secret}x`, secret.replace(/[+%]/, " ")]) {
        await expect(ask({}, basic(`secretive:${other}`))).rejects.toMatchObject(
          oauthError("invalid_client"),
        );
      }
    },
  );
});

describe("a client assertion", () => {
  it("authenticates its client, with the issuer or the token endpoint as audience", async () => {
    const { ask, assertion } = authentication();
    const proven = { id: "signing", authenticated: true };
    for (const [index, aud] of AUDIENCES.entries()) {
      const signed = await assertion({ aud, jti: `a-${index}` });
      expect(await ask({ client_id: "signing", ...asserting(signed) })).toEqual(proven);
    }
    expect(await ask(asserting(await assertion({ jti: "a-3" })))).toEqual(proven);
    await expect(
      ask({ client_id: "open", ...asserting(await assertion({ jti: "a-4" })) }),
    ).rejects.toMatchObject(oauthError("invalid_client"));
  });

  it("works once and is remembered until it expires", async () => {
    const { ask, assertion, used, clock } = authentication();
    const signed = await assertion();
    await ask(asserting(signed));
    expect(used).toEqual([["client/signing", "a-1", clock.now() + 90_000]]);
    await expect(ask(asserting(signed))).rejects.toMatchObject({
      ...oauthError("invalid_client"),
      description: "The client assertion was used before.",
    });
  });

  it("is valid for five minutes at most, with 30 seconds of clock tolerance", async () => {
    const { ask, assertion, clock } = authentication();
    const seconds = clock.now() / 1000;
    const at = async (exp: number) => ask(asserting(await assertion({ exp: seconds + exp, jti: `j${exp}` })));
    await expect(at(330)).resolves.toBeDefined();
    await expect(at(331)).rejects.toMatchObject({
      ...oauthError("invalid_client"),
      description: "The client assertion is valid for more than 5 minutes.",
    });
    await expect(at(-29)).resolves.toBeDefined();
    await expect(at(-30)).rejects.toMatchObject(oauthError("invalid_client"));
  });

  it.each([
    ["no JWT", "nonsense", "is no JWT"],
    ["one of nobody", { sub: undefined }, "names no client as its sub"],
    ["one of a client without keys", { sub: "open", iss: "open" }, "This client has no keys here."],
    ["one for another server", { aud: "https://other.example" }, "is not valid"],
    ["one that another made", { iss: "open" }, "is not valid"],
    ["one without an end", { exp: undefined }, "is not valid"],
    ["one without an id", { jti: undefined }, "is not valid"],
  ])("that is %s is refused with the reason", async (_, claims, why) => {
    const { ask, assertion, used } = authentication();
    const signed = typeof claims === "string" ? claims : await assertion(claims);
    await expect(ask(asserting(signed))).rejects.toMatchObject({
      ...oauthError("invalid_client"),
      description: expect.stringContaining(why),
    });
    expect(used).toEqual([]);
  });

  it("needs the client_assertion_type for JWT", async () => {
    const { ask, assertion } = authentication();
    for (const type of [{}, { client_assertion_type: "jwt" }] as Record<string, string>[]) {
      await expect(ask({ client_assertion: await assertion(), ...type })).rejects.toMatchObject({
        ...oauthError("invalid_request"),
        description: `client_assertion_type must be ${ASSERTION_TYPE}.`,
      });
    }
  });
});

describe("clients of the catalogue", () => {
  const clientsOf = (catalogue: Parameters<typeof createClients>[0]["catalogue"]) =>
    createClients({ catalogue, documents });

  it("are found by id", async () => {
    const clients = clientsOf({ acme: { name: "Acme", redirectUris: REDIRECTS } });
    expect(clients.named("acme")).toEqual({ id: "acme", name: "Acme", registered: true });
    expect(clients.inCatalogue("acme")).toEqual({
      id: "acme",
      name: "Acme",
      vouchedBy: "catalogue",
      redirectUris: REDIRECTS,
      authentication: { method: "none" },
      idTokenAlgorithm: "EdDSA",
    });
    expect(await clients.find("acme", "address/test")).toBe(clients.inCatalogue("acme"));
    expect(clients.inCatalogue("other")).toBeUndefined();
    await expect(clients.find("other", "address/test")).rejects.toMatchObject(oauthError("invalid_client"));
    expect(clientsOf({ "no-way-back": { name: "x" } }).inCatalogue("no-way-back")?.redirectUris).toEqual([]);
  });

  it("fail the start if one is invalid", () => {
    const uris = (redirectUris: string[]) => () => clientsOf({ acme: { name: "Acme", redirectUris } });
    const refused = 'The client "acme" of the catalogue cannot be used: ';
    expect(uris(["http://app.example"])).toThrow(
      `${refused}its redirectUris must be https, or http on 127.0.0.1, [::1] or localhost.`,
    );
    expect(uris([])).toThrow(refused);
    for (const jwks of [{}, { keys: [] }, { keys: [{}] }, "keys", null]) {
      expect(() => clientsOf({ acme: { name: "Acme", jwks } })).toThrow(
        `${refused}its jwks is no set of public keys.`,
      );
    }
  });
});
