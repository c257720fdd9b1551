import { generateKeyPairSync, hash, type KeyObject, randomBytes } from "node:crypto";
import { calculateJwkThumbprint, type JSONWebKeySet, type JWK, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createClientAuthentication } from "../../../src/oauth/clients/client-authentication.ts";
import { KeySet } from "../../../src/oauth/clients/client-metadata.ts";
import { createClients } from "../../../src/oauth/clients/clients.ts";
import { createProofs } from "../../../src/oauth/tokens/dpop.ts";
import { oauthError } from "../../accounts/fixture.ts";
import { fakeClock } from "../../support/clock.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const ISSUER = "https://plane.example";
const TOKENS = `${ISSUER}/auth/token`;

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve });
const ed25519 = generateKeyPairSync("ed25519");
const KEYS: Record<string, { publicKey: KeyObject; privateKey: KeyObject }> = {
  ES256: ec("P-256"),
  ES384: ec("P-384"),
  ES512: ec("P-521"),
  EdDSA: ed25519,
  Ed25519: ed25519,
  RS256: rsa,
  PS256: rsa,
  PS384: rsa,
  PS512: rsa,
  RS512: rsa,
};
const SIX_BYTES = randomBytes(6).toString("base64url");
const jwkOf = (alg: string) => KEYS[alg]?.publicKey.export({ format: "jwk" }) as JWK;
const keyOf = (alg: string) => KEYS[alg]?.privateKey as KeyObject;

describe("a client assertion", () => {
  async function proves(alg: string) {
    const clock = fakeClock(NOW);
    const jwks: JSONWebKeySet = { keys: [jwkOf(alg)] };
    const clients = createClients({
      catalogue: { signing: { name: "Signing", jwks } },
      documents: { isDocumentId: () => false, find: () => Promise.reject(new Error("there are none")) },
    });
    const ports = { clock, clients, isFirstUse: async () => true, audiences: () => [ISSUER] };
    const claims = { iss: "signing", sub: "signing", aud: ISSUER, jti: "a", exp: NOW / 1000 + 60 };
    const parameters = {
      client_assertion: await new SignJWT(claims).setProtectedHeader({ alg }).sign(keyOf(alg)),
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    };
    return createClientAuthentication(ports)(parameters, undefined, "address/test");
  }

  it.each(["EdDSA", "Ed25519", "ES256", "ES384", "ES512", "RS256", "PS256", "PS384", "PS512"])(
    "may be signed with %s",
    async (alg) => {
      expect(await proves(alg)).toEqual({ id: "signing", authenticated: true });
    },
  );

  it("is refused with another algorithm", async () => {
    await expect(proves("RS512")).rejects.toMatchObject(oauthError("invalid_client"));
  });
});

describe("a DPoP proof", () => {
  const request = { method: "POST", url: TOKENS };

  function proving() {
    const spent: unknown[][] = [];
    const proofs = createProofs({
      clock: fakeClock(NOW),
      isFirstUse: async (...use) => {
        spent.push(use);
        return spent.length === 1;
      },
    });
    return { proofs, spent };
  }

  function proof(claims: object = {}, alg = "ES256"): Promise<string> {
    return new SignJWT({ jti: "p", htm: "POST", htu: TOKENS, iat: NOW / 1000, ...claims })
      .setProtectedHeader({ typ: "dpop+jwt", alg, jwk: jwkOf(alg) })
      .sign(keyOf(alg));
  }
  const verify = async (claims: object, more: { accessToken?: string } = {}) =>
    proving().proofs.verify(await proof(claims), { ...request, ...more });

  it.each(["ES256", "ES384", "ES512", "EdDSA", "Ed25519", "PS256", "RS256"])(
    "may be signed with %s and is bound to the key in its header",
    async (alg) => {
      const { proofs } = proving();
      const verified = await proofs.verify(await proof({}, alg), request);
      expect(verified?.key).toBe(await calculateJwkThumbprint(jwkOf(alg)));
    },
  );

  it("is refused with another algorithm or if sent twice, and may be absent", async () => {
    const { proofs } = proving();
    await expect(proofs.verify(await proof({}, "RS512"), request)).rejects.toMatchObject(
      oauthError("invalid_dpop_proof"),
    );
    expect(await proofs.verify(undefined, request)).toBeUndefined();
    await expect(proofs.verify([await proof()], request)).rejects.toMatchObject(
      oauthError("invalid_dpop_proof"),
    );
  });

  it.each<[string, object]>([
    ["two minutes ago", { iat: NOW / 1000 - 120 }],
    ["two minutes ahead", { iat: NOW / 1000 + 120 }],
    ["for the address with a query and a fragment", { htu: `${TOKENS}?a=b#c` }],
    ["for the address, its host in capitals", { htu: "https://PLANE.example:443/auth/token" }],
  ])("is accepted if made %s", async (_, claims) => {
    await expect(verify(claims)).resolves.toBeDefined();
  });

  it.each<[string, object]>([
    ["longer ago", { iat: NOW / 1000 - 121 }],
    ["further ahead", { iat: NOW / 1000 + 121 }],
    ["at no time", { iat: undefined }],
    ["for another path", { htu: `${TOKENS}s` }],
    ["for another port", { htu: "https://plane.example:8443/auth/token" }],
    ["for no address", { htu: "/auth/token" }],
    ["for an address that is no text", { htu: 7 }],
    ["with an id that is no text", { jti: 7 }],
  ])("is refused if made %s", async (_, claims) => {
    await expect(verify(claims)).rejects.toMatchObject(oauthError("invalid_dpop_proof"));
  });

  it.each<[string, object]>([
    ["a long exponent", { e: SIX_BYTES }],
    ["more bits than anybody uses", { n: randomBytes(1025).toString("base64url") }],
  ])("is refused for an RSA key with %s, before the work of verifying it", async (_, members) => {
    const jwk = { ...jwkOf("RS256"), ...members };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { jti: "p", htm: "POST", htu: TOKENS, iat: NOW / 1000 };
    const unsigned = `${part({ typ: "dpop+jwt", alg: "RS256", jwk })}.${part(claims)}.${SIX_BYTES}`;
    const refused = await proving()
      .proofs.verify(unsigned, request)
      .catch((error) => error);
    expect(refused).toMatchObject(oauthError("invalid_dpop_proof"));
    expect(refused.description).toContain("it has an RSA key of more than 8192 bits, or with an exponent");
    expect(KeySet.safeParse({ keys: [jwkOf("RS256"), jwk] }).error?.issues).toEqual([
      expect.objectContaining({ path: ["keys", 1] }),
    ]);
    expect(KeySet.safeParse({ keys: [jwkOf("RS256")] }).success).toBe(true);
  });

  it("at a resource contains the hash of the access token", async () => {
    const ath = hash("sha256", "tat_a", "base64url");
    await expect(verify({ ath }, { accessToken: "tat_a" })).resolves.toBeDefined();
    for (const claims of [{}, { ath: "tat_a" }, { ath: hash("sha256", "tat_b", "base64url") }])
      await expect(verify(claims, { accessToken: "tat_a" })).rejects.toMatchObject(
        oauthError("invalid_dpop_proof"),
      );
  });

  it("is used once and remembered until it expires", async () => {
    const { proofs, spent } = proving();
    const verified = await proofs.verify(await proof(), request);
    expect(spent).toEqual([]);
    await verified?.spend();
    expect(spent).toEqual([[`dpop/${verified?.key}`, "p", NOW + 120_001]]);
    await expect(verified?.spend()).rejects.toMatchObject(oauthError("invalid_dpop_proof"));
  });
});
