import { createHash } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { BASE_URL, oauthError, servicesOn, startServices, VISITOR } from "../accounts/fixture.ts";
import { codeOf, consenting, redeeming, requestOf } from "./redirect.ts";

const URL_OF_TOKENS = `${BASE_URL}/auth/token`;

async function newKey(alg = "ES256") {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, jwk: await exportJWK(publicKey), privateJwk: await exportJWK(privateKey), privateKey };
}
type Key = Awaited<ReturnType<typeof newKey>>;

let serial = 0;

/** Signs a proof (RFC 9449 §4.2) for a token request. Claims and header members can be replaced. */
async function proofOf(key: Key, now: number, claims: object = {}, header: object = {}): Promise<string> {
  const usual = { jti: `j${serial++}`, htm: "POST", htu: URL_OF_TOKENS, iat: Math.floor(now / 1000) };
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ typ: "dpop+jwt", alg: key.alg, jwk: key.jwk, ...header })
    .sign(key.privateKey);
}

describe("a DPoP proof", () => {
  it("binds the tokens of a public client to its key, also at each refresh", async () => {
    const services = await startServices();
    const { clock, token } = services;
    const [key, another] = [await newKey(), await newKey()];
    const dpop = await proofOf(key, clock.now());
    const pair = await token(redeeming(await codeOf(services)), { dpop });
    expect(pair.token_type).toBe("DPoP");
    const refresh = { grant_type: "refresh_token", client_id: "acme-ide", refresh_token: pair.refresh_token };
    await expect(token(refresh)).rejects.toMatchObject(oauthError("invalid_dpop_proof"));
    await expect(token(refresh, { dpop: await proofOf(another, clock.now()) })).rejects.toMatchObject(
      oauthError("invalid_dpop_proof"),
    );
    await expect(token(refresh, { dpop: await proofOf(key, clock.now()) })).resolves.toMatchObject({
      token_type: "DPoP",
    });
  });

  it("of another key binds what a client that proves who it is gets at a refresh (RFC 9449 §5)", async () => {
    const services = await startServices();
    const { clock, token, credentials } = services;
    const shop = {
      client_id: "web-shop",
      client_secret: "secret of the web shop",
      redirect_uri: "https://shop.example/signed-in",
    };
    const { client_secret: _, ...asking } = shop;
    const [key, another] = [await newKey(), await newKey()];
    const pair = await token(redeeming(await codeOf(services, asking), shop), {
      dpop: await proofOf(key, clock.now()),
    });
    const refresh = { grant_type: "refresh_token", refresh_token: pair.refresh_token, ...shop };
    await expect(token(refresh)).rejects.toMatchObject(oauthError("invalid_dpop_proof"));
    const next = await token(refresh, { dpop: await proofOf(another, clock.now()) });
    const keyOf = async (secret: string) =>
      (await credentials.authenticate(secret, VISITOR))?.credential.dpopKey;
    expect([await keyOf(pair.access_token), await keyOf(next.access_token)]).toEqual([
      await calculateJwkThumbprint(key.jwk),
      await calculateJwkThumbprint(another.jwk),
    ]);
  });

  it("is accepted once on all servers of the same store", async () => {
    const services = await startServices();
    const other = await servicesOn(services.store, services.clock, "other");
    const dpop = await proofOf(await newKey(), services.clock.now());
    const [one, two] = [await codeOf(services), await codeOf(services)];
    const outcomes = await Promise.allSettled([
      services.token(redeeming(one), { dpop }),
      other.token(redeeming(two), { dpop }),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    services.clock.advance(121_000);
    await expect(services.token(redeeming(two), { dpop })).rejects.toMatchObject(
      oauthError("invalid_dpop_proof"),
    );
  });

  it.each<[string, object, object, string]>([
    ["of another method", { htm: "GET" }, {}, "htm must be POST"],
    ["of another URL", { htu: `${BASE_URL}/auth/revoke` }, {}, `htu must be ${BASE_URL}/auth/token`],
    ["of another server", { htu: "https://a.example/auth/token" }, {}, `htu must be ${BASE_URL}/auth/token`],
    ["of no URL", { htu: "/auth/token" }, {}, `htu must be ${BASE_URL}/auth/token`],
    ["of yesterday", { iat: 1_000 }, {}, "iat is not of the present"],
    ["without iat", { iat: undefined }, {}, "jti or iat is missing"],
    ["without jti", { jti: "" }, {}, "jti or iat is missing"],
    ["of another type", {}, { typ: "JWT" }, ""],
    ["without its key", {}, { jwk: undefined }, ""],
  ])("%s is refused", async (_, claims, header, why) => {
    const services = await startServices();
    const dpop = await proofOf(await newKey(), services.clock.now(), claims, header);
    await expect(services.token(redeeming(await codeOf(services)), { dpop })).rejects.toMatchObject({
      ...oauthError("invalid_dpop_proof"),
      description: expect.stringContaining(`The DPoP proof cannot be used: ${why}`),
    });
  });

  it("is refused with a private or shared key, another signature or none, or if malformed", async () => {
    const services = await startServices();
    const now = services.clock.now();
    const [key, another] = [await newKey(), await newKey()];
    const unsigned = [
      { alg: "none", typ: "dpop+jwt", jwk: key.jwk },
      { jti: "x", htm: "POST", htu: URL_OF_TOKENS, iat: now },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const shared = await new SignJWT({
      jti: "y",
      htm: "POST",
      htu: URL_OF_TOKENS,
      iat: Math.floor(now / 1000),
    })
      .setProtectedHeader({ typ: "dpop+jwt", alg: "HS256", jwk: { kty: "oct", k: "c2VjcmV0" } as object })
      .sign(Buffer.from("secret"));
    for (const dpop of [
      await proofOf(key, now, {}, { jwk: key.privateJwk }),
      await proofOf(key, now, {}, { jwk: another.jwk }),
      await proofOf(key, now, {}, { jwk: { kty: "EC", crv: "P-256", x: "AA", y: "AA" } }),
      await proofOf(key, now, {}, { jwk: { ...key.jwk, crv: "P-384" } }),
      `${unsigned}.`,
      shared,
      "nonsense",
      `${await proofOf(key, now)},${await proofOf(key, now)}`,
    ]) {
      await expect(services.token(redeeming(await codeOf(services)), { dpop })).rejects.toMatchObject(
        oauthError("invalid_dpop_proof"),
      );
    }
  });

  it("at a resource is bound to the access token by ath", async () => {
    const { proofs, clock } = await startServices();
    const key = await newKey();
    const htu = `${BASE_URL}/api/v1/account`;
    const request = { method: "GET", url: htu, accessToken: "tat_1" };
    const ath = (token: string) => createHash("sha256").update(token).digest("base64url");
    const verify = async (claims: object) =>
      proofs.verify(await proofOf(key, clock.now(), { htm: "GET", htu, ...claims }), request);
    await expect(verify({ ath: ath("tat_1") })).resolves.toMatchObject({ key: expect.any(String) });
    await expect(verify({ ath: ath("tat_2") })).rejects.toMatchObject({
      ...oauthError("invalid_dpop_proof"),
      description: "The DPoP proof cannot be used: ath is not the hash of the access token.",
    });
    await expect(verify({})).rejects.toMatchObject(oauthError("invalid_dpop_proof"));
  });

  it("with the key named by dpop_jkt is required to redeem the code", async () => {
    const services = await startServices();
    const code = await codeOf(services, { dpop_jkt: "A".repeat(43) });
    const dpop = await proofOf(await newKey(), services.clock.now());
    for (const given of [{}, { dpop }]) {
      await expect(services.token(redeeming(code), given)).rejects.toMatchObject(oauthError("invalid_grant"));
    }
    const key = await newKey();
    const own = await codeOf(services, { dpop_jkt: await calculateJwkThumbprint(key.jwk) });
    const proven = { dpop: await proofOf(key, services.clock.now()) };
    await expect(services.token(redeeming(own), proven)).resolves.toMatchObject({ token_type: "DPoP" });
  });
});

describe("a DPoP proof beside a pushed request (RFC 9449 §10.1)", () => {
  async function pushed(given: { proofOf?: Key; claims?: object; changed?: Record<string, string> }) {
    const services = await startServices();
    const { authorizations, clock, owner } = services;
    const url = `${BASE_URL}/auth/par`;
    const sender = { subject: "192.0.2.1", url };
    const dpop = given.proofOf && (await proofOf(given.proofOf, clock.now(), { htu: url, ...given.claims }));
    const request = requestOf(given.changed);
    const { request_uri } = await authorizations.push(request, { ...sender, dpop });
    const { redirect } = await authorizations.decide(request_uri, "acme-ide", "approve", consenting(owner));
    const code = new URL(redirect).searchParams.get("code") ?? "";
    return { ...services, code, sender, request, dpop };
  }

  it("binds the code to its key, like dpop_jkt", async () => {
    const key = await newKey();
    const { token, code, clock } = await pushed({ proofOf: key });
    for (const given of [{}, { dpop: await proofOf(await newKey(), clock.now()) }]) {
      await expect(token(redeeming(code), given)).rejects.toMatchObject(oauthError("invalid_grant"));
    }
    await expect(token(redeeming(code), { dpop: await proofOf(key, clock.now()) })).resolves.toMatchObject({
      token_type: "DPoP",
    });
  });

  it("is refused if dpop_jkt names another key, if it is made for another URL, or if reused", async () => {
    const key = await newKey();
    const refusal = oauthError("invalid_dpop_proof");
    const another = { dpop_jkt: "A".repeat(43) };
    await expect(pushed({ proofOf: key, changed: another })).rejects.toMatchObject(refusal);
    await expect(pushed({ proofOf: key, claims: { htu: URL_OF_TOKENS } })).rejects.toMatchObject(refusal);
    const { authorizations, request, sender, dpop } = await pushed({ proofOf: key });
    for (const again of [dpop, "garbage"]) {
      await expect(authorizations.push(request, { ...sender, dpop: again })).rejects.toMatchObject(refusal);
    }
    const own = { dpop_jkt: await calculateJwkThumbprint(key.jwk) };
    await expect(pushed({ proofOf: key, changed: own })).resolves.toBeDefined();
  });
});

describe("a client assertion (private_key_jwt)", () => {
  const ID = "https://signs.example/client.json";
  const REDIRECT = "https://signs.example/callback";

  const JWKS_URI = "https://keys.example/jwks.json";

  /** Starts services that find the client's document, and its keys in it or at `JWKS_URI`. */
  async function start(changed: object = {}, keysAt?: (keys: { keys: object[] }) => string) {
    const key = await newKey("EdDSA");
    const keys = { keys: [key.jwk] };
    const document = {
      client_id: ID,
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "private_key_jwt",
      ...(keysAt ? { jwks_uri: JWKS_URI } : { jwks: keys }),
      ...changed,
    };
    const fetch = async ({ href }: URL) => ({
      text: href === JWKS_URI ? (keysAt?.(keys) ?? "") : JSON.stringify(document),
      cacheControl: undefined,
    });
    return { key, services: await startServices({ fetch }) };
  }

  const assertion = (key: Key, now: number, claims: object = {}) =>
    new SignJWT({
      iss: ID,
      sub: ID,
      aud: BASE_URL,
      jti: `a${serial++}`,
      exp: Math.floor(now / 1000) + 60,
      ...claims,
    })
      .setProtectedHeader({ alg: key.alg })
      .sign(key.privateKey);

  const by = (client_assertion: string) => ({
    client_id: ID,
    redirect_uri: REDIRECT,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion,
  });

  it("authenticates a client with a metadata document, once for each assertion", async () => {
    const { key, services } = await start();
    const { clock, token } = services;
    const code = await codeOf(services, { client_id: ID, redirect_uri: REDIRECT });
    const bare = redeeming(code, { client_id: ID, redirect_uri: REDIRECT });
    await expect(token(bare)).rejects.toMatchObject(oauthError("invalid_client"));
    const [good, stranger] = [await assertion(key, clock.now()), await newKey("EdDSA")];
    for (const wrong of [
      await assertion(stranger, clock.now()),
      await assertion(key, clock.now(), { aud: "https://other.example" }),
      await assertion(key, clock.now(), { exp: Math.floor(clock.now() / 1000) - 60 }),
      await assertion(key, clock.now(), { exp: Math.floor(clock.now() / 1000) + 3600 }),
      await assertion(key, clock.now(), { jti: undefined }),
      await assertion(key, clock.now(), { iss: "https://other.example/client.json" }),
      "nonsense",
    ]) {
      await expect(token(redeeming(code, by(wrong)))).rejects.toMatchObject(oauthError("invalid_client"));
    }
    const pair = await token(redeeming(code, by(good)));
    const refresh = { grant_type: "refresh_token", refresh_token: pair.refresh_token };
    await expect(token({ ...refresh, ...by(good) })).rejects.toMatchObject(oauthError("invalid_client"));
    await expect(token({ ...refresh, client_id: ID })).rejects.toMatchObject(oauthError("invalid_client"));
    await expect(token({ ...refresh, ...by(await assertion(key, clock.now())) })).resolves.toBeDefined();
  });

  it.each([
    ["no point of its curve", "ES256", { kty: "EC", crv: "P-256", x: "AA", y: "AA" }],
    ["too short", "RS256", { kty: "RSA", n: "AQAB".repeat(40), e: "AQAB" }],
  ])("is refused if the client's key is %s", async (_, alg, jwk) => {
    const { services } = await start({ jwks: { keys: [jwk] } });
    const given = by(await assertion(await newKey(alg), services.clock.now()));
    await expect(services.token(redeeming("c", given))).rejects.toMatchObject(oauthError("invalid_client"));
  });

  it("is verified with the keys at jwks_uri", async () => {
    const { key, services } = await start({}, JSON.stringify);
    const { clock, token } = services;
    const code = await codeOf(services, { client_id: ID, redirect_uri: REDIRECT });
    const wrong = by(await assertion(await newKey("EdDSA"), clock.now()));
    await expect(token(redeeming(code, wrong))).rejects.toMatchObject(oauthError("invalid_client"));
    const bare = redeeming(code, { client_id: ID, redirect_uri: REDIRECT });
    await expect(token(bare)).rejects.toMatchObject(oauthError("invalid_client"));
    const good = by(await assertion(key, clock.now()));
    await expect(token(redeeming(code, good))).resolves.toHaveProperty("access_token");
  });

  it("is verified if there is one, but not needed of a client that can do without", async () => {
    const both = { token_endpoint_auth_methods_supported: ["none", "private_key_jwt"] };
    const { key, services } = await start(both, JSON.stringify);
    const { clock, token } = services;
    const asked = { client_id: ID, redirect_uri: REDIRECT };
    const code = await codeOf(services, asked);
    const wrong = by(await assertion(await newKey("EdDSA"), clock.now()));
    await expect(token(redeeming(code, wrong))).rejects.toMatchObject(oauthError("invalid_client"));
    const good = by(await assertion(key, clock.now()));
    await expect(token(redeeming(code, good))).resolves.toHaveProperty("access_token");
    const bare = redeeming(await codeOf(services, asked), asked);
    await expect(token(bare)).resolves.toHaveProperty("access_token");
  });

  it("is verified with new keys once the old ones may not be cached any longer, whatever the document says", async () => {
    const [old, next] = [await newKey("EdDSA"), await newKey("EdDSA")];
    const document = {
      client_id: ID,
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: JWKS_URI,
    };
    let keys = { keys: [old.jwk] };
    const services = await startServices({
      fetch: async ({ href }) =>
        href === JWKS_URI
          ? { text: JSON.stringify(keys), cacheControl: "max-age=120" }
          : { text: JSON.stringify(document), cacheControl: "max-age=86400" },
    });
    const { clock, token } = services;
    await codeOf(services, { client_id: ID, redirect_uri: REDIRECT });
    keys = { keys: [next.jwk] };
    clock.advance(121_000);
    const code = await codeOf(services, { client_id: ID, redirect_uri: REDIRECT });
    const stale = by(await assertion(old, clock.now()));
    await expect(token(redeeming(code, stale))).rejects.toMatchObject(oauthError("invalid_client"));
    const good = by(await assertion(next, clock.now()));
    await expect(token(redeeming(code, good))).resolves.toHaveProperty("access_token");
  });

  it("is verified with new keys ten minutes later at most, however long the old ones may be cached", async () => {
    const [old, next] = [await newKey("EdDSA"), await newKey("EdDSA")];
    let keys = { keys: [old.jwk] };
    const metadata = { client_id: ID, redirect_uris: [REDIRECT], jwks_uri: JWKS_URI };
    const document = JSON.stringify({ ...metadata, token_endpoint_auth_method: "private_key_jwt" });
    const services = await startServices({
      fetch: async ({ href }) => ({
        text: href === JWKS_URI ? JSON.stringify(keys) : document,
        cacheControl: "max-age=86400",
      }),
    });
    const { clock, token } = services;
    await codeOf(services, { client_id: ID, redirect_uri: REDIRECT });
    keys = { keys: [next.jwk] };
    clock.advance(601_000);
    const code = await codeOf(services, { client_id: ID, redirect_uri: REDIRECT });
    const good = by(await assertion(next, clock.now()));
    await expect(token(redeeming(code, good))).resolves.toHaveProperty("access_token");
  });

  it("is verified with the client's keys among others that nothing is signed with", async () => {
    const others = [
      { kty: "RSA", use: "enc", n: "x", e: "AQAB" },
      { kty: "XYZ" },
      { kty: "RSA", n: "A".repeat(4000), e: "AQAB" },
      null,
      "key",
    ];
    const many = Array.from({ length: 12 }, () => others).flat();
    const { key, services } = await start({}, ({ keys }) => JSON.stringify({ keys: [...many, ...keys] }));
    const { clock, token } = services;
    const code = await codeOf(services, { client_id: ID, redirect_uri: REDIRECT });
    const good = by(await assertion(key, clock.now()));
    await expect(token(redeeming(code, good))).resolves.toHaveProperty("access_token");
  });

  it.each(["<html>", "[]", '{"keys":[]}', '{"keys":[{"n":"x"}]}', "null"])(
    "cannot be made by a client whose jwks_uri has %s, which is told before anybody is asked",
    async (text) => {
      const { services } = await start({}, () => text);
      const asked = { client_id: ID, redirect_uri: REDIRECT };
      await expect(services.authorizations.begin(requestOf(asked), "192.0.2.1")).rejects.toMatchObject({
        ...oauthError("invalid_client"),
        description: `The client metadata document ${ID} cannot be used: its jwks_uri holds no set of public keys.`,
      });
    },
  );

  it.each(["", "/auth/token", "/auth/device/token", "/auth/par"])(
    "is accepted with %j of this server as audience when a request is pushed (RFC 9126 §2)",
    async (path) => {
      const { key, services } = await start();
      const { authorizations, clock } = services;
      const request = requestOf({ client_id: ID, redirect_uri: REDIRECT });
      const sender = { subject: "192.0.2.1", url: `${BASE_URL}/auth/par` };
      const proof = by(await assertion(key, clock.now(), { aud: BASE_URL + path }));
      await expect(authorizations.push({ ...request, ...proof }, sender)).resolves.toBeDefined();
    },
  );

  it.each([5, "", { a: 1 }])("is refused with the jti %j (RFC 7519 §4.1.7)", async (jti) => {
    const { key, services } = await start();
    const code = await codeOf(services, { client_id: ID, redirect_uri: REDIRECT });
    const wrong = by(await assertion(key, services.clock.now(), { jti }));
    await expect(services.token(redeeming(code, wrong))).rejects.toMatchObject({
      ...oauthError("invalid_client"),
      description: "The client assertion is not valid: its jti is no text.",
    });
  });
});
